/** The question before a change that cannot be undone. */
import { fireEvent, within } from '@testing-library/react';

interface Screen {
  findByRole: (role: 'dialog', options: { name: string }) => Promise<HTMLElement>;
}
/** Waits for the question and presses one of its buttons. */
export async function answer(screen: Screen, question: string, button: string): Promise<void> {
  fireEvent.click(within(await screen.findByRole('dialog', { name: question })).getByRole('button', { name: button }));
}

/** The browser's own questions are answered so from now on; what they were. */
export function answerBrowser(says: () => boolean): string[] {
  const asked: string[] = [];
  globalThis.confirm = (words) => {
    asked.push(String(words));
    return says();
  };
  return asked;
}

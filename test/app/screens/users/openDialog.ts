/** What the tests of the Users dialogs share. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import * as assert from 'uvu/assert';
import type { openScreen } from '../../../screen';
import { pam } from '../../../world';

type Screen = Awaited<ReturnType<typeof openScreen>>;
export const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
export const field = (element: HTMLElement) => element as HTMLInputElement;
export const closed = (screen: Screen) => waitFor(() => assert.not.ok(screen.queryByRole('dialog')));

/** Clicks an action of Pam's row and gives back the dialog it opens. */
export async function openDialog(screen: Screen, action: string, title = action) {
  const row = within((await screen.findByRole('link', { name: pam.email })).closest('tr')!);
  const button = row.queryByText(action);
  if (button) fireEvent.click(button);
  else {
    fireEvent.click(row.getByRole('button', { name: `Actions for ${pam.email}` }));
    fireEvent.click(await screen.findByRole('menuitem', { name: action }));
  }
  return within(await screen.findByRole('dialog', { name: title }));
}

/** What must be stopped when every test has run; the runner calls `closeAll` once. */
const closing: (() => Promise<void>)[] = [];

export const whenDone = (close: () => Promise<void>): void => {
  closing.push(close);
};

export async function closeAll(): Promise<void> {
  for (const close of closing.reverse()) await close();
}

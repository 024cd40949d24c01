/** What `work` says to the console in this way, which nobody else hears. */
export async function heard(way: 'error' | 'warn', work: () => unknown): Promise<unknown[]> {
  const { [way]: real } = console,
    said: unknown[] = [];
  console[way] = (...words: unknown[]) => void said.push(...words);
  try {
    await work();
  } finally {
    console[way] = real;
  }
  return said;
}

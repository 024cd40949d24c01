/** The texts that are copied from now on; happy-dom has no clipboard that can be read. */
export function copied(): string[] {
  const texts: string[] = [];
  const value = { writeText: async (text: string) => void texts.push(text) };
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value });
  return texts;
}

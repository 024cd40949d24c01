/** A Latin word with a Cyrillic or Greek letter in it, which looks like a Latin one. */
export const mixesAlphabets = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word);

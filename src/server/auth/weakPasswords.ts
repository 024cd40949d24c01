import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** What a guesser of this product's passwords tries too; the list of common passwords does not hold all of them. */
const contextWords = ['backoffice', 'gaming', 'casino', 'jackpot'];
/** The time of a check grows faster than the length, so only the first 32 characters are checked. */
const SCORED_CHARACTERS = 32;

/** Loaded at the first use: the lists take 20 MB, and most servers of an installation never need them. */
let loading: Promise<ZxcvbnFactory> | undefined;
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: SCORED_CHARACTERS,
    l33tMaxSubstitutions: 10,
  });
}

/**
 * Whether a password can be guessed by somebody whom the rate limits slow down. `email` is the account's.
 * That is below a million guesses, which all of the 49,000 most common passwords are, and below a thousand million
 * when every letter is part of a common word, as in 'Welcome2026!'.
 */
export async function isWeakPassword(password: string, email: string): Promise<boolean> {
  const checker = await (loading ??= load());
  const partsOfEmail = email.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
  const { guesses, sequence } = checker.check(password, [email, ...partsOfEmail, ...contextWords]);
  const isOfCommonWords = sequence.every(({ pattern, token }) => pattern === 'dictionary' || !/\p{L}/u.test(token));
  return guesses < 1e6 || (guesses < 1e9 && isOfCommonWords);
}

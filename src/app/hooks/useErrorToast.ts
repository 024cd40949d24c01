import { useCallback } from 'react';
import { ApiError } from '../api/client';
import { storedToken } from '../state/storage';
import { useToast } from '../state/toasts';

/** What to say when a call fails: fixed words, words chosen from the error, words that stay longer, or null: log it, say nothing. */
export type Failed = string | ((error: unknown) => string) | { words: string | ((error: unknown) => string); ms: number } | null;

/** The server's own detail if it sent one, else these words (redeems, affiliate stats: spec 8). A field is called as a person calls it: 'body.payout_address:' is 'Payout address:'. */
export const detailOr = (words: string) => (error: unknown): string => (error instanceof ApiError && error.detail?.replace(/\b(?:body|query)\.(\w)(\w*:)/g, inWords)) || words;
const inWords = (_: string, first: string, rest: string) => first.toUpperCase() + rest.replaceAll('_', ' ');

/** Shows a failed call to the person, or logs it. */
export function useErrorToast() {
  const toast = useToast();
  return useCallback((error: unknown, failed: Failed) => {
    if (error instanceof ApiError && error.status === 401 && !storedToken()) return; // the session has already ended
    if (failed === null) return console.error(error);
    const { words, ms } = typeof failed === 'object' ? failed : { words: failed, ms: undefined };
    toast.error(typeof words === 'string' ? words : words(error), ms);
  }, [toast]);
}

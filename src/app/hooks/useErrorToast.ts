import { useCallback } from 'react';
import { ApiError } from '../api/client';
import { storedToken } from '../state/storage';
import { useToast } from '../state/toasts';

type Message = string | ((error: unknown) => string);
/** What to show when a call fails: a text, a text made from the error, one that stays longer, or null: only log it. */
export type ErrorMessage = Message | { message: Message; ms: number } | null;

/**
 * The server's own detail if it sent one, else this message (docs/product.md, "Messages"). A field is named as a
 * person would name it: 'body.payout_address:' becomes 'Payout address:'.
 */
export const detailOr =
  (message: string) =>
  (error: unknown): string =>
    (error instanceof ApiError && error.detail?.replace(/\b(?:body|query)\.(\w)(\w*:)/g, formatField)) || message;
const formatField = (_: string, first: string, rest: string) => first.toUpperCase() + rest.replaceAll('_', ' ');

/** Shows a failed call in a toast, or logs it. */
export function useErrorToast() {
  const toast = useToast();
  return useCallback(
    (error: unknown, failed: ErrorMessage) => {
      const hasSessionEnded = error instanceof ApiError && error.status === 401 && !storedToken();
      if (hasSessionEnded) return; // the login screen says enough
      if (failed === null) return console.error(error);
      const { message, ms } = typeof failed === 'object' ? failed : { message: failed, ms: undefined };
      toast.error(typeof message === 'string' ? message : message(error), ms);
    },
    [toast],
  );
}

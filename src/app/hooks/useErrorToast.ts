import { useCallback } from 'react';
import { ApiError } from '../api/client';
import { storedToken } from '../state/storage';
import { useToast } from '../state/toasts';

type Message = string | ((error: unknown) => string);
/** What to show when a call fails: a text, one made of the error, one with more said of it, or null: only log it. */
export type ErrorMessage = Message | ErrorWords | null;
interface ErrorWords {
  message: Message;
  ms?: number;
  /** Whether the server's reason is shown elsewhere. */
  isTold?: (error: unknown) => boolean;
}

/** The server's own detail, its field as a person would name it: 'body.payout_address:' becomes 'Payout address:'. */
export const getDetail = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.detail?.replace(/\b(?:body|query)\.(\w)(\w*)[.\d]*:/g, formatField) : undefined;
const formatField = (_: string, first: string, rest: string) => `${first.toUpperCase()}${rest.replaceAll('_', ' ')}:`;

/** The server's own detail if it sent one, else this message (docs/product.md, "Messages"). */
export const detailOr =
  (message: string) =>
  (error: unknown): string =>
    getDetail(error) || message;

/** Whether the session ended meanwhile: then the login screen says enough. */
const hasSessionEnded = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && !storedToken();

/** Shows a failed call in a toast, with the server's reason as second line, or logs it. */
export function useErrorToast() {
  const toast = useToast();
  return useCallback(
    (error: unknown, failed: ErrorMessage, of?: unknown) => {
      if (hasSessionEnded(error)) return;
      if (failed === null) return void console.error(error);
      const { message, ms, isTold }: ErrorWords = typeof failed === 'object' ? failed : { message: failed };
      const text = typeof message === 'string' ? message : message(error),
        detail = isTold?.(error) ? undefined : getDetail(error);
      return toast.error(text, { ms, of, ...(detail !== text && { detail }) });
    },
    [toast],
  );
}

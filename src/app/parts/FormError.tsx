import { useEffect, useState } from 'react';
import { TOAST_MS } from '../../contract/constants';
import { ApiError } from '../api/client';
import { detailOr } from '../hooks/useErrorToast';

/** The server's reason for an error, which stays in the form when the toast that told it has gone. */
export interface FormErrorState {
  reason: string;
  /** The reason, if it is about the field with this name. */
  at: (name: string) => string | undefined;
  /** How long the toast is shown. */
  ms: number;
  /** For `failed` of `useAction`: shows the message in a toast and keeps the server's reason. */
  withMessage: (words: string | ((error: unknown) => string)) => (error: unknown) => string;
  clear: () => void;
}

export function useFormError(ms = TOAST_MS): FormErrorState {
  const [reason, setReason] = useState('');
  const [name, setName] = useState('');
  return {
    reason,
    at: (one) => (reason && one === name ? reason : undefined),
    ms,
    withMessage: (words) => (error) => {
      setReason(detailOr('')(error));
      setName(fieldOf(error));
      return typeof words === 'string' ? words : words(error);
    },
    clear: () => setReason(''),
  };
}

/** 'body.api_key: is required' names the field `api_key`. */
export const fieldOf = (error: unknown): string =>
  (error instanceof ApiError && /^(?:body|query)\.(\w+):/.exec(error.detail ?? '')?.[1]) || '';

/**
 * The reason of the last error, once its toast has gone: a refusal is told once. Nothing if the server gave none, or if
 * one of `fields` shows it.
 */
export function FormError({
  error: { reason, at, ms },
  fields = [],
}: {
  error: FormErrorState;
  fields?: readonly string[];
}) {
  const [told, setTold] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTold(reason), reason ? ms : 0);
    return () => clearTimeout(timer);
  }, [reason, ms]);
  return reason && told === reason && !fields.some(at) ? <p className="why">{reason}</p> : null;
}

import { useState } from 'react';
import { ApiError } from '../api/client';
import { detailOr } from '../hooks/useErrorToast';

/** The server's reason for an error, shown in the form beside the toast with the specified message. */
export interface FormErrorState {
  reason: string;
  /** The reason, if it is about the field with this name. */
  at: (name: string) => string | undefined;
  /** For `failed` of `useAction`: shows the message in a toast and keeps the server's reason. */
  withMessage: (words: string | ((error: unknown) => string)) => (error: unknown) => string;
  clear: () => void;
}

export function useFormError(): FormErrorState {
  const [reason, setReason] = useState('');
  const [name, setName] = useState('');
  return {
    reason,
    at: (one) => (reason && one === name ? reason : undefined),
    withMessage: (message) => (error) => {
      setReason(detailOr('')(error));
      setName(fieldOf(error));
      return typeof message === 'string' ? message : message(error);
    },
    clear: () => setReason(''),
  };
}

/** 'body.api_key: is required' names the field `api_key`. */
const fieldOf = (error: unknown): string =>
  (error instanceof ApiError && /^(?:body|query)\.(\w+):/.exec(error.detail ?? '')?.[1]) || '';

/** The reason of the last error; nothing if the server gave none, or if one of `fields` shows it. */
export const FormError = ({
  error: { reason, at },
  fields = [],
}: {
  error: FormErrorState;
  fields?: readonly string[];
}) =>
  reason && !fields.some(at) ? (
    <p className="why" role="alert">
      {reason}
    </p>
  ) : null;

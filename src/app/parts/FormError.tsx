import { useState } from 'react';
import { detailOr } from '../hooks/useErrorToast';

/** The server's reason for an error, shown in the form beside the toast with the specified message. */
export interface FormErrorState {
  reason: string;
  /** For `failed` of `useAction`: shows the message in a toast and keeps the server's reason. */
  withMessage: (words: string | ((error: unknown) => string)) => (error: unknown) => string;
  clear: () => void;
}

export function useFormError(): FormErrorState {
  const [reason, setReason] = useState('');
  return {
    reason,
    withMessage: (words) => (error) => {
      setReason(detailOr('')(error));
      return typeof words === 'string' ? words : words(error);
    },
    clear: () => setReason(''),
  };
}

/** The reason of the last error; nothing if the server gave none. */
export const FormError = ({ error: { reason } }: { error: FormErrorState }) =>
  reason ? (
    <p className="why" role="alert">
      {reason}
    </p>
  ) : null;

import { useState } from 'react';
import { detailOr } from '../hooks/useErrorToast';

/** The server's own reason for a refusal, kept to stand where it arose, beside the toast with the specification's words. */
export interface FormErrorState {
  reason: string;
  /** What `useAction` takes as `failed`: says `words` in a toast and keeps the reason. */
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

/** Why the last attempt was refused; nothing when the server gave no reason. */
export const FormError = ({ error: { reason } }: { error: FormErrorState }) => (reason ? <p className="why" role="alert">{reason}</p> : null);

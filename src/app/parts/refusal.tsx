import { useState } from 'react';
import { detailOr } from '../hooks';

/** The server's own reason for a refusal, kept to stand where it arose, beside the toast with the specification's words. */
export interface Refusal {
  reason: string;
  /** What `useAction` takes as `failed`: says `words` in a toast and keeps the reason. */
  because: (words: string | ((error: unknown) => string)) => (error: unknown) => string;
  clear: () => void;
}

export function useRefusal(): Refusal {
  const [reason, setReason] = useState('');
  return {
    reason,
    because: (words) => (error) => {
      setReason(detailOr('')(error));
      return typeof words === 'string' ? words : words(error);
    },
    clear: () => setReason(''),
  };
}

/** Why the last attempt was refused; nothing when the server gave no reason. */
export const Why = ({ of: { reason } }: { of: Refusal }) => (reason ? <p className="why" role="alert">{reason}</p> : null);

import { useRef } from 'react';
import { useToast } from '../state/toasts';

/** Copies a text and says so, or that it could not be copied: browsers offer a clipboard over TLS and on localhost. */
export function useCopy(): (what: string, text: string) => void {
  const toast = useToast();
  const of = useRef(null);
  const copy = async (text: string) => navigator.clipboard.writeText(text);
  return (what, text) =>
    void copy(text).then(
      () => toast.success(`${what} copied`, { of }),
      () => toast.error(`${what} could not be copied`, { of }),
    );
}

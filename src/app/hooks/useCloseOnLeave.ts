import { useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Closes a dialog when a link in it leads to a screen, which the dialog would cover. */
export function useCloseOnLeave(onClose: () => void): void {
  const address = `${useLocation()[0]}?${useSearch()}`;
  const first = useRef(address);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (address !== first.current) close.current();
  }, [address]);
}

import { useEffect, useRef } from 'react';

/** Calls it when the screen is left, when the person logs out, and when the page is closed or hidden for good. */
export function useLeaving(onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    const leave = () => latest.current();
    addEventListener('pagehide', leave);
    addEventListener('signout', leave);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('signout', leave);
      leave();
    };
  }, []);
}

import { useEffect, useReducer } from 'react';

/** The time, anew at intervals while it matters, and whenever something else has changed. */
export function useNow(everyMs: number, isOn: boolean): number {
  const [, renew] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(renew, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return Date.now();
}

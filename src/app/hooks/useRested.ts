import { useEffect, useState } from 'react';

const REST_MS = 2000;
let wasRested = false;

/** False until the first screen (`isReady`) has been there for a while or somebody scrolls: what can wait, waits. */
export function useRested(isReady: boolean): boolean {
  const [isRested, setRested] = useState(wasRested);
  useEffect(() => {
    if (!isReady || isRested) return;
    const rest = () => setRested((wasRested = true));
    const timer = setTimeout(rest, REST_MS);
    addEventListener('scroll', rest, { capture: true, once: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', rest, { capture: true });
    };
  }, [isReady, isRested]);
  return isRested;
}

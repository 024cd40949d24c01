import { useEffect, useState } from 'react';
import { listen } from '../api/listen';

const REST_MS = 2000;
let wasRested = false;

/** False until the first screen (`isReady`) has been there for a while or somebody scrolls: what can wait, waits. */
export function useRested(isReady: boolean): boolean {
  const [isRested, setRested] = useState(wasRested);
  useEffect(() => {
    if (!isReady || isRested) return;
    const rest = () => setRested((wasRested = true));
    const timer = setTimeout(rest, REST_MS);
    const end = listen(['scroll'], rest, true);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [isReady, isRested]);
  return isRested;
}

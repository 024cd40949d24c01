import { useEffect, useState } from 'react';

/** The time, anew at intervals while it matters. */
export function useNow(everyMs: number, isOn: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return now;
}

import { useEffect, useState } from 'react';

/** The value once it has not changed for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms = 300): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (Object.is(value, rested)) return;
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, rested, ms]);
  return rested;
}

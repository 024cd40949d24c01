import { useEffect, useState } from 'react';

/** Whether the browser has a network connection. */
export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(() => navigator.onLine !== false);
  useEffect(() => {
    const changed = () => setOnline(navigator.onLine !== false);
    addEventListener('online', changed);
    addEventListener('offline', changed);
    return () => {
      removeEventListener('online', changed);
      removeEventListener('offline', changed);
    };
  }, []);
  return isOnline;
}

import { type RefObject, useEffect, useRef } from 'react';

/** Whether what uses this is still on screen. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return isHere;
}

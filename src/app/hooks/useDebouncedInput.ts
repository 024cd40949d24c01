import { useEffect, useRef, useState } from 'react';
import { useDebounced } from './useDebounced';

/** The text of an input whose value is kept elsewhere. Calls `onChange` once typing pauses, and follows the value. */
export function useDebouncedInput(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [followed, setFollowed] = useState(value);
  const reported = useRef<string>(null);
  if (followed !== value) {
    setFollowed(value);
    if (reported.current !== value) setTyped(value); // otherwise more may have been typed since
    reported.current = null;
  }
  const rested = useDebounced(typed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `onChange` alone is no reason to call it
  useEffect(() => {
    if (rested === typed && rested !== value) onChange((reported.current = rested));
  }, [rested, typed, value]);
  return [typed, setTyped] as const;
}

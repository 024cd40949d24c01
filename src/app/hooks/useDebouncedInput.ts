import { useEffect, useRef, useState } from 'react';
import { useDebounced } from './useDebounced';

/** What is typed into a field whose value stands elsewhere, as in the address: said once the typing rests. Follows that value when it changes by other means. */
export function useDebouncedInput(value: string, say: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [followed, setFollowed] = useState(value);
  const said = useRef<string>(null);
  if (followed !== value) {
    setFollowed(value);
    if (said.current !== value) setTyped(value); // else more may have been typed since it was said
    said.current = null;
  }
  const rested = useDebounced(typed);
  useEffect(() => {
    if (rested === typed && rested !== value) say(said.current = rested);
  }, [rested, typed, value]);
  return [typed, setTyped] as const;
}

import { useEffect, useState } from 'react';
import { knownPreference, readPreference, savePreference } from '../state/preferences';
import { useUser } from '../state/session';

/** What this person chose last in this browser; whether it has been read yet; and what chooses something else. */
export function usePreference(name: string) {
  const person = useUser().email ?? '';
  const [own, setOwn] = useState(() => {
    const value = knownPreference(person, name);
    return { value, isRead: value !== undefined };
  });
  useEffect(() => {
    let isGone = false;
    void readPreference(person, name).then((value) => isGone || setOwn({ value, isRead: true }));
    return () => void (isGone = true);
  }, [person, name]);
  function choose(value: unknown): void {
    setOwn({ value, isRead: true });
    void savePreference(person, name, value);
  }
  return { ...own, choose };
}

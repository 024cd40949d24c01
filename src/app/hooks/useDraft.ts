import { useEffect, useState } from 'react';
import { readDraft, saveDraft } from '../state/drafts';

export interface Draft<T> {
  value: T;
  set: (next: T | ((old: T) => T)) => void;
  /** Forgets the draft, here and in the tab. */
  clear: () => void;
  /** It was typed before a reload, or before the dialog was left open by the end of the session. */
  isRestored: boolean;
}

export type FormDraft = Pick<Draft<unknown>, 'clear' | 'isRestored'>;

/** The state of a form, which the tab keeps under `name`, if there is one. Keys that hold a secret are never kept. */
export function useDraft<T extends object>(name: string, initial: T, secrets: readonly (keyof T)[] = []): Draft<T> {
  const [first] = useState(initial);
  const [isRestored, setRestored] = useState(() => name !== '' && readDraft(name) !== null);
  const [value, set] = useState<T>(() => ({ ...first, ...(isRestored && pickKnown(first, readDraft(name))) }));
  const keys = Object.keys(first) as (keyof T & string)[];
  const changed = JSON.stringify(
    Object.fromEntries(
      keys
        .filter((key) => !secrets.includes(key) && JSON.stringify(value[key]) !== JSON.stringify(first[key]))
        .map((key) => [key, value[key]]),
    ),
  );
  useEffect(() => {
    if (name) saveDraft(name, JSON.parse(changed));
  }, [name, changed]);
  return {
    value,
    set,
    isRestored,
    clear() {
      if (name) saveDraft(name, {});
      set(first);
      setRestored(false);
    },
  };
}

/** Of what was kept, only what the form has in this shape. */
const pickKnown = <T extends object>(first: T, kept: object | null): Partial<T> =>
  Object.fromEntries(
    Object.entries(kept ?? {}).filter(([key, one]) => key in first && typeof one === typeof first[key as keyof T]),
  ) as Partial<T>;

import { type ReactNode, useState } from 'react';
import type { Feature } from '../../contract/constants';
import { useFeature } from '../state/session';
import { CheckBox } from '../ui/CheckBox';

/** The names of API keys in an answer; none from a server that sends none. */
export const keyNames = (names: unknown): string[] => (Array.isArray(names) ? names.map(String) : []);

/** Asks whether these end too: yes, unless the box is unchecked. `field` is null if there are none. */
export function useEnding(feature: Feature, names: readonly string[], label: ReactNode) {
  const isShown = useFeature(feature) && names.length > 0;
  const [ends, setEnds] = useState(true);
  return {
    field: isShown ? (
      <p>
        <CheckBox label={label} checked={ends} onChange={setEnds} />
      </p>
    ) : null,
    isKept: isShown && !ends,
  };
}

/** The same of the API keys that somebody made. `choice` is what to send. */
export function useRevokeKeys(names: readonly string[], label: ReactNode) {
  const ending = useEnding('key_owners', names, label);
  return { ...ending, choice: ending.isKept ? { keep_api_keys: true } : {} };
}

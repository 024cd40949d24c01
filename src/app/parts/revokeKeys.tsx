import { type ReactNode, useState } from 'react';
import { useFeature } from '../state/session';

/** The names of API keys in an answer; none from a server that sends none. */
export const keyNames = (names: unknown): string[] => (Array.isArray(names) ? names.map(String) : []);

/**
 * Asks whether the API keys that somebody made end too: yes, unless the box is unchecked. `field` is null if there are
 * none. `choice` is what to send.
 */
export function useRevokeKeys(names: readonly string[], label: ReactNode) {
  const isShown = useFeature('key_owners') && names.length > 0;
  const [revokes, setRevokes] = useState(true);
  return {
    field: isShown ? (
      <p>
        <label>
          <input
            type="checkbox"
            style={{ width: 24, height: 24 }}
            checked={revokes}
            onChange={({ target }) => setRevokes(target.checked)}
          />
          {label}
        </label>
      </p>
    ) : null,
    choice: isShown && !revokes ? { keep_api_keys: true } : {},
    reset: () => setRevokes(true),
  };
}

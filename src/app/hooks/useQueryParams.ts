import { useCallback, useMemo } from 'react';
import { useSearch } from 'wouter';

type SetAddress<K extends string> = (patch: Partial<Record<K, string>>, options?: { replace?: boolean }) => void;

/** Query parameters as state; defaults are left out, others stay. `set(patch, { replace: true })` adds no history. */
export function useQueryParams<K extends string>(
  defaults: Record<K, string>,
): [values: Record<K, string>, set: SetAddress<K>] {
  const search = useSearch();
  const key = JSON.stringify(defaults); // the caller may pass a new object on every render
  const known = useMemo<Record<K, string>>(() => JSON.parse(key), [key]);
  const values = useMemo(() => parseQueryParams(search, known), [search, known]);
  const set = useCallback<SetAddress<K>>(
    (patch, { replace = false } = {}) => {
      const next = changeQueryParams(location.search, patch, known); // the current address, not that of the last render
      const change = replace ? 'replaceState' : 'pushState';
      if (next !== location.search) history[change](replace ? history.state : null, '', location.pathname + next);
    },
    [known],
  );
  return [values, set];
}

/** The values of a query string, or their defaults. */
export function parseQueryParams<K extends string>(search: string, defaults: Record<K, string>): Record<K, string> {
  const query = new URLSearchParams(search);
  const values = { ...defaults };
  for (const name in defaults) values[name] = query.get(name) ?? defaults[name];
  return values;
}

/** The query string with these values changed; '' if it becomes empty. */
export function changeQueryParams(
  search: string,
  patch: Partial<Record<string, string>>,
  defaults: Record<string, string>,
): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === defaults[name]) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text && `?${text}`;
}

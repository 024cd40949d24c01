import { useCallback, useMemo } from 'react';
import { useSearch } from 'wouter';

type SetAddress<K extends string> = (patch: Partial<Record<K, string>>, options?: { replace?: boolean }) => void;

/**
 * Query parameters of the address bar as state, so that reloading, going back and sharing a link keep it.
 * Defaults are left out of the address, parameters not named here are kept. `set(patch, { replace: true })` makes no step to go back to.
 */
export function useQueryParams<K extends string>(defaults: Record<K, string>): [values: Record<K, string>, set: SetAddress<K>] {
  const search = useSearch();
  const key = JSON.stringify(defaults); // a new object at every render may mean the same
  const values = useMemo(() => parseQueryParams(search, defaults), [search, key]);
  const set = useCallback<SetAddress<K>>((patch, { replace = false } = {}) => {
    const next = changeQueryParams(location.search, patch, defaults); // from what stands there now, not from when this was drawn
    if (next !== location.search) history[replace ? 'replaceState' : 'pushState'](null, '', location.pathname + next);
  }, [key]);
  return [values, set];
}

/** What a query string says, each name falling back to its default. */
export function parseQueryParams<K extends string>(search: string, defaults: Record<K, string>): Record<K, string> {
  const query = new URLSearchParams(search);
  const values = { ...defaults };
  for (const name in defaults) values[name] = query.get(name) ?? defaults[name];
  return values;
}

/** The query string with these values changed; '' when nothing is left in it. */
export function changeQueryParams(search: string, patch: Partial<Record<string, string>>, defaults: Record<string, string>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === defaults[name]) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text && `?${text}`;
}

import { useEffect, useMemo } from 'react';
import type { SavedList } from '../../../contract/constants';
import { isObject } from '../../api/parse';
import { usePreference } from '../../hooks/usePreference';
import { useQueryParams } from '../../hooks/useQueryParams';
import { columnsAddress, formatHidden, pickColumns } from './columns';

export interface Columns {
  list: SavedList;
  hidden: readonly string[];
  hide: (names: readonly string[]) => void;
}

/**
 * Which columns of a list are hidden. The address says which, so that a link shows others the same; where it says
 * nothing, what this person chose last in this browser counts, and the address then says that.
 */
export function useColumns(list: SavedList, { isOffered }: { isOffered: boolean }): Columns {
  const { value, choose } = usePreference(`hidden columns of ${list}`);
  const own = useMemo(() => parsePreference(list, value), [list, value]);

  const [{ hide }, setAddress] = useQueryParams(columnsAddress);
  const given = useMemo(() => (hide ? pickColumns(list, hide.split('.')) : null), [list, hide]);
  useEffect(() => {
    if (isOffered && !given) setAddress({ hide: formatHidden(own) }, { replace: true });
  }, [isOffered, given, own, setAddress]);

  return {
    list,
    hidden: given ?? own,
    hide(names) {
      const next = pickColumns(list, names);
      choose(next);
      setAddress({ hide: formatHidden(next) }, { replace: true });
    },
  };
}

/** Version 0.2.0 kept more than the names of the hidden columns. */
function parsePreference(list: SavedList, value: unknown): readonly string[] {
  const hidden = isObject(value) ? value['hidden'] : value;
  return Array.isArray(hidden) ? pickColumns(list, hidden) : [];
}

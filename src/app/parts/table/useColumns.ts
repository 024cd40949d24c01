import { useEffect, useMemo, useState } from 'react';
import type { SavedList } from '../../../contract/constants';
import { isObject } from '../../api/parse';
import { useQueryParams } from '../../hooks/useQueryParams';
import { knownPreference, readPreference, savePreference } from '../../state/preferences';
import { useUser } from '../../state/session';
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
  const person = useUser().email ?? '';
  const name = `hidden columns of ${list}`;
  const [own, setOwn] = useState(() => parsePreference(list, knownPreference(person, name)));
  useEffect(() => {
    let isGone = false;
    void readPreference(person, name).then((value) => isGone || setOwn(parsePreference(list, value)));
    return () => void (isGone = true);
  }, [person, name, list]);

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
      setOwn(next);
      void savePreference(person, name, next);
      setAddress({ hide: formatHidden(next) }, { replace: true });
    },
  };
}

/** Version 0.2.0 kept more than the names of the hidden columns. */
function parsePreference(list: SavedList, value: unknown): readonly string[] {
  const hidden = isObject(value) ? value['hidden'] : value;
  return Array.isArray(hidden) ? pickColumns(list, hidden) : [];
}

import { useEffect, useMemo, useState } from 'react';
import type { SavedList } from '../../../contract/constants';
import { isObject } from '../../api/parse';
import { useQueryParams } from '../../hooks/useQueryParams';
import { knownPreference, readPreference, savePreference } from '../../state/preferences';
import { useUser } from '../../state/session';
import { formatLayout, isInUsualOrder, type Layout, layoutAddress, parseLayout, toLayout } from './layout';

export interface Columns {
  list: SavedList;
  layout: Layout;
  /** Undefined for the usual one. */
  order: readonly string[] | undefined;
  change: (patch: Partial<Layout>) => void;
}

/**
 * The columns of a list. The address says which, so that a link shows somebody else the same; where it says nothing,
 * what this person chose last in this browser counts, and the address then says that.
 */
export function useColumns(list: SavedList, { isOffered }: { isOffered: boolean }): Columns {
  const person = useUser().email ?? '';
  const name = `hidden columns of ${list}`;
  const [own, setOwn] = useState(() => parsePreference(list, knownPreference(person, name)));
  useEffect(() => {
    let isGone = false;
    void readPreference(person, name).then((value) => isGone || setOwn(parsePreference(list, value)));
    return () => {
      isGone = true;
    };
  }, [person, name, list]);

  const [address, setAddress] = useQueryParams(layoutAddress);
  const given = useMemo(() => parseLayout(list, address), [list, address]);
  useEffect(() => {
    if (isOffered && !given) setAddress(formatLayout(list, own), { replace: true });
  }, [isOffered, given, list, own, setAddress]);

  const layout = given ?? own;
  return {
    list,
    layout,
    order: isInUsualOrder(list, layout) ? undefined : layout.order,
    change(patch) {
      const next = { ...layout, ...patch };
      setOwn(next);
      void savePreference(person, name, next);
      setAddress(formatLayout(list, next), { replace: true });
    },
  };
}

/** Versions before kept the names of the hidden columns alone. */
function parsePreference(list: SavedList, value: unknown): Layout {
  const { hidden, order, isCompact } = isObject(value) ? value : { hidden: value };
  return toLayout(list, Array.isArray(order) ? order : [], Array.isArray(hidden) ? hidden : [], isCompact === true);
}

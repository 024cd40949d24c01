import { useEffect, useState } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { knownPreference, readPreference, savePreference } from '../../state/preferences';
import { useUser } from '../../state/session';
import { columns } from './columns';

export interface Columns {
  list: MoneyList;
  hidden: readonly string[];
  hide: (names: readonly string[]) => void;
}

/** Which columns of a list this person has hidden in this browser. All are shown at first. */
export function useColumns(list: MoneyList): Columns {
  const person = useUser().email ?? '';
  const name = `hidden columns of ${list}`;
  const [hidden, setHidden] = useState(() => parseHidden(list, knownPreference(person, name)));
  useEffect(() => {
    let isGone = false;
    void readPreference(person, name).then((value) => isGone || setHidden(parseHidden(list, value)));
    return () => {
      isGone = true;
    };
  }, [person, name, list]);
  return {
    list,
    hidden,
    hide(names) {
      setHidden(names);
      void savePreference(person, name, names);
    },
  };
}

const parseHidden = (list: MoneyList, value: unknown): readonly string[] =>
  Array.isArray(value) ? columns[list].map(({ name }) => name).filter((name) => value.includes(name)) : [];

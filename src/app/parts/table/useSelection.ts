import { useCallback, useRef, useState } from 'react';

export interface Selection<Row> {
  rows: ReadonlyMap<number, Row>;
  /** Selects a row, or takes it out; with `isRange` all rows from the last one that was clicked to this one. */
  toggle: (row: Row, isRange: boolean) => void;
  /** Adds these rows; those on screen if none are named. */
  selectAll: (rows?: readonly Row[]) => void;
  /** Whether every row on screen is selected. */
  isAll: boolean;
  clear: () => void;
}

/** The same one each time, so that nothing that depends on it renders again. */
const none: ReadonlyMap<number, never> = new Map<number, never>();

/** The rows that somebody ticked, on any page; a list with another `key` begins without. `listed`: those on screen. */
export function useSelection<Row extends { id: number }>(
  listed: readonly Row[] | undefined,
  key: string,
): Selection<Row> {
  const [selected, setSelected] = useState<{ key: string; rows: ReadonlyMap<number, Row> }>({ key, rows: none });
  const last = useRef<number>(undefined);
  const known = selected.key === key ? selected.rows : none;
  const latest = useRef({ listed, known, key });
  latest.current = { listed, known, key };

  const toggle = useCallback((row: Row, isRange: boolean) => {
    const { listed = [], known, key } = latest.current;
    const rows = new Map(known),
      isOn = !known.has(row.id);
    const [from, to] = [last.current, row.id].map((id) => listed.findIndex((one) => one.id === id)) as [number, number];
    const range = isRange && from >= 0 ? listed.slice(Math.min(from, to), Math.max(from, to) + 1) : [row];
    for (const one of range) {
      if (isOn) rows.set(one.id, one);
      else rows.delete(one.id);
    }
    last.current = row.id;
    setSelected({ key, rows });
  }, []);

  return {
    rows: known,
    toggle,
    selectAll: (rows = listed ?? []) =>
      setSelected({ key, rows: new Map([...known, ...rows.map((row) => [row.id, row] as const)]) }),
    isAll: !!listed?.length && listed.every(({ id }) => known.has(id)),
    clear: () => setSelected({ key, rows: none }),
  };
}

import { useRef, useState } from 'react';
import { UNDO_MS } from '../../../contract/constants';
import type { Decision, Item } from './decision';

/** The decisions that have no outcome yet. A change counts at once, also before the next render. */
export interface DecisionList<Row extends Item> {
  list: readonly Decision<Row>[];
  find: (id: number) => Decision<Row> | undefined;
  /** Those that can be undone. */
  findOpen: () => readonly Decision<Row>[];
  /** Adds a decision, or puts it in place of the earlier one about its row, whose clock stops. */
  put: (decision: Decision<Row>) => void;
  /** The same. Calls `send` when the decision can no longer be undone. */
  wait: (decision: Decision<Row>, send: () => void) => void;
  drop: (rows: readonly Row[]) => void;
}

export function useDecisionList<Row extends Item>(): DecisionList<Row> {
  const [list, setList] = useState<readonly Decision<Row>[]>([]);
  const latest = useRef(list),
    timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  const set = (next: readonly Decision<Row>[]) => setList((latest.current = next));
  const find = (id: number) => latest.current.find(({ row }) => row.id === id);
  const stop = ({ id }: Row) => clearTimeout(timers.current.get(id));
  function put(decision: Decision<Row>): void {
    stop(decision.row);
    const before = find(decision.row.id);
    set(before ? latest.current.map((one) => (one === before ? decision : one)) : [...latest.current, decision]);
  }
  return {
    list,
    find,
    findOpen: () => latest.current.filter(({ stage }) => stage !== 'sending'),
    put,
    wait(decision, send) {
      put(decision);
      timers.current.set(decision.row.id, setTimeout(send, UNDO_MS));
    },
    drop(rows) {
      rows.forEach(stop);
      set(latest.current.filter(({ row }) => !rows.some(({ id }) => id === row.id)));
    },
  };
}

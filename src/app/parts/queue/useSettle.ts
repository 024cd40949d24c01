import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import type { Status } from '../../../contract/constants';
import { isOpen } from '../../../contract/rules';
import { listen } from '../../api/listen';
import { toFieldText } from '../../api/parse';
import type { Resource } from '../../hooks/useResource';
import { useFeature, useRefusal } from '../../state/session';
import {
  type Decision,
  type Decisions,
  type Explanation,
  findHold,
  type Item,
  type SentChange,
  toSentChange,
} from './decision';
import { useClaims } from './useClaims';
import { useDecisionList } from './useDecisionList';
import type { Queue } from './useQueue';
import { useRowFocus } from './useRowFocus';
import { useSettleMany } from './useSettleMany';
import { type StatusCallOptions, useStatusCall } from './useStatusCall';
import { useSteadyRows } from './useSteadyRows';
import { keysOfControls, useTableKeys } from './useTableKeys';
import type { Watch } from './useWatch';

export interface SettleOptions extends StatusCallOptions {
  reload: () => Promise<unknown>;
  /** What is listed: while it stays the same, rows keep their places. Without it they never do. */
  list?: string;
  /** Who has which row. */
  watch?: Watch;
}

/**
 * Settles rows. The decision about a row is sent after five seconds, or at once when the list is left, when the person
 * logs out, and when the page is closed (docs/product.md, "Status changes"). Where the server offers no work queue,
 * every decision is sent at once.
 */
export function useSettle<Row extends Item>(
  given: Resource<Row[]>,
  { reload, list, watch, ...options }: SettleOptions,
): Decisions<Row> {
  const isQueue = useFeature('queue');
  const ref = useRef<HTMLDivElement>(null),
    sent = useRef(new Map<number, SentChange>());
  const decisions = useDecisionList<Row>();
  const mayDecide = useMayDecide();
  const call = useStatusCall(options, (id, { status }, answer) => sent.current.set(id, toSentChange(status, answer)));
  const { rows, ...steadyBox } = useSteadyRows(ref, given.data, list, sent.current);
  const { onFocus, ...focus } = useRowFocus(ref, rows);
  const many = useSettleMany(decisions, call, reload);
  const claims = useClaims<Row>(watch, reload);

  const rowOf = (id: number | undefined) => rows?.find((row) => row.id === id);
  const isDecidable = (row: Row | undefined): row is Row => !!row && mayDecide(row) && !decisions.find(row.id);

  function decide(row: Row | undefined, status: Status): void {
    if (status === 'pending' || !isDecidable(row)) return;
    const why = status === 'success' && findHold(row);
    if (why) return call.refuse(row, why);
    const decision: Decision<Row> = { row, status, changeReason: {}, stage: 'waiting' };
    if (!isQueue) return void send(decision);
    decisions.wait(decision, () => void send(decision));
    focus.next(row.id, (id) => isDecidable(rowOf(id)));
  }
  function undo(decision: Decision<Row> | undefined): void {
    if (!decision) return;
    decisions.drop([decision.row]);
    focus.at(decision.row.id);
  }
  function explain(decision: Decision<Row> | undefined, changeReason: Explanation = {}): void {
    if (decision) decisions.put({ ...decision, changeReason, stage: 'explaining' });
  }
  async function send(decision: Decision<Row>): Promise<void> {
    decisions.put({ ...decision, stage: 'sending' });
    const became = await call.settle(decision);
    if (became === 'explain') return explain(decision, decision.changeReason);
    if (became) await reload();
    decisions.drop([decision.row]);
  }
  useLeaving(() => decisions.findOpen().forEach((decision) => void send(decision)));

  const onTableKey = useTableKeys(ref, {
    j: () => focus.step(1),
    k: () => focus.step(-1),
    s: () => decide(rowOf(focus.here()), 'success'),
    f: () => decide(rowOf(focus.here()), 'failed'),
    ...(claims.take && { t: () => claims.toggle(rowOf(focus.here()), isDecidable) }),
    u: () => undo(decisions.findOpen().at(-1)),
    r: () => explain(decisions.findOpen().findLast(({ stage }) => stage === 'waiting')),
    ...keysOfControls(ref, focus.here),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    claims.onKey(event, rowOf(focus.here()), isDecidable);
    onTableKey(event);
  };
  const latest = useRef(decide);
  latest.current = decide;
  return {
    rows: { ...given, data: rows },
    list: decisions.list,
    planned: new Map(decisions.list.map((decision) => [decision.row.id, decision])),
    decide: useCallback((row: Row, status: Status) => latest.current(row, status), []),
    isDecidable,
    undo,
    explain,
    send(decision) {
      void send(decision);
      focus.back();
    },
    take: claims.take,
    dialog: claims.dialog,
    many,
    isQueue,
    box: { ref, onKeyDown, onFocus, ...steadyBox },
  };
}

/** Calls it when the screen is left, when the person logs out, and when the page is closed or hidden for good. */
function useLeaving(onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    const leave = () => latest.current();
    const end = listen(['pagehide', 'signout'], leave);
    return () => {
      end();
      leave();
    };
  }, []);
}

/** Whether a row is open and this person has the permission for its decision. */
function useMayDecide(): (row: Item) => boolean {
  const ofPurchases = useRefusal('queue'),
    ofRedeems = useRefusal('payouts');
  return (row) => isOpen(toFieldText(row.status)) && ('transaction_type' in row ? ofPurchases : ofRedeems) === null;
}

/** The decisions about the rows of a work queue. */
export const useQueueDecisions = <Row extends Item>(queue: Queue<Row>, options: StatusCallOptions): Decisions<Row> =>
  useSettle(queue.rows, { ...options, list: JSON.stringify(queue.query), reload: queue.reload, watch: queue.watch });

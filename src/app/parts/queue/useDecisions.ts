import { useCallback, useEffect, useRef, useState } from 'react';
import type { Status } from '../../../contract/constants';
import type { ChangeReason } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { useApi, useFeature, useRefusal } from '../../state/session';
import { reloadFigures } from '../reloadFigures';
import { type ShownReport, useBatches } from './useBatches';
import { type Item, type Leaving, type OutcomeOptions, useOutcome, type Verdict } from './useOutcome';
import { type RowFocus, useRowFocus } from './useRowFocus';
import type { SteadyBox } from './useSteadyRows';
import { useUndoClock } from './useUndoClock';

/** Somebody has decided a row: `waiting` can be undone, `explaining` waits for its reason, `sending` is on its way. */
export interface Decision<Row extends Item> extends Verdict<Row> {
  stage: 'waiting' | 'explaining' | 'sending';
  /** Shared by rows that were decided together: they wait, are undone, explained and sent together. */
  batch?: number | undefined;
}

export interface DecisionOptions extends OutcomeOptions {
  reload: () => Promise<unknown>;
  /** In place of `reload`, once the list was left. */
  onLeft?: () => unknown;
}

export interface Decisions<Row extends Item> {
  list: readonly Decision<Row>[];
  /** By the id of the row. */
  planned: ReadonlyMap<number, Decision<Row>>;
  /** Mouse, keyboard and touch decide by this. It never changes, so memoized rows do not render again. */
  decide: (row: Row, status: Status) => void;
  /** Decides several rows together. Rows that are settled or on hold stay as they are. */
  decideAll: (rows: readonly Row[], status: Status) => void;
  /** Whether the person has the permission for it. */
  mayDecide: (row: Row) => boolean;
  undo: (decision: Decision<Row>) => void;
  /** Stops the clock, and keeps the reason that is typed. */
  explain: (decision: Decision<Row>, changeReason: ChangeReason) => void;
  send: (decision: Decision<Row>) => void;
  /** What became of the rows that were decided together last. */
  report: ShownReport | null;
  showReport: (isShown: boolean) => void;
  /** Sends those again that were not reached, and those whose answer was lost. */
  again: () => void;
  /** Whether a decision waits five seconds before it is sent; undefined if the server offers no work queue. */
  waits: boolean | undefined;
  setWaits: (waits: boolean) => void;
  /** Props of the element around the table, whose rows have `data-id`. */
  box: RowFocus['box'] & Partial<SteadyBox>;
}

/**
 * Decides rows: each decision is sent when it can no longer be undone, five seconds later or when the list is left
 * (docs/product.md, "Status changes"). Where the server offers no work queue, or the person wants no undo, it is sent
 * at once.
 */
export function useDecisions<Row extends Item>(
  rows: readonly Row[] | undefined,
  { reload, onLeft, ...options }: DecisionOptions,
): Decisions<Row> {
  const api = useApi();
  const isQueue = useFeature('queue');
  const [list, setList] = useState<readonly Decision<Row>[]>([]);
  const latest = useRef(list);
  const isHere = useRef(true);
  const clock = useUndoClock();
  const outcomes = useOutcome(options);
  const batches = useBatches<Decision<Row>>(outcomes, isHere);
  /** Counts down: as the keys of clocks they are not taken for rows. */
  const lastBatch = useRef(0);

  const update = (next: readonly Decision<Row>[]) => setList((latest.current = next));
  const isIn = (all: readonly Decision<Row>[], { id }: Item) => all.some(({ row }) => row.id === id);
  const change = (all: readonly Decision<Row>[], patch: Partial<Decision<Row>>) =>
    update(latest.current.map((one) => (all.includes(one) ? { ...one, ...patch } : one)));
  const toKey = ({ row, batch = row.id }: Decision<Row>) => batch;
  /** Not a later decision about the same row. */
  const isSame = (one: Decision<Row>, other: Decision<Row>) =>
    one.row.id === other.row.id && toKey(one) === toKey(other);
  const remove = (all: readonly Decision<Row>[]) =>
    update(latest.current.filter((one) => !all.some((other) => isSame(one, other))));
  /** Those that were decided together with this one, and this one, unless they are on their way. */
  const together = (decision: Decision<Row>) =>
    latest.current.filter((one) => toKey(one) === toKey(decision) && one.stage !== 'sending');

  const ofPurchases = useRefusal('queue'),
    ofRedeems = useRefusal('payouts');
  const mayDecide = (row: Row) => ('transaction_type' in row ? ofPurchases : ofRedeems) === null;
  const isDecidable = (row: Row | undefined) =>
    row !== undefined && isOpen(row.status) && mayDecide(row) && !isIn(latest.current, row);

  const focus = useRowFocus(rows, {
    isDecidable,
    onVerdict: (row, status) => decide(row, status),
    onUndo: () => {
      const last = latest.current.findLast(({ stage }) => stage !== 'sending');
      if (last) undo(last);
    },
    onExplain: () => {
      const last = latest.current.findLast(({ stage }) => stage === 'waiting');
      if (last) explain(last, {});
    },
  });

  function plan(rows: readonly [Row, ...Row[]], status: Status, batch?: number): void {
    const toDecision = (row: Row): Decision<Row> => ({ row, status, changeReason: {}, stage: 'waiting', batch });
    const first = toDecision(rows[0]);
    update([...latest.current, first, ...rows.slice(1).map(toDecision)]);
    clock.start(toKey(first), () => void send(first));
  }

  function decide(row: Row, status: Status): void {
    if (!isDecidable(row) || status === 'pending') return;
    if (status === 'success' && row.payout_hold) return outcomes.onHold(row, row.payout_hold);
    if (status === 'success' && row.approval?.refusal) return outcomes.refuse(row, row.approval.refusal);
    plan([row], status);
    if (isQueue) focus.next(row.id);
  }

  function decideAll(rows: readonly Row[], status: Status): void {
    const [first, ...others] = rows.filter((row) => isDecidable(row) && !(status === 'success' && row.payout_hold));
    if (first && status !== 'pending') plan([first, ...others], status, --lastBatch.current);
  }

  function undo(decision: Decision<Row>): void {
    clock.stop(toKey(decision));
    remove(together(decision));
    focus.at(decision.row.id);
  }

  function explain(decision: Decision<Row>, changeReason: ChangeReason): void {
    clock.stop(toKey(decision));
    change(together(decision), { changeReason, stage: 'explaining' });
  }

  /** They have their outcome: loads what they have changed, and lets them go. */
  async function end(all: readonly Decision<Row>[]): Promise<void> {
    if (isHere.current) await reload();
    else if (onLeft) onLeft();
    else reloadFigures(api);
    remove(all);
  }

  /** Sends it with those that were decided together with it. */
  async function send(decision: Decision<Row>, leaving?: Leaving): Promise<void> {
    clock.stop(toKey(decision));
    const all = together(decision);
    const [one] = all;
    if (!one) return;
    change(all, { stage: 'sending' });
    if (one.batch !== undefined) await batches.send(all, leaving);
    else if ((await outcomes.send(one, leaving)) === 'failed') return remove(all);
    await end(all);
  }

  async function again(): Promise<void> {
    const batch = --lastBatch.current;
    const ended = batches.takeRest(
      (one) => !latest.current.some((other) => other.row.id === one.row.id && !isSame(other, one)),
    );
    remove(ended);
    const rest = ended.map((one): Decision<Row> => ({ ...one, stage: 'sending', batch }));
    update([...latest.current, ...rest]);
    await batches.send(rest, undefined, batches.report?.lines);
    await end(rest);
  }

  const flush = (leaving: Leaving) =>
    Promise.all([
      leaving === 'page' && batches.hurry(),
      ...latest.current.filter(({ stage }) => stage !== 'sending').map((decision) => send(decision, leaving)),
    ]);
  const now = useRef({ decide, flush });
  now.current = { decide, flush };
  useEffect(() => {
    isHere.current = true;
    const leave = () => void now.current.flush('page');
    const signOut = (event: CustomEvent<Promise<unknown>[]>) => void event.detail.push(now.current.flush('page'));
    addEventListener('pagehide', leave); // the browser may show this page again, where Undo would come too late
    addEventListener('signout', signOut);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('signout', signOut);
      isHere.current = false;
      void now.current.flush('list');
    };
  }, []);

  return {
    list,
    planned: new Map(list.map((decision) => [decision.row.id, decision])),
    decide: useCallback((row, status) => now.current.decide(row, status), []),
    decideAll,
    mayDecide,
    undo,
    explain,
    send: (decision) => {
      void send(decision);
      focus.back();
    },
    report: batches.report,
    showReport: batches.showReport,
    again: () => void again(),
    waits: clock.waits,
    setWaits: clock.setWaits,
    box: focus.box,
  };
}

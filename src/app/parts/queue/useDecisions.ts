import { useCallback, useEffect, useRef, useState } from 'react';
import { type Status, UNDO_MS } from '../../../contract/constants';
import type { ChangeReason, StatusForm } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import type { SendOptions } from '../../api/client';
import { isObject, toText } from '../../api/parse';
import { useApi, useFeature, useRefusal } from '../../state/session';
import { hasUndo, saveUndo } from '../../state/undo';
import { formatCount } from '../../ui/formatCount';
import { statusLabels } from '../../ui/StatusSelect';
import { type BulkLine, canRetry, mergeLines, type Report, workThrough } from '../bulk/report';
import { cleanReason } from '../formatReason';
import { reloadFigures } from '../reloadFigures';
import { type Item, isFirstOfTwo, useOutcome } from './useOutcome';
import { type RowFocus, useRowFocus } from './useRowFocus';
import type { SentChange, SteadyBox } from './useSteadyRows';

/** Somebody has decided a row: `waiting` can be undone, `explaining` waits for its reason, `sending` is on its way. */
export interface Decision<Row> {
  row: Row;
  status: Status;
  changeReason: ChangeReason;
  stage: 'waiting' | 'explaining' | 'sending';
  /** Shared by rows that were decided together: they wait, are undone, explained and sent together. */
  batch?: number;
}

export interface DecisionOptions {
  change: (input: { id: number; body: StatusForm }, options?: SendOptions) => Promise<unknown>;
  done: string | ((row: Item) => string);
  failed: string;
  reload: () => Promise<unknown>;
  /** In place of `reload`, once the list was left. */
  onLeft?: () => unknown;
  /** What the decision has changed in its row. */
  onSent?: (id: number, change: SentChange) => void;
}

export interface Decisions<Row> {
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

interface ShownReport extends Report {
  isShown: boolean;
}

const toSentChange = (status: Status, answer: unknown): SentChange => ({
  status: isFirstOfTwo(status, answer) ? 'pending' : status,
  ...(isObject(answer) && { completed_at: toText(answer.completed_at) }),
});

/**
 * Decides rows: each decision is sent when it can no longer be undone, five seconds later or when the list is left
 * (docs/product.md, "Status changes"). Where the server offers no work queue, or the person wants no undo, it is sent
 * at once.
 */
export function useDecisions<Row extends Item>(
  rows: readonly Row[] | undefined,
  { change, done, failed, reload, onLeft, onSent }: DecisionOptions,
): Decisions<Row> {
  const api = useApi();
  const isQueue = useFeature('queue');
  const [waits, setWaits] = useState(() => (isQueue ? hasUndo() : undefined));
  const [list, setList] = useState<readonly Decision<Row>[]>([]);
  const latest = useRef(list);
  /** By the id of the row; of rows decided together by minus their batch. */
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  const batches = useRef(0);
  const isHere = useRef(true);
  const [report, setReport] = useState<ShownReport | null>(null);
  const toRetry = useRef<readonly Decision<Row>[]>([]);
  const outcome = useOutcome({ done, failed });

  const update = (next: readonly Decision<Row>[]) => setList((latest.current = next));
  const find = (id: number) => latest.current.find(({ row }) => row.id === id);
  const replace = (next: Decision<Row>) =>
    update(latest.current.map((old) => (old.row.id === next.row.id ? next : old)));
  const remove = (id: number) => {
    clearTimeout(timers.current.get(id));
    update(latest.current.filter(({ row }) => row.id !== id));
  };
  const ofPurchases = useRefusal('queue'),
    ofRedeems = useRefusal('payouts');
  const mayDecide = (row: Row) => ('transaction_type' in row ? ofPurchases : ofRedeems) === null;
  const isDecidable = (row: Row | undefined) =>
    row !== undefined && isOpen(row.status) && mayDecide(row) && !find(row.id);

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

  function decide(row: Row, status: Status): void {
    if (!isDecidable(row) || status === 'pending') return;
    if (status === 'success' && row.payout_hold) return outcome.onHold(row, row.payout_hold);
    if (status === 'success' && row.approval?.refusal) return outcome.refuse(row, row.approval.refusal);
    update([...latest.current, { row, status, changeReason: {}, stage: 'waiting' }]);
    if (waits)
      timers.current.set(
        row.id,
        setTimeout(() => void send(row.id), UNDO_MS),
      );
    else void send(row.id);
    if (isQueue) focus.next(row.id);
  }

  function decideAll(rows: readonly Row[], status: Status): void {
    const open = rows.filter((row) => isDecidable(row) && !(status === 'success' && row.payout_hold));
    if (status === 'pending' || open.length === 0) return;
    const batch = ++batches.current;
    update([
      ...latest.current,
      ...open.map((row): Decision<Row> => ({ row, status, changeReason: {}, stage: 'waiting', batch })),
    ]);
    if (waits)
      timers.current.set(
        -batch,
        setTimeout(() => void sendBatch(batch), UNDO_MS),
      );
    else void sendBatch(batch);
  }
  /** Those that were decided together with this one, and this one. */
  const together = ({ row, batch }: Decision<Row>) =>
    latest.current.filter((one) => (batch === undefined ? one.row.id === row.id : one.batch === batch));
  const stopClock = ({ row, batch }: Decision<Row>) =>
    clearTimeout(timers.current.get(batch === undefined ? row.id : -batch));

  function undo(decision: Decision<Row>): void {
    stopClock(decision);
    for (const { row } of together(decision)) remove(row.id);
    focus.at(decision.row.id);
  }

  function explain(decision: Decision<Row>, changeReason: ChangeReason): void {
    stopClock(decision);
    for (const one of together(decision)) replace({ ...one, changeReason, stage: 'explaining' });
  }

  async function reloadAll(): Promise<void> {
    if (isHere.current) await reload();
    else if (onLeft) onLeft();
    else reloadFigures(api);
  }

  async function sendBatch(batch: number, isLeaving = false): Promise<void> {
    const all = latest.current.filter((one) => one.batch === batch && one.stage !== 'sending');
    clearTimeout(timers.current.get(-batch));
    for (const one of all) replace({ ...one, stage: 'sending' });
    if (isLeaving) await sendAtOnce(all);
    else await sendInOrder(all, []);
  }

  /** One after another, so that a line that breaks leaves it clear which were reached; a report says so of each row. */
  async function sendInOrder(all: readonly Decision<Row>[], before: readonly BulkLine[]): Promise<void> {
    const [first] = all;
    if (!first) return;
    const toBulkRow = ({ row: { id, user_email, amount } }: Decision<Row>) => ({ id, email: user_email, amount });
    const lines = await workThrough(all, toBulkRow, async ({ row, status, changeReason }) => {
      const body = { status, ...cleanReason(changeReason) };
      const result = await outcome.quietly(row, body, (options) => change({ id: row.id, body }, options));
      if (result.is === 'done') onSent?.(row.id, toSentChange(status, result.answer));
      return result;
    });
    const [one, ...others] = all.filter((_, n) => lines[n]?.is === 'done').map(({ row }) => row);
    if (one) outcome.sayAll([one, ...others], first.status, false);
    toRetry.current = all.filter((_, n) => lines[n] && canRetry(lines[n]));
    const merged = mergeLines(before, lines);
    const title = `Set ${formatCount(merged.length)} to ${statusLabels[first.status]}`;
    setReport({
      title,
      lines: merged,
      isRunning: false,
      isShown: before.length > 0 || lines.some(({ is }) => is !== 'done'),
    });
    await reloadAll();
    for (const { row } of all) remove(row.id);
  }

  function again(): void {
    const batch = ++batches.current;
    const rest = toRetry.current.map((one): Decision<Row> => ({ ...one, stage: 'sending', batch }));
    const known = rest.map(({ row }) => row.id);
    update([...latest.current.filter(({ row }) => !known.includes(row.id)), ...rest]);
    setReport((old) => old && { ...old, isRunning: true });
    void sendInOrder(rest, report?.lines ?? []);
  }

  /** A page that is being left has no time for one after another. What worked is said once. */
  async function sendAtOnce(all: readonly Decision<Row>[]): Promise<void> {
    const [first] = all;
    if (!first) return;
    const settled: Row[] = [];
    const sendOne = async ({ row, status, changeReason }: Decision<Row>) => {
      const body = { status, ...cleanReason(changeReason) };
      const result = await outcome.send(row, body, { isLeaving: true, isQuiet: true }, (options) =>
        change({ id: row.id, body }, { ...options, keepalive: true }),
      );
      if (result.is !== 'done') return;
      settled.push(row);
      onSent?.(row.id, toSentChange(status, result.answer));
    };
    await Promise.all(all.map(sendOne));
    const [one, ...others] = settled;
    if (one) outcome.sayAll([one, ...others], first.status, true);
    await reloadAll();
    for (const { row } of all) remove(row.id);
  }

  async function send(id: number, isLeaving = false): Promise<void> {
    const decision = find(id);
    if (!decision || decision.stage === 'sending') return;
    clearTimeout(timers.current.get(id));
    replace({ ...decision, stage: 'sending' });
    const { row, status, changeReason } = decision;
    const body = { status, ...cleanReason(changeReason) };
    const result = await outcome.send(row, body, { isLeaving }, (options) =>
      change({ id, body }, isLeaving ? { ...options, keepalive: true } : options),
    );
    if (result.is === 'done') onSent?.(id, toSentChange(status, result.answer));
    if (result.is !== 'failed') await reloadAll();
    remove(id);
  }

  const flush = () =>
    Promise.all(
      latest.current
        .filter(({ stage }) => stage !== 'sending')
        .map(({ row, batch }) => (batch === undefined ? send(row.id, true) : sendBatch(batch, true))),
    );
  const now = useRef({ decide, flush });
  now.current = { decide, flush };
  useEffect(() => {
    isHere.current = true;
    const leave = () => void now.current.flush();
    const signOut = (event: CustomEvent<Promise<unknown>[]>) => void event.detail.push(now.current.flush());
    addEventListener('pagehide', leave); // the browser may show this page again, where Undo would come too late
    addEventListener('signout', signOut);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('signout', signOut);
      isHere.current = false;
      leave();
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
      void (decision.batch === undefined ? send(decision.row.id) : sendBatch(decision.batch));
      focus.back();
    },
    report,
    showReport: (isShown) => setReport((old) => old && { ...old, isShown }),
    again,
    waits,
    setWaits: (next) => {
      saveUndo(next);
      setWaits(next);
    },
    box: focus.box,
  };
}

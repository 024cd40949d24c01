import { ACCOUNT_NEEDED, UNKNOWN_OUTCOME } from '../../../contract/constants';
import type { StatusForm } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { ApiError, type SendOptions } from '../../api/client';
import type { AppApi } from '../../api/createApi';
import { isUnknownOutcome, UNKNOWN } from '../../api/repeat';
import { getDetail } from '../../hooks/useErrorToast';
import { UNKNOWN_MS, useRepeats } from '../../hooks/useRepeats';
import { useApi, useFeature } from '../../state/session';
import { storedToken } from '../../state/storage';
import { sayWhenSlow, useToast } from '../../state/toasts';
import { formatStatus, statusLabels } from '../../ui/StatusSelect';
import { cleanReason } from '../formatReason';
import { type Decision, describe, describeAll, type Item, isFirstOfTwo, type Verdict } from './decision';

export interface StatusCallOptions {
  change: (input: { id: number; body: StatusForm }, options?: SendOptions) => Promise<unknown>;
  done: string | ((row: Item) => string);
}

const FAILED = 'Failed to update status';

export interface StatusCall {
  send: (row: Item, verdict: Verdict) => Promise<unknown>;
  /**
   * Sends it and tells what became of it. Resolves to whether the list shows what is no longer so, or to 'explain' if
   * it lacks what is asked with the reason.
   */
  settle: (decision: Decision) => Promise<boolean | 'explain'>;
  /** 'already set to Success by ann@acme.test', if somebody has decided the row meanwhile. */
  findDecision: (error: unknown, row: Item) => Promise<string | undefined>;
  /** Of rows that were set together. */
  tellAllDone: (rows: readonly Item[], status: Verdict['status']) => void;
  /** Tells that it cannot become success, for this reason. */
  refuse: (row: Item, why: string) => void;
}

/** The row is not as listed: somebody else was first, or it is not known what it is. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === UNKNOWN_OUTCOME ? error.status !== 401 : [404, 409].includes(error.status));

async function findDecision(api: AppApi, error: unknown, { id }: Item): Promise<string | undefined> {
  if (!storedToken() || !(error instanceof ApiError) || error.status !== 409) return undefined;
  const found = await api.getTransactionDetails({ id }).catch(() => null);
  if (!found || isOpen(String(found.status))) return undefined;
  return `already set to ${formatStatus(found.status)} by ${found.decided_by ?? 'somebody else'}`;
}

/**
 * The call that sets the status of a row, and what is told of it: whose row it was, and the server's reason or who was
 * first. `onSent` gets its answer.
 */
export function useStatusCall(
  { change, done }: StatusCallOptions,
  onSent: (id: number, verdict: Verdict, answer: unknown) => void,
): StatusCall {
  const api = useApi(),
    toast = useToast(),
    repeats = useRepeats();
  const isQueue = useFeature('queue'),
    hasDetails = useFeature('details');
  const doneFor = (row: Item) => (typeof done === 'string' ? done : done(row));
  const keyOf = (row: Item) => `status ${row.id}`;
  const find = async (error: unknown, row: Item) => (hasDetails ? findDecision(api, error, row) : undefined);

  /** The call goes on after the page is closed. */
  async function send({ id }: Item, verdict: Verdict): Promise<unknown> {
    if (isQueue && !storedToken()) throw new Error('The session has ended.');
    const { status, changeReason } = verdict;
    const { account_id } = changeReason;
    const body = { status, ...cleanReason(changeReason), ...(account_id !== undefined && { account_id }) };
    const call = (options: SendOptions) => change({ id, body }, { ...options, keepalive: true });
    const answer = await repeats({ of: id, input: body, call });
    onSent(id, verdict, answer);
    return answer;
  }

  function tellDone(row: Item, { status }: Verdict, answer: unknown): void {
    const isFirst = isFirstOfTwo(status, answer);
    const detail = isFirst
      ? `${describe(row)} is ${'transaction_type' in row ? 'credited' : 'paid out'} when a second person approves it, too`
      : `${describe(row)}: ${statusLabels[status]}`;
    toast.success(isFirst ? 'Approved, 1 of 2' : doneFor(row), { of: keyOf(row), ...(isQueue && { detail }) });
  }

  async function tellFailed(error: unknown, row: Item): Promise<void> {
    const of = keyOf(row);
    if (isUnknownOutcome(error))
      return void toast.error(UNKNOWN, { of, ms: UNKNOWN_MS, ...(isQueue && { detail: describe(row) }) });
    const detail = isQueue ? await explain(error, row) : getDetail(error);
    if (isQueue || storedToken()) toast.error(FAILED, { of, detail });
  }

  async function explain(error: unknown, row: Item): Promise<string> {
    if (!storedToken()) return `${describe(row)} was not sent, because your session has ended.`;
    const [decision, detail] = [await find(error, row), getDetail(error)];
    return decision ? `${describe(row)} was ${decision}` : `${describe(row)}${detail ? `: ${detail}` : ''}`;
  }

  return {
    send,
    async settle({ row, ...verdict }) {
      const answered = sayWhenSlow(toast);
      try {
        tellDone(row, verdict, await send(row, verdict));
        return true;
      } catch (error) {
        await tellFailed(error, row);
        return isQueue && error instanceof ApiError && error.code === ACCOUNT_NEEDED ? 'explain' : isOutdated(error);
      } finally {
        answered();
      }
    },
    findDecision: find,
    tellAllDone(rows, status) {
      const detail = `${describeAll(rows)}: ${statusLabels[status]}`;
      if (rows[0]) toast.success(doneFor(rows[0]), { of: rows, detail });
    },
    refuse: (row, why) => toast.error(FAILED, { of: keyOf(row), detail: `${describe(row)}: ${why}` }),
  };
}

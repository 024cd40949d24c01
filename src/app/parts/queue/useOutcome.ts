import type { Status } from '../../../contract/constants';
import type { ChangeReason, StatusForm } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { ApiError, type SendOptions } from '../../api/client';
import { isObject, orDash, toText } from '../../api/parse';
import { isUnknownOutcome, UNKNOWN } from '../../api/repeat';
import { getDetail } from '../../hooks/useErrorToast';
import { UNKNOWN_MS, useRepeats } from '../../hooks/useRepeats';
import { useApi, useFeature } from '../../state/session';
import { storedToken } from '../../state/storage';
import { sayWhenSlow, useToast } from '../../state/toasts';
import { formatCount } from '../../ui/formatCount';
import { usd } from '../../ui/Money';
import { formatStatus, statusLabels } from '../../ui/StatusSelect';
import { type Result, toResult } from '../bulk/report';
import { cleanReason } from '../formatReason';
import { addAmounts } from '../table/formatSums';
import { reloadPendingCounts } from '../usePendingCounts';
import type { SentChange } from './useSteadyRows';

/** A row that can be decided. */
export interface Item {
  id: number;
  status: string;
  user_email: string;
  amount: number;
  payout_hold?: string | null;
  /** One of two people has approved it. */
  approval?: { refusal: string | null } | undefined;
}

/** What somebody has decided about a row. */
export interface Verdict<Row extends Item = Item> {
  row: Row;
  status: Status;
  changeReason: ChangeReason;
}

export interface OutcomeOptions {
  change: (input: { id: number; body: StatusForm }, options?: SendOptions) => Promise<unknown>;
  done: string | ((row: Item) => string);
  failed: string;
  /** What the decision has changed in its row. */
  onSent?: (id: number, change: SentChange) => void;
}

/** Whether a decision is the first of two: the server keeps what was set to success pending. */
const isFirstOfTwo = (status: Status, answer: unknown): boolean =>
  status === 'success' && isObject(answer) && answer.status === 'pending';

const toSentChange = (status: Status, answer: unknown): SentChange => ({
  status: isFirstOfTwo(status, answer) ? 'pending' : status,
  ...(isObject(answer) && { completed_at: toText(answer.completed_at) }),
});

/** The list is left for another screen, or the page is: it is closed, or somebody logs out, and nothing may wait. */
export type Leaving = 'list' | 'page';
const SENT_ON_LEAVING = '. It was sent because you left the list.';

/** Whose row it is, and how much: 'pam@mail.test, $20.00'. */
export const describe = ({ user_email, amount }: Pick<Item, 'user_email' | 'amount'>): string =>
  `${orDash(user_email)}, ${usd(amount)}`;

/** '12 selected, $310.00' */
export const describeAll = (rows: readonly Pick<Item, 'amount'>[]): string =>
  `${formatCount(rows.length)} selected, ${usd(addAmounts(rows.map(({ amount }) => amount)))}`;

/** Sends decisions and says what came of each: whose it was, and the server's reason or who decided it before. */
export function useOutcome({ change, done, failed, onSent }: OutcomeOptions) {
  const api = useApi();
  const toast = useToast();
  const repeats = useRepeats();
  const isQueue = useFeature('queue'),
    hasDetails = useFeature('details');

  /** 'already set to Success by ann@acme.test', if somebody has decided the row meanwhile. */
  async function findDecision(error: unknown, row: Item): Promise<string | undefined> {
    if (!hasDetails || !storedToken() || !(error instanceof ApiError) || error.status !== 409) return undefined;
    const found = await api.getTransactionDetails({ id: row.id }).catch(() => null);
    if (!found || isOpen(String(found.status))) return undefined;
    return `already set to ${formatStatus(found.status)} by ${found.decided_by ?? 'somebody else'}`;
  }

  /** The second line of a refusal. */
  async function explain(error: unknown, row: Item): Promise<string | undefined> {
    const detail = getDetail(error);
    if (!isQueue) return detail;
    if (!storedToken()) return `${describe(row)} was not sent, because your session has ended.`;
    const decision = await findDecision(error, row);
    if (decision) return `${describe(row)} was ${decision}`;
    return detail ? `${describe(row)}: ${detail}` : describe(row);
  }

  /** The call goes on after the page is closed. With `isLast` it is not repeated. */
  async function call({ row: { id }, status, changeReason }: Verdict, isLast: boolean): Promise<unknown> {
    const body = { status, ...cleanReason(changeReason) };
    const answer = await repeats({
      of: id,
      input: body,
      call: (options) => change({ id, body }, { ...options, keepalive: true }),
      isLast,
    });
    onSent?.(id, toSentChange(status, answer));
    return answer;
  }

  const doneFor = (row: Item) => (typeof done === 'string' ? done : done(row));

  return {
    /** `done`, or why not: `outdated` if the list shows what is no longer so. */
    async send(verdict: Verdict, leaving?: Leaving): Promise<'done' | 'outdated' | 'failed'> {
      const { row, status } = verdict;
      const of = `status ${row.id}`;
      const answered = sayWhenSlow(toast);
      try {
        if (isQueue && !storedToken()) throw new Error('The session has ended.');
        const isFirst = isFirstOfTwo(status, await call(verdict, leaving === 'page'));
        if (leaving) reloadPendingCounts(api);
        const what = isFirst
          ? `${describe(row)} is paid out when a second person approves it, too`
          : `${describe(row)}: ${statusLabels[status]}`;
        toast.success(isFirst ? 'Approved, 1 of 2' : doneFor(row), {
          of,
          ...(isQueue && { detail: leaving ? what + SENT_ON_LEAVING : what }),
        });
        return 'done';
      } catch (error) {
        if (isUnknownOutcome(error)) {
          toast.error(UNKNOWN, { of, ms: UNKNOWN_MS, ...(isQueue && { detail: describe(row) }) });
          return error.status === 401 ? 'failed' : 'outdated';
        }
        const detail = await explain(error, row);
        if (isQueue || storedToken()) toast.error(failed, { of, detail });
        return error instanceof ApiError && [404, 409].includes(error.status) ? 'outdated' : 'failed';
      } finally {
        answered();
      }
    },

    /** The same without a message, for a report. */
    async quietly(verdict: Verdict, isLast: boolean): Promise<Result> {
      const answered = sayWhenSlow(toast);
      try {
        if (isQueue && !storedToken()) return { is: 'waiting', why: 'Your session has ended.' };
        await call(verdict, isLast);
        return { is: 'done' };
      } catch (error) {
        const decision = await findDecision(error, verdict.row);
        return decision ? { is: 'refused', why: decision.replace(/^a/, 'A') } : toResult(error);
      } finally {
        answered();
      }
    },

    /** After several rows were sent quietly. */
    sayAll(rows: readonly Item[], status: Status, isLeft: boolean) {
      if (rows[0])
        toast.success(doneFor(rows[0]), {
          of: rows,
          detail: `${describeAll(rows)}: ${statusLabels[status]}${isLeft ? SENT_ON_LEAVING : ''}`,
        });
    },

    /** It cannot become success, for this reason. */
    refuse: (row: Item, why: string) =>
      toast.error(failed, { of: `status ${row.id}`, detail: `${describe(row)}: ${why}` }),

    onHold: (row: Item, why: string) =>
      toast.error(failed, { of: `status ${row.id}`, detail: `${describe(row)}: payouts are on hold. ${why}` }),
  };
}

export type Outcomes = ReturnType<typeof useOutcome>;

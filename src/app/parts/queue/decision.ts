/** What somebody has decided about a row, and the words for it. */
import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from 'react';
import type { Status } from '../../../contract/constants';
import type { ChangeReason } from '../../../contract/entities';
import { isObject, orDash, toText } from '../../api/parse';
import type { Resource } from '../../hooks/useResource';
import { formatCount } from '../../ui/formatCount';
import { usd } from '../../ui/Money';
import type { Bulk } from '../bulk/useBulk';
import { addAmounts } from '../table/formatSums';
import type { Claimed, TakeHow } from './claim';

/** A row that can be decided. */
export interface Item extends Claimed {
  id: number;
  tenant_id?: number | undefined;
  status: string;
  user_email: string;
  amount: number;
  payout_hold?: string | null;
  /** One of two people has approved it. */
  approval?: { refusal: string | null } | undefined;
}

/** Why, and which account of the tenant is paid in to or out of. */
export type Explanation = ChangeReason & { account_id?: number | undefined };

export interface Verdict {
  status: Status;
  changeReason: Explanation;
}

/** `waiting` can be undone, `explaining` waits for its reason, `sending` is on its way. A row has one at most. */
export interface Decision<Row extends Item = Item> extends Verdict {
  row: Row;
  stage: 'waiting' | 'explaining' | 'sending';
}

/** What a decision that was sent has changed in its row. */
export interface SentChange {
  status: Status;
  completed_at?: string;
}

/** Rows, the decisions about them, and the keys for it. */
export interface Decisions<Row extends Item> {
  /** In the order on screen. */
  rows: Resource<Row[]>;
  list: readonly Decision<Row>[];
  /** By the id of the row. */
  planned: ReadonlyMap<number, Decision<Row>>;
  /** Mouse, keyboard and touch decide by this. It never changes, so memoized rows do not render again. */
  decide: (row: Row, status: Status) => void;
  /** Whether the row waits for a decision that this person may make. */
  isDecidable: (row: Row) => boolean;
  undo: (decision: Decision<Row>) => void;
  /** Stops the clock, and keeps the reason that is typed. */
  explain: (decision: Decision<Row>, changeReason: Explanation) => void;
  send: (decision: Decision<Row>) => void;
  /** Takes a row, gives it back or takes it over; undefined if the server knows no such thing. */
  take: ((row: Row, how: TakeHow) => void) | undefined;
  /** What is asked about it. */
  dialog: ReactNode;
  /** Sets several rows at once, without Undo. */
  many: Bulk<Row, Verdict>;
  /** The server offers a work queue: decisions can be undone, and the rows have keys. */
  isQueue: boolean;
  /** Props of the element around the table, whose rows have `data-id`. */
  box: {
    ref: RefObject<HTMLDivElement | null>;
    onFocus: (event: FocusEvent) => void;
    onBlur: (event: FocusEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onPointerLeave: () => void;
  };
}

/** What one row needs of them. */
export interface Deciding<Row extends Item> {
  planned: ReadonlyMap<number, Pick<Decision, 'status' | 'stage'>>;
  decide(row: Row, status: Status): void;
}

/** Why this row cannot become success. */
export const findHold = ({ payout_hold, approval }: Item): string | null | undefined =>
  payout_hold ? `payouts are on hold. ${payout_hold}` : approval?.refusal;

/** Whether a decision is the first of two: the server keeps what was set to success pending. */
export const isFirstOfTwo = (status: Status, answer: unknown): boolean =>
  status === 'success' && isObject(answer) && answer.status === 'pending';

export const toSentChange = (status: Status, answer: unknown): SentChange => ({
  status: isFirstOfTwo(status, answer) ? 'pending' : status,
  ...(isObject(answer) && { completed_at: toText(answer.completed_at) }),
});

/** Whose row it is, and how much: 'pam@mail.test, $20.00'. */
export const describe = ({ user_email, amount }: Pick<Item, 'user_email' | 'amount'>): string =>
  `${orDash(user_email)}, ${usd(amount)}`;

/** The sum of several rows: '$310.00'. */
export const sumOf = (rows: readonly Pick<Item, 'amount'>[]): string =>
  usd(addAmounts(rows.map(({ amount }) => amount)));

/** '12 selected, $310.00' */
export const describeAll = (rows: readonly Pick<Item, 'amount'>[]): string =>
  `${formatCount(rows.length)} selected, ${sumOf(rows)}`;

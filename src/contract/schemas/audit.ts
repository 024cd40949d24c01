import * as v from 'valibot';
import { auditKinds } from '../constants';
import { date, given, givenReason, id, instant, maybe, number, oneOf, string, text } from './fields';

export const AuditQuery = v.object({
  tenant_id: given(id),
  /** Matches a part of the e-mail. */
  person: given(text(254)),
  /** 'change' is all but sign-ins. */
  kind: given(oneOf([...auditKinds, 'change'])),
  object_id: given(text(100)),
  player_id: given(id),
  /** The first and the last business day. */
  from: given(date),
  to: given(date),
  /** The last page's `next_cursor`. */
  cursor: given(id),
});
export type AuditQuery = v.InferOutput<typeof AuditQuery>;

const changed = maybe(v.record(string, v.unknown()));
/** One write, or one failed sign-in. */
export const AuditEntry = v.object({
  id: number,
  at: instant,
  /** Null for a failed sign-in. */
  admin_id: maybe(number),
  /** Empty when the account is unknown. */
  email: string,
  address: string,
  call: string,
  kind: string,
  object_id: maybe(string),
  player_id: maybe(number),
  /** Null for a player who was deleted. */
  player_email: maybe(string),
  tenant_id: maybe(number),
  before: changed,
  after: changed,
  ...givenReason,
  request_id: string,
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

export const AuditPage = v.object({ entries: v.array(AuditEntry), next_cursor: maybe(number) });

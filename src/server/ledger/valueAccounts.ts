/** Where the money of a tenant is: which account a settlement moves, in whose shift, and what moves by hand. */
import { ACCOUNT_NEEDED } from '../../contract/constants';
import { notFound, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import type { Decider } from './approvals';
import { findPlatform, findProcessor } from './processors';

export type AccountKind = 'cash' | 'credits';

/** A payment or payout method, or a platform, as an account keeps it: however it is written, it is the same. */
export const toAccountMethod = (kind: AccountKind, method: string): string =>
  (kind === 'cash' ? findProcessor(method) : findPlatform(method)) ?? method.trim().toLowerCase();

export interface Wanted {
  tenant: number;
  kind: AccountKind;
  /** Whoever settles says which. */
  named?: number | undefined;
  /** The payment or payout method, or the platform: says which if nobody does. */
  method: string | null | undefined;
  /** Whoever settles. A person must name an account, and have an open shift, if the tenant requires that. */
  by?: Decider | undefined;
  /** Of two people who agreed the first: it is in the shift of that one, if it is still open. The second needs none. */
  first?: number | undefined;
}

/** Where an entry belongs: the account that it moves, and the shift of its cashier. */
export interface Place {
  account_id: number | null;
  shift_id: number | null;
}
export const NOWHERE: Place = { account_id: null, shift_id: null };

/** The CTE `shift` (id): somebody's open shift. Closing it waits for this transaction, or this does not find it. */
const ownShift = (sql: Sql, tenant: number, adminId: number | null) => sql`
  shift as materialized (
    select s.id from shifts s
    where s.tenant_id = ${tenant} and s.admin_id = ${adminId}::bigint and s.closed_at is null for share of s
  )`;

/**
 * The account that a settlement moves, or null, and the shift that it is in. 404 for an account that is named and is no
 * active one of this kind; 409 if the tenant requires one, or a shift, and there is none. Money that a processor
 * reports is never refused, and is in no shift.
 */
export async function findPlace(sql: Sql, { tenant, kind, named, method, by, first }: Wanted): Promise<Place> {
  const cashier = first ?? (by && !by.isKey ? by.admin_id : null);
  const [found] = await sql<
    { needs_account: boolean | null; needs_shift: boolean | null; id: number | null; shift_id: number | null }[]
  >`
    with ${ownShift(sql, tenant, cashier)}
    select t.needs_account, t.needs_shift, a.id, s.id as shift_id
    from tenants t left join shift s on true
      left join value_accounts a on a.tenant_id = ${tenant} and a.kind = ${kind} and a.is_active
      and (a.id = ${named ?? null}::bigint
        or (${named ?? null}::bigint is null and ${toAccountMethod(kind, method ?? '')}::text = any(a.methods)))
    where t.id = ${tenant}
    order by a.id limit 1`;
  if (named !== undefined && !found?.id) throw notFound('Account');
  if (!found?.id) {
    if (found?.needs_account && kind === 'cash' && cashier !== null)
      throw new Problem(409, 'Choose the account of this payment', undefined, ACCOUNT_NEEDED);
    return NOWHERE;
  }
  if (found.needs_shift && cashier !== null && first === undefined && found.shift_id === null)
    throw new Problem(409, 'Open your shift first: this moves an account');
  return { account_id: found.id, shift_id: found.shift_id };
}

export interface AccountEntry {
  tenant_id: number;
  kind: 'bought' | 'moved' | 'corrected';
  from_id: number | null;
  to_id: number | null;
  /** Decimal text above 0. */
  amount: string;
  credits: string | null;
  reason: string | null;
  admin_id: number;
  /** Who was first of two. */
  approved_by?: number | null;
}

/** Moves value by hand: 404 for a foreign account, 400 for what cannot be; of two people in the shift of the first. */
export async function enterByHand(sql: Sql, entry: AccountEntry): Promise<void> {
  await checkEntry(sql, entry);
  const [shift] = await sql<{ id: number }[]>`
    with ${ownShift(sql, entry.tenant_id, entry.approved_by ?? entry.admin_id)} select id from shift`;
  await sql`insert into account_entries ${sql({ ...entry, shift_id: shift?.id ?? null })}`;
}

/** Refuses an entry that cannot be. Returns the names of its accounts. */
export async function checkEntry(sql: Sql, entry: AccountEntry): Promise<{ from: string | null; to: string | null }> {
  const { tenant_id, kind, from_id, to_id, credits, reason } = entry;
  const ids = [from_id, to_id].filter((one) => one !== null);
  const accounts = await sql<{ id: number; name: string; kind: AccountKind }[]>`
    select id, name, kind from value_accounts
    where tenant_id = ${tenant_id} and id = any(${ids}::bigint[]) and is_active`;
  const find = (id: number | null) => accounts.find((one) => one.id === id);
  const from = find(from_id),
    to = find(to_id);
  if (new Set(ids).size !== accounts.length) throw notFound('Account');
  if (ids.length === 2 && from_id === to_id) throw new Problem(400, 'Choose two different accounts');
  if (kind === 'bought' && (to?.kind !== 'credits' || from?.kind === 'credits' || !credits))
    throw new Problem(400, 'Credits are bought into a stock of credits, from a cash account, with their number');
  if (kind === 'moved' && (!from || !to || from.kind !== to.kind))
    throw new Problem(400, 'Value moves between two accounts of the same kind');
  if (kind === 'corrected' && (ids.length !== 1 || !reason))
    throw new Problem(400, 'A correction is of one account, with a reason');
  if (kind !== 'bought' && credits) throw new Problem(400, 'Only credits that are bought have a number of their own');
  return { from: from?.name ?? null, to: to?.name ?? null };
}

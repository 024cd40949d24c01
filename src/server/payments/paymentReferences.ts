/** Each payment reference belongs to one purchase, deposit or redeem, even if it is reported several times. */
import type { PlayerNamed } from '../../contract/entities';
import type { Caller } from '../auth/caller';
import { notFound } from '../core/problem';
import { getTenantId, type Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import { findProcessor } from '../ledger/processors';

export interface PaymentReference {
  tenant_id: number;
  kind: 'TOP_UP' | 'DEPOSIT' | 'RETURN' | 'REDEEM';
  method: string;
  reference: string;
}

/** By normalized method, so that all reports of a processor's payment mean the same purchase. */
export const normalizeMethod = (method: string): string => findProcessor(method) ?? method;

const isReference = (sql: Sql, { tenant_id, kind, method, reference }: PaymentReference) =>
  sql`tenant_id = ${tenant_id} and kind = ${kind} and method = ${method} and reference = ${reference}`;

/** Reserves a reference and returns null, or the id it has; waits for a parallel one. Call it before wallet locks. */
export async function reserveReference(sql: Sql, at: PaymentReference): Promise<number | null> {
  const taken = await sql`insert into payment_references ${sql(at)} on conflict do nothing returning 1`;
  return taken.length ? null : findReference(sql, at);
}

/** The id that a reference belongs to; its row stays locked. */
export async function findReference(sql: Sql, at: PaymentReference): Promise<number | null> {
  const [row] = await sql<{ money_id: number | null }[]>`
    select money_id from payment_references where ${isReference(sql, at)} for update`;
  return row?.money_id ?? null;
}

export async function assignReference(sql: Sql, at: PaymentReference, moneyId: number): Promise<void> {
  await sql`update payment_references set money_id = ${moneyId} where ${isReference(sql, at)}`;
}

/** The player with this id, e-mail or external id. Deleted players and those of other tenants are not found. */
export async function findNamedPlayer(sql: Sql, tenantId: number, { user_id, email, external_id }: PlayerNamed) {
  const by =
    user_id !== undefined
      ? sql`id = ${user_id}`
      : external_id !== undefined
        ? sql`external_id = ${external_id}`
        : sql`lower(email) = lower(${email ?? ''})`;
  const [player] = await sql<{ id: number; is_active: boolean }[]>`
    select id, is_active from players where tenant_id = ${tenantId} and deleted_at is null and ${by}`;
  return player ?? null;
}

/** The player whom another system names; 404 if there is none. */
export async function requireNamedPlayer(sql: Sql, caller: Caller, named: PlayerNamed): Promise<Owner> {
  const tenant_id = getTenantId(caller);
  const player = await findNamedPlayer(sql, tenant_id, named);
  if (!player) throw notFound('User');
  return { tenant_id, player_id: player.id };
}

import type { Protection, ProtectionForm } from '../../contract/entities';
import { RAISE_HOURS } from '../../contract/protection';
import { type Audit, toPlayer } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { findPlayer, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { toHolder } from '../ledger/claims';
import { lockGroup } from '../ledger/playerLinks';
import { lockWallet, readProtection } from '../ledger/protection';
import { requireNamedPlayer } from '../payments/paymentReferences';

type Wish = NonNullable<ProtectionForm['limits']>[number];
type Current = DbRow<Protection>;

/** A break can be made longer by anybody who may set it. Only a super admin shortens or ends one: mistakes happen. */
async function saveExclusion(
  sql: Sql,
  owner: Owner,
  caller: Caller,
  wish: ProtectionForm['exclusion'],
  { exclusion }: Current,
): Promise<void> {
  if (wish === undefined || (wish === null && !exclusion)) return;
  const { tenant_id, player_id } = owner;
  const isShorter = exclusion && (wish === null || (wish.until ?? '9999') < (exclusion.until ?? '9999'));
  if (isShorter && !caller.role.is_super_admin)
    throw new Problem(409, 'A break can only be made longer. A super admin can correct a mistake');
  if (wish === null) {
    await sql`delete from player_exclusions where tenant_id = ${tenant_id} and player_id = ${player_id}`;
    return;
  }
  if (exclusion && exclusion.until === wish.until) return;
  const [day] = await sql<{ is_past: boolean }[]>`
    select ${wish.until}::date < (now() at time zone time_zone)::date as is_past from tenants where id = ${tenant_id}`;
  if (day?.is_past) throw new Problem(422, 'body.exclusion.until: is past');
  const { admin_id, api_key_id } = toHolder(caller);
  await sql`
    insert into player_exclusions (tenant_id, player_id, until, since, admin_id, api_key_id)
    values (${tenant_id}, ${player_id}, ${wish.until}, ${exclusion?.since ?? new Date()}, ${admin_id}, ${api_key_id})
    on conflict (tenant_id, player_id) do update set until = excluded.until, since = excluded.since,
      admin_id = excluded.admin_id, api_key_id = excluded.api_key_id`;
}

const orNone = (amount: number | string | null | undefined): number => (amount == null ? Infinity : Number(amount));

/** A cut counts at once and ends a raise that waits. A raise that is sent again keeps its time. */
async function saveLimit(sql: Sql, owner: Owner, caller: Caller, wish: Wish, current: Current): Promise<void> {
  const { money, span } = wish;
  const known = current.limits.find((one) => one.money === money && one.span === span);
  const [wanted, most] = [orNone(wish.amount), orNone(known?.amount)];
  const waits = known?.next_at ? orNone(known.next_amount) : most;
  if (wanted === waits) return;
  const isRaise = wanted > most;
  const { admin_id, api_key_id } = toHolder(caller);
  await sql`
    insert into player_limits (tenant_id, player_id, money, span, amount, next_amount, next_at, admin_id, api_key_id)
    values (${owner.tenant_id}, ${owner.player_id}, ${money}, ${span},
      ${isRaise ? (known?.amount ?? null) : wish.amount}::numeric, ${isRaise ? wish.amount : null}::numeric,
      case when ${isRaise}::boolean then now() + make_interval(hours => ${RAISE_HOURS}) end, ${admin_id}, ${api_key_id})
    on conflict (tenant_id, player_id, money, span) do update set amount = excluded.amount,
      next_amount = excluded.next_amount, next_at = excluded.next_at, since = excluded.since,
      admin_id = excluded.admin_id, api_key_id = excluded.api_key_id`;
}

/** As the audit log has it: one value for the break and for each limit. */
const audited = ({ exclusion, limits }: Current) => ({
  on_break: exclusion ? (exclusion.until ?? 'for good') : null,
  ...Object.fromEntries(
    limits.map(({ money, span, amount, next_amount, next_at }) => [
      `${money}_limit_${span}`,
      { amount, ...(next_at && { next_amount, next_at: new Date(next_at).toISOString() }) },
    ]),
  ),
});

async function save(sql: Sql, audit: Audit, caller: Caller, owner: Owner, body: ProtectionForm): Promise<Current> {
  await lockWallet(sql, owner);
  await lockGroup(sql, owner);
  const before = await readProtection(sql, owner);
  await saveExclusion(sql, owner, caller, body.exclusion, before);
  for (const wish of body.limits ?? []) await saveLimit(sql, owner, caller, wish, before);
  const after = await readProtection(sql, owner);
  audit.about({ ...toPlayer(owner), before: audited(before), after: audited(after) });
  return after;
}

/** A player's break and own limits (docs/extras/protection.md). */
export const protection = {
  async getProtection({ sql, caller, params }) {
    return readProtection(sql, await findPlayer(sql, tenantScope(caller), params.id));
  },

  async saveProtection({ sql, caller, params, body, audit }) {
    return save(sql, audit, caller, await findPlayer(sql, tenantScope(caller), params.id), body);
  },

  async pushProtection({ sql, caller, body, audit }) {
    return save(sql, audit, caller, await requireNamedPlayer(sql, caller, body), body);
  },
} satisfies Partial<Handlers>;

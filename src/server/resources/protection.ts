import { DOUBLES_PAGE } from '../../contract/doubles';
import type { DoublesQuery, EligibilityForm, Protection, ProtectionForm } from '../../contract/entities';
import { RAISE_HOURS } from '../../contract/protection';
import { type Audit, toPlayer } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { findPlayer, lockWallet, nameTenant, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type DbRow, definedFields } from '../db/row';
import { toHolder } from '../ledger/claims';
import { leaveGroup, linkPlayers, lockGroup, readGroups } from '../ledger/playerLinks';
import { isOn, type Known, mostOf, readEligibility, readProtection } from '../ledger/protection';
import { requireNamedPlayer } from '../payments/paymentReferences';
import { LOOKED, lookAtPlayers, readPairs } from '../queries/possibleDoubles';

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
  const row = { ...owner, until: wish.until, since: exclusion?.since ?? new Date(), ...toHolder(caller) };
  await sql`
    insert into player_exclusions ${sql(row)}
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

/** Waits for a payment that is being made: what is known now counts for the next one. */
async function saveKnown(sql: Sql, audit: Audit, caller: Caller, owner: Owner, wish: EligibilityForm): Promise<Known> {
  await lockWallet(sql, owner);
  const { since: _, by: _b, ...before } = await readEligibility(sql, owner);
  const row = { ...before, ...definedFields(wish) };
  await sql`
    insert into player_eligibility ${sql({ ...owner, ...row, ...toHolder(caller) })}
    on conflict (tenant_id, player_id) do update set birth_date = excluded.birth_date, region = excluded.region,
      kyc_status = excluded.kyc_status, kyc_until = excluded.kyc_until, kyc_missing = excluded.kyc_missing,
      kyc_reference = excluded.kyc_reference, since = excluded.since, admin_id = excluded.admin_id,
      api_key_id = excluded.api_key_id`;
  audit.about({ ...toPlayer(owner), before, after: row });
  return readEligibility(sql, owner);
}

/** For so long a page goes on looking at older players. */
const LOOK_MS = 1_000;

async function findPairs(sql: Sql, tenant: number, { cursor = Number.MAX_SAFE_INTEGER }: DoublesQuery) {
  const pairs: { id: number; other_id: number }[] = [];
  const end = Date.now() + LOOK_MS;
  let last = { id: cursor, created_at: null as string | null };
  for (;;) {
    const rows = await lookAtPlayers(sql, tenant, last.id);
    const looked = new Set<number>();
    for (const { id, created_at, other_id } of rows) {
      if (pairs.length >= DOUBLES_PAGE && id !== last.id) return { pairs, last, isMore: true };
      looked.add(id);
      last = { id, created_at };
      if (other_id !== null) pairs.push({ id, other_id });
    }
    if (looked.size < LOOKED) return { pairs, last, isMore: false };
    if (Date.now() > end) return { pairs, last, isMore: true };
  }
}

/** Two players of a tenant, the first of them as `owner`; a deletion at the same moment waits, or was first. */
async function lockPair(sql: Sql, caller: Caller, id: number, other_id: number) {
  const owner = await findPlayer(sql, tenantScope(caller), id);
  if (other_id === id) throw new Problem(422, 'body.player_id: is the same user');
  await findPlayer(sql, owner.tenant_id, other_id);
  const lower_id = Math.min(id, other_id),
    higher_id = Math.max(id, other_id);
  for (const player_id of [lower_id, higher_id]) await lockWallet(sql, { ...owner, player_id });
  return { owner, lower_id, higher_id };
}

async function readLinked(sql: Sql, { tenant_id, player_id }: Owner) {
  const group = await readGroups(sql, tenant_id, [player_id]);
  return { linked_with: group.filter((id) => id !== player_id) };
}

async function isProtected(sql: Sql, tenant: number, ids: number[]): Promise<boolean> {
  return sql`
    select 1 as one from player_limits l
    where l.tenant_id = ${tenant} and l.player_id = any(${ids}::bigint[])
      and (${mostOf(sql)} is not null or l.next_at > now())
    union all
    select 1 from player_exclusions e join tenants t on t.id = e.tenant_id
    where e.tenant_id = ${tenant} and e.player_id = any(${ids}::bigint[]) and ${isOn(sql)}
    limit 1`.hasRow();
}

/** A player's break and own limits, who may play and be paid, and who may be one person (docs/extras/protection.md). */
export const protection = {
  getProtection: async ({ sql, caller, params }) =>
    readProtection(sql, await findPlayer(sql, tenantScope(caller), params.id)),

  saveProtection: async ({ sql, caller, params, body, audit }) =>
    save(sql, audit, caller, await findPlayer(sql, tenantScope(caller), params.id), body),

  pushProtection: async ({ sql, caller, body, audit }) =>
    save(sql, audit, caller, await requireNamedPlayer(sql, caller, body), body),

  getEligibility: async ({ sql, caller, params }) =>
    readEligibility(sql, await findPlayer(sql, tenantScope(caller), params.id)),

  saveEligibility: async ({ sql, caller, params, body, audit }) =>
    saveKnown(sql, audit, caller, await findPlayer(sql, tenantScope(caller), params.id), body),

  pushEligibility: async ({ sql, caller, body: { user_id, email, external_id, ...wish }, audit }) =>
    saveKnown(sql, audit, caller, await requireNamedPlayer(sql, caller, { user_id, email, external_id }), wish),

  async getPossibleDoubles({ sql, caller, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    const { pairs, last, isMore } = await findPairs(sql, tenant, query);
    return {
      pairs: pairs.length ? await readPairs(sql, tenant, pairs) : [],
      looked_to: last.created_at,
      next_cursor: isMore ? last.id : null,
    };
  },

  async linkPlayers({ sql, caller, params, body, audit }) {
    const { owner, lower_id, higher_id } = await lockPair(sql, caller, params.id, body.player_id);
    const before = await readLinked(sql, owner);
    await linkPlayers(sql, owner.tenant_id, [lower_id, higher_id], caller.admin_id);
    await sql`
      delete from dismissed_pairs
      where tenant_id = ${owner.tenant_id} and lower_id = ${lower_id} and higher_id = ${higher_id}`;
    audit.about({ ...toPlayer(owner), before, after: await readLinked(sql, owner) });
    return readProtection(sql, owner);
  },

  /** While a break or limit counts for all, whoever is taken out would be free of it. */
  async unlinkPlayer({ sql, caller, params, audit }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    await lockWallet(sql, owner);
    const linked = await leaveGroup(sql, owner);
    const isFree = linked.length > 0 && (await isProtected(sql, owner.tenant_id, [owner.player_id, ...linked]));
    if (isFree && !caller.role.is_super_admin)
      throw new Problem(409, 'A break or limit counts for all who are linked. A super admin can unlink them');
    audit.about({ ...toPlayer(owner), before: { linked_with: linked }, after: { linked_with: [] } });
    return readProtection(sql, owner);
  },

  async dismissPair({ sql, caller, params, body, audit }) {
    const { owner, lower_id, higher_id } = await lockPair(sql, caller, params.id, body.player_id);
    const row = { tenant_id: owner.tenant_id, lower_id, higher_id, admin_id: caller.admin_id };
    await sql`
      insert into dismissed_pairs ${sql(row)} on conflict (tenant_id, higher_id, lower_id) do nothing`;
    audit.about({ ...toPlayer(owner), after: { not_the_same_as: body.player_id } });
  },
} satisfies Partial<Handlers>;

import { CLAIM_MINUTES } from '../../contract/constants';
import type { Claim, ClaimForm, PendingCounts } from '../../contract/entities';
import { type Audit, saveReason } from '../audit/auditLog';
import { requireWork } from '../auth/apiKeys';
import { requirePermissions } from '../auth/authenticate';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { getTenantId, inTenant, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { findClaims, findOther, refuseClaimed, toHolder } from '../ledger/claims';
import { type MoneyType, moneyKinds } from '../ledger/rows';
import { countListed, countNew, sumListed } from '../queries/transactionList';

type Money = Owner & { type: MoneyType };

async function findMoney(sql: Sql, tenant: number | null, id: number) {
  const row = await sql<Money[]>`
    select tenant_id, player_id, transaction_type as type from transactions
    where id = ${id} and ${inTenant(sql, tenant)}
    union all
    select tenant_id, player_id, 'REDEEM' from redeems
    where id = ${id} and ${inTenant(sql, tenant)}`.one(notFound('Transaction'));
  return { ...row, kind: moneyKinds[row.type] };
}

/** The lock on the row is that of its decision, so of many who want it one is first, and nobody has a settled one. */
async function take(sql: Sql, audit: Audit, caller: Caller, body: ClaimForm): Promise<DbRow<Claim>> {
  const { id } = body;
  const { tenant_id, player_id, kind, type } = await findMoney(sql, tenantScope(caller), id);
  if (!caller.key) requirePermissions(caller, [type === 'REDEEM' ? 'payouts' : 'queue']);
  requireWork(caller, type);
  const open = await sql`
    select 1 from ${sql(type === 'REDEEM' ? 'redeems' : 'transactions')}
    where tenant_id = ${tenant_id} and id = ${id} and status = 'pending' for no key update`;
  if (!open.length) throw new Problem(409, 'It is no longer pending');
  const other = await findOther(sql, caller, tenant_id, id);
  if (other && !body.take_over) throw refuseClaimed(other);
  if (other && !body.reason && !body.note) throw new Problem(422, 'body.reason: is required to take it over');
  const claimed_until = sql`now() + make_interval(mins => ${CLAIM_MINUTES})`;
  await sql`
    insert into row_claims ${sql({ tenant_id, money_id: id, kind, ...toHolder(caller), claimed_until })}
    on conflict (tenant_id, money_id) do update set admin_id = excluded.admin_id, api_key_id = excluded.api_key_id,
      claimed_until = excluded.claimed_until`;
  const claim = await findClaims(sql, tenant_id, sql`c.money_id = ${id}`).one();
  const before = { claimed_by: other?.claimed_by ?? null };
  audit.about({ kind, id, tenant_id, player_id, before, after: { claimed_by: claim.claimed_by } });
  return claim;
}

async function release(sql: Sql, audit: Audit, caller: Caller, id: number) {
  const { tenant_id, player_id, kind } = await findMoney(sql, tenantScope(caller), id);
  const { admin_id, api_key_id } = toHolder(caller);
  const { count } = await sql`
    delete from row_claims
    where tenant_id = ${tenant_id} and money_id = ${id} and admin_id is not distinct from ${admin_id}
      and api_key_id is not distinct from ${api_key_id}`;
  if (!count) throw notFound('Claim');
  const before = { claimed_by: caller.email };
  audit.about({ kind, id, tenant_id, player_id, before, after: { claimed_by: null } });
}

/** Nobody serves a row twice (docs/extras/counter-claims.md); and the counts and sums of a queue. */
export const claims = {
  claimRow: ({ sql, caller, body, audit }) => take(sql, audit, caller, body),
  releaseRow: ({ sql, caller, params, audit }) => release(sql, audit, caller, params.id),
  pushClaim: ({ sql, caller, body, audit }) => take(sql, audit, caller, body),
  dropClaim: ({ sql, caller, params, audit }) => release(sql, audit, caller, params.id),

  /** What a robot could not do: staff see why, and whoever wants it has it. */
  async releaseWork({ sql, caller, params, body, audit }) {
    await release(sql, audit, caller, params.id);
    await saveReason(sql, getTenantId(caller), [params.id], body);
  },

  async watchList({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const { total: new_rows } = await countNew(sql, query.list, tenant, query);
    const found = await findClaims(sql, tenant, sql`c.kind || 's' = ${query.list}`);
    const [wish] = await sql<{ key_takes: boolean | null }[]>`select key_takes from tenants where id = ${tenant}`;
    return { new_rows, claims: found, key_takes: wish?.key_takes ?? false };
  },

  /** Read from the partial indexes on pending rows, so the number of other rows does not matter. */
  async countPending({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const pending = sql`status = 'pending' and ${inTenant(sql, tenant)}`;
    return sql<PendingCounts[]>`
      select (select count(*) from transactions where ${pending} and transaction_type = 'TOP_UP') as purchases,
        (select count(*) from transactions where ${pending} and transaction_type = 'DEPOSIT') as deposits,
        (select count(*) from transactions where ${pending} and transaction_type = 'RETURN') as returns,
        (select count(*) from redeems where ${pending}) as redeems`.one();
  },

  countListed: ({ sql, caller, query }) => countListed(sql, query.list, tenantScope(caller, query.tenant_id), query),

  countNew: ({ sql, caller, query }) => countNew(sql, query.list, tenantScope(caller, query.tenant_id), query),

  sumListed: ({ sql, caller, query }) => sumListed(sql, query.list, tenantScope(caller, query.tenant_id), query),
} satisfies Partial<Handlers>;

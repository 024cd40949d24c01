import type { EligibilityForm, EligibilityRules } from '../../contract/entities';
import type { Audit } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { findPlayer, getTenantId, type Owner, requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { definedFields, onlyRow } from '../db/row';
import { toHolder } from '../ledger/claims';
import { lockWallet } from '../ledger/protection';
import { findNamedPlayer } from '../payments/paymentReferences';
import { type Known, readEligibility } from '../queries/readEligibility';

/** Waits for a payment that is being made: what is known now counts for the next one. */
async function save(sql: Sql, audit: Audit, caller: Caller, owner: Owner, wish: EligibilityForm): Promise<Known> {
  await lockWallet(sql, owner);
  const { since: _, by: _b, ...before } = await readEligibility(sql, owner);
  const row = { ...before, ...definedFields(wish) };
  await sql`
    insert into player_eligibility ${sql({ ...owner, ...row, ...toHolder(caller) })}
    on conflict (tenant_id, player_id) do update set birth_date = excluded.birth_date, region = excluded.region,
      kyc_status = excluded.kyc_status, kyc_until = excluded.kyc_until, kyc_missing = excluded.kyc_missing,
      kyc_reference = excluded.kyc_reference, since = excluded.since, admin_id = excluded.admin_id,
      api_key_id = excluded.api_key_id`;
  const { tenant_id, player_id } = owner;
  audit.about({ kind: 'player', id: player_id, tenant_id, player_id, before, after: row });
  return readEligibility(sql, owner);
}

const readRules = async (sql: Sql, tenant: number): Promise<EligibilityRules> =>
  onlyRow(
    await sql<EligibilityRules[]>`
      select minimum_age, coalesce(refused_regions, '{}') as refused_regions, kyc_from,
        coalesce(kyc_first, false) as kyc_first, report_from
      from tenants where id = ${tenant}`,
  );

/** Who may play and be paid (docs/extras/protection.md). */
export const eligibility = {
  async getEligibility({ sql, caller, params }) {
    return readEligibility(sql, await findPlayer(sql, tenantScope(caller), params.id));
  },

  async saveEligibility({ sql, caller, params, body, audit }) {
    return save(sql, audit, caller, await findPlayer(sql, tenantScope(caller), params.id), body);
  },

  async pushEligibility({ sql, caller, body: { user_id, email, external_id, ...wish }, audit }) {
    const tenant_id = getTenantId(caller);
    const player = await findNamedPlayer(sql, tenant_id, { user_id, email, external_id });
    if (!player) throw notFound('User');
    return save(sql, audit, caller, { tenant_id, player_id: player.id }, wish);
  },

  async getEligibilityRules({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    await requireTenant(sql, tenant);
    return readRules(sql, tenant);
  },

  async changeEligibilityRules({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant === null) throw new Problem(422, 'body.tenant_id: is required');
    await requireTenant(sql, tenant);
    await sql`select 1 from tenants where id = ${tenant} for no key update`;
    const before = await readRules(sql, tenant);
    const { tenant_id: _, ...rules } = body;
    await sql`
      update tenants set minimum_age = ${rules.minimum_age}, refused_regions = ${rules.refused_regions},
        kyc_from = ${rules.kyc_from}::numeric, kyc_first = ${rules.kyc_first},
        report_from = ${rules.report_from}::numeric
      where id = ${tenant}`;
    const after = await readRules(sql, tenant);
    audit.about({ kind: 'tenant', id: tenant, tenant_id: tenant, before, after });
    return after;
  },
} satisfies Partial<Handlers>;

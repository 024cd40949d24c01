import type { EligibilityForm } from '../../contract/entities';
import { type Audit, toPlayer } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { findPlayer, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { definedFields } from '../db/row';
import { toHolder } from '../ledger/claims';
import { lockWallet } from '../ledger/protection';
import { requireNamedPlayer } from '../payments/paymentReferences';
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
  audit.about({ ...toPlayer(owner), before, after: row });
  return readEligibility(sql, owner);
}

/** Who may play and be paid (docs/extras/protection.md). */
export const eligibility = {
  async getEligibility({ sql, caller, params }) {
    return readEligibility(sql, await findPlayer(sql, tenantScope(caller), params.id));
  },

  async saveEligibility({ sql, caller, params, body, audit }) {
    return save(sql, audit, caller, await findPlayer(sql, tenantScope(caller), params.id), body);
  },

  async pushEligibility({ sql, caller, body: { user_id, email, external_id, ...wish }, audit }) {
    return save(sql, audit, caller, await requireNamedPlayer(sql, caller, { user_id, email, external_id }), wish);
  },
} satisfies Partial<Handlers>;

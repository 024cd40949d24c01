/** Whether a player may play, and may be paid (docs/extras/protection.md). */
import { NOT_VERIFIED } from '../../contract/eligibility';
import { Problem } from '../core/problem';
import { inTenant, type Owner } from '../core/tenancy';
import type { Sql } from '../db/open';

/** Why player y of tenant t may ask for nothing; null when nothing is known against it. */
export const whyIneligible = (sql: Sql) => sql`
  case
    when y.region = any(t.refused_regions) or split_part(y.region, '-', 1) = any(t.refused_regions)
      then 'refused_region'
    when y.birth_date > ((now() at time zone t.time_zone)::date - make_interval(years => t.minimum_age))::date
      then 'too_young' end`;

/**
 * Why redeem m needs an identity that nobody has verified; null when it does not. It starts at the wallet, because
 * Citus takes no query that looks out of a table it has copied, such as `tenants`, into one that it has spread.
 */
export const lacksIdentity = (sql: Sql, tenant: number | null) => sql`(
  select 'Identity not verified' from wallets w join tenants t on t.id = w.tenant_id
  where ${inTenant(sql, tenant, 'w.tenant_id')} and w.tenant_id = m.tenant_id and w.player_id = m.player_id
    and (m.amount >= t.kyc_from or (t.kyc_first and not exists (
      select 1 from redeems o
      where ${inTenant(sql, tenant, 'o.tenant_id')} and o.tenant_id = m.tenant_id and o.player_id = m.player_id
        and o.status = 'success' and o.id <> m.id)))
    and not exists (
      select 1 from player_eligibility y
      where ${inTenant(sql, tenant, 'y.tenant_id')} and y.tenant_id = m.tenant_id and y.player_id = m.player_id
        and y.kyc_status = 'verified'
        and (y.kyc_until is null or y.kyc_until >= (now() at time zone t.time_zone)::date)))`;

/** 409 if the redeem needs an identity that nobody has verified. Expects the wallet to be locked, as `refuseOnHold`. */
export async function refuseUnverified(sql: Sql, { tenant_id, id }: Owner & { id: number }): Promise<void> {
  const [found] = await sql<{ lacks: string | null }[]>`
    select ${lacksIdentity(sql, tenant_id)} as lacks from redeems m where m.tenant_id = ${tenant_id} and m.id = ${id}`;
  if (found?.lacks)
    throw new Problem(409, 'The identity of this player must be verified first', undefined, NOT_VERIFIED);
}

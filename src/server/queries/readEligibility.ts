import type { Eligibility } from '../../contract/entities';
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { setBy } from '../ledger/protection';

export type Known = DbRow<Eligibility>;
const unknown: Known = {
  ...{ birth_date: null, region: null, kyc_status: 'none', kyc_until: null },
  ...{ kyc_missing: null, kyc_reference: null, since: null, by: null },
};

/** What is known of who a player is. */
export async function readEligibility(sql: Sql, { tenant_id, player_id }: Owner): Promise<Known> {
  const [row] = await sql<Known[]>`
    select y.birth_date::text as birth_date, y.region, y.kyc_status, y.kyc_until::text as kyc_until, y.kyc_missing,
      y.kyc_reference, y.since, ${setBy(sql, 'y')}
    from player_eligibility y where y.tenant_id = ${tenant_id} and y.player_id = ${player_id}`;
  return row ?? unknown;
}

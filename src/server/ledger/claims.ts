/** Who has taken a pending row decides it alone for ten minutes of the database (docs/extras/counter-claims.md). */
import { CLAIMED, LIST_MAX } from '../../contract/constants';
import { Problem } from '../core/problem';
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import type { Decider } from './approvals';

export interface ClaimRow {
  id: number;
  admin_id: number | null;
  api_key_id: number | null;
  claimed_by: string;
  claimed_until: Date;
}

/** Who takes rows: a person, or an API key, which is not the same as the person who made it. */
export const toHolder = ({ admin_id, key }: Decider): Pick<ClaimRow, 'admin_id' | 'api_key_id'> =>
  key ? { admin_id: null, api_key_id: key.id } : { admin_id, api_key_id: null };

/** The claims c that have not ended. */
export const findClaims = (sql: Sql, tenant: number | null, which: Fragment) => sql<ClaimRow[]>`
  select c.money_id as id, c.admin_id, c.api_key_id, c.claimed_until,
    coalesce((select email from admins where id = c.admin_id),
      (select k.name from api_keys k where k.tenant_id = c.tenant_id and k.id = c.api_key_id)) as claimed_by
  from row_claims c
  where ${inTenant(sql, tenant, 'c.tenant_id')} and c.claimed_until > now() and ${which}
  order by c.money_id limit ${LIST_MAX}`;

/** The claim of somebody else, if there is one. */
export async function findOther(sql: Sql, by: Decider, tenant: number, id: number): Promise<ClaimRow | undefined> {
  const [claim] = await findClaims(sql, tenant, sql`c.money_id = ${id}`);
  const holder = toHolder(by);
  const isOwn = claim?.admin_id === holder.admin_id && claim?.api_key_id === holder.api_key_id;
  return isOwn ? undefined : claim;
}

export const refuseClaimed = ({ claimed_by }: ClaimRow) =>
  new Problem(409, `${claimed_by} has taken this`, undefined, CLAIMED);

/** Before a locked row is decided: 409 if somebody else has it. Payment processors decide whatever anybody does. */
export async function endClaim(sql: Sql, by: Decider | undefined, tenant: number, id: number): Promise<void> {
  const other = by && (await findOther(sql, by, tenant, id));
  if (other) throw refuseClaimed(other);
  await sql`delete from row_claims where tenant_id = ${tenant} and money_id = ${id}`;
}

/** The facts against the rows they were counted from. */
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import { parts, payments, playerParts } from './contributions';

/** What is compared: all that is counted of one tenant, or what is counted of some of its days. */
export interface CheckedFacts {
  tenantId: number;
  /** The first day and the one after the last, in the tenant's time zone. */
  days?: { from: string; before: string };
}

const asText = (side: string, columns: readonly string[]) =>
  columns.map((column) => `trim_scale(coalesce(${side}.${column}, 0)::numeric)`).join(` || ', ' || `);
const areUnequal = (columns: readonly string[]) =>
  `(${columns.map((column) => `coalesce(k.${column}, 0)`).join(', ')}) is distinct from
    (${columns.map((column) => `coalesce(d.${column}, 0)`).join(', ')})`;

const ofFacts = ['amount_in', 'amount_out', 'count_in', 'count_out'];
const ofPlayers = ['purchases', 'redeems', 'purchase_count', 'redeem_count'];

/** The CTE `range`: what is counted of the tenant, or of its days. */
const counted = (sql: Sql, { tenantId, days }: CheckedFacts): Fragment => {
  const startOf = (day: string) => sql`${day}::date::timestamp at time zone t.time_zone`;
  return sql`
  range as materialized (
    select t.id as tenant_id, t.time_zone, ${days ? startOf(days.from) : sql`'-infinity'::timestamptz`} as starts_at,
      least(f.until, ${days ? startOf(days.before) : sql`'infinity'::timestamptz`}) as ends_at
    from public.tenants t join public.facts_until f on f.tenant_id = t.id
    where t.id = ${tenantId} and f.tenant_id = ${tenantId}
  )`;
};

/** A sentence per fact that is not what the rows say, and how many USD the day is off; of `days` by day alone. */
export const factDifferences = (sql: Sql, checked: CheckedFacts): Fragment => {
  const { tenantId, days } = checked;
  const isChecked = sql`${inTenant(sql, tenantId)}
    and ${days ? sql`unit = 'day' and starts >= ${days.from}::date and starts < ${days.before}::date` : sql`true`}`;
  return sql`
  with ${counted(sql, checked)}, ${payments(sql, tenantId)}, ${playerParts(sql)},
  ${parts(sql, tenantId, { isRecount: true })}, kept as materialized (
    select * from public.facts where ${isChecked}
  ), due as materialized (
    select * from part where ${isChecked}
  ), kept_player as materialized (
    select * from public.player_facts where ${isChecked}
  ), due_player as materialized (
    select * from player_part where ${isChecked}
  )
  select format('The facts of tenant %s for the %s of %s by %s ''%s'' are %s, but the rows say %s.', ${tenantId}::bigint,
      unit, starts, dimension, key, ${sql.unsafe(asText('k', ofFacts))}, ${sql.unsafe(asText('d', ofFacts))}) as sentence,
    case when dimension = 'total' and unit = 'day'
      then abs(coalesce(k.amount_in, 0) - coalesce(d.amount_in, 0))
        + abs(coalesce(k.amount_out, 0) - coalesce(d.amount_out, 0))
      else 0 end as off_by
  from kept k full join due d using (dimension, unit, starts, key)
  where ${sql.unsafe(areUnequal(ofFacts))}
  union all
  select format('The facts of player %s of tenant %s for the %s of %s are %s, but the rows say %s.', player_id,
      ${tenantId}::bigint, unit, starts, ${sql.unsafe(asText('k', ofPlayers))}, ${sql.unsafe(asText('d', ofPlayers))}), 0
  from kept_player k full join due_player d using (player_id, unit, starts)
  where ${sql.unsafe(areUnequal(ofPlayers))}`;
};

import { parseSegment } from '../../contract/segment';
import type { Fragment, Sql } from '../db/open';

/** Whether player p with wallet w is selected. `tenant`: its id, of which each table is asked. All by indexes. */
export function inSegment(sql: Sql, tenant: Fragment, text: string): Fragment {
  const { tags, bought_from, bought_to, ggr_from, ggr_to, affiliate, is_held } = parseSegment(text);
  const startOf = (day: Fragment) =>
    sql`((${day})::timestamp at time zone (select time_zone from tenants where id = ${tenant}))`;
  // What no time zone can make true: of all tenants, only a bound that is the same for each is found in an index.
  const from = sql`(${bought_from ?? null}::date::timestamp at time zone 'UTC' - interval '14 hours')`,
    to = sql`((${bought_to ?? null}::date + 1)::timestamp at time zone 'UTC' + interval '12 hours')`;
  const conditions = [
    ...(ggr_from ? [sql`w.individual_ggr >= ${ggr_from}::numeric`] : []),
    ...(ggr_to ? [sql`w.individual_ggr <= ${ggr_to}::numeric`] : []),
    ...(bought_from
      ? [sql`w.last_purchase_at >= ${from} and w.last_purchase_at >= ${startOf(sql`${bought_from}::date`)}`]
      : []),
    ...(bought_to
      ? [sql`w.last_purchase_at < ${to} and w.last_purchase_at < ${startOf(sql`${bought_to}::date + 1`)}`]
      : []),
    ...tags.map(
      (tag) => sql`exists (
        select 1 from player_tags k
        where k.tenant_id = ${tenant} and k.player_id = p.id and lower(k.tag) = lower(${tag}))`,
    ),
    ...(affiliate ? [sql`lower(p.affiliate_id) = lower(${affiliate})`] : []),
    ...(is_held
      ? [sql`exists (select 1 from payout_holds h where h.tenant_id = ${tenant} and h.player_id = p.id)`]
      : []),
  ];
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`);
}

/** The rows of a list for which one bar of the overview stands, as the facts count them (totals/contributions.ts). */
import { type ListPart, payoutSeconds } from '../../contract/overview';
import { Problem } from '../core/problem';
import { inTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { toId } from './searchText';

export function isOfPart(
  sql: Sql,
  { table, type }: { table: 'transactions' | 'redeems'; type: 'TOP_UP' | 'DEPOSIT' | 'RETURN' | null },
  tenant: number | null,
  part: ListPart,
  key: string,
): ReturnType<typeof inTenant> {
  const ofRow = tenant === null ? sql`m.tenant_id` : sql`${tenant}::bigint`;
  switch (part) {
    case 'hour':
      return sql`
        to_char(m.completed_at at time zone (select time_zone from tenants where id = ${ofRow}), 'HH24') = ${key}`;
    case 'platform':
      return sql`left(coalesce(m.platform, ''), 100) = ${key}`;
    case 'method':
      return table === 'redeems'
        ? sql`left(coalesce(m.payout_method, ''), 100) = ${key}`
        : type === 'DEPOSIT'
          ? sql`left(coalesce(m.payment_metadata ->> 'type', ''), 100) = ${key}`
          : sql`left(coalesce(m.payment_method, ''), 100) = ${key}`;
    case 'affiliate':
      return sql`exists (
        select 1 from players a
        where ${inTenant(sql, tenant, 'a.tenant_id')} and a.tenant_id = m.tenant_id and a.id = m.player_id
          and lower(coalesce(a.affiliate_id, '')) = lower(${key}) offset 0)`;
    case 'player':
      return sql`m.player_id = ${toId(key)}`;
    case 'first':
      return table === 'redeems'
        ? sql`false`
        : sql`exists (
            select 1 from wallets f
            where ${inTenant(sql, tenant, 'f.tenant_id')} and f.tenant_id = m.tenant_id and f.player_id = m.player_id
              and f.first_purchase_id = m.id and f.closed_at is null offset 0)`;
    case 'payout':
      if (table !== 'redeems') throw new Problem(422, 'query.part: only redeems have it');
      return sql`width_bucket(extract(epoch from m.completed_at - m.initiated_at)::bigint,
        ${[...payoutSeconds]}::bigint[])::bigint = ${toId(key) ?? 0}`;
    case 'decided':
      if (table !== 'redeems') throw new Problem(422, 'query.part: only redeems have it');
      return key ? sql`m.decided_by = ${toId(key)}` : sql`m.decided_by is null`;
  }
}

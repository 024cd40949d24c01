import type { Notification } from '../../contract/entities';
import type { RuleKind } from '../../contract/notifications';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';

type Row = DbRow<Notification>;
type Table = 'redeems' | 'transactions' | 'players';
/** What the number of a notification names. */
const tables: Partial<Record<RuleKind, Table>> = {
  large_redeem: 'redeems',
  old_redeem: 'redeems',
  foreign_address: 'redeems',
  old_purchase: 'transactions',
  unusual_return: 'transactions',
  no_reference: 'transactions',
  reference_twice: 'transactions',
  no_reason: 'players',
  frozen_balance: 'players',
};

/**
 * Notifications with the players whom they are about. Names are not stored in them and no channel gets them, so nobody
 * has to forget them.
 */
export async function namePlayers(sql: Sql, rows: readonly Row[]): Promise<Row[]> {
  const of = (table: Table) => rows.filter(({ kind, object_id }) => tables[kind] === table && object_id);
  const named = (table: Table) => {
    const about = of(table);
    const is = sql`
      tenant_id = any (${about.map((row) => row.about_tenant_id)}::bigint[])
      and id = any (${about.map((row) => row.object_id)}::bigint[])`;
    return sql`
      select tenant_id, id, ${table}::text as kind, ${table === 'players' ? sql`id` : sql`player_id`} as player_id
      from ${sql(table)} where ${is}`;
  };
  const found = await sql<{ key: string; email: string }[]>`
    select m.kind || m.id as key, p.email
    from (${named('redeems')} union all ${named('transactions')} union all ${named('players')}) m
    join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
    where p.deleted_at is null`;
  const emails = new Map(found.map(({ key, email }) => [key, email]));
  return rows.map((row) => ({ ...row, user_email: emails.get(`${tables[row.kind]}${row.object_id}`) ?? null }));
}

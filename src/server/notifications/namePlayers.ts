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
  protected_player: 'transactions',
  no_reason: 'players',
  frozen_balance: 'players',
};

/**
 * Notifications with the players whom they are about. Names are not stored in them and no channel gets them, so nobody
 * has to forget them.
 */
export async function namePlayers(sql: Sql, rows: readonly Row[]): Promise<Row[]> {
  const emails = new Map<string, string>();
  for (const tenant of new Set(rows.map((row) => row.about_tenant_id)))
    for (const { key, email } of await findEmails(
      sql,
      tenant,
      rows.filter((row) => row.about_tenant_id === tenant),
    ))
      emails.set(key, email);
  return rows.map((row) => ({ ...row, user_email: emails.get(`${tables[row.kind]} ${row.object_id}`) ?? null }));
}

/** Of one tenant, so that one machine of a distributed database answers. */
async function findEmails(sql: Sql, tenant: number | null, rows: readonly Row[]) {
  const named = (table: Table) => {
    const ids = rows.flatMap(({ kind, object_id }) => (tables[kind] === table && object_id ? [object_id] : []));
    return sql`
      select id, ${table}::text as kind, ${sql.unsafe(table === 'players' ? 'id' : 'player_id')} as player_id
      from ${sql(table)} where tenant_id = ${tenant} and id = any (${ids}::bigint[])`;
  };
  return sql<{ key: string; email: string }[]>`
    select m.kind || ' ' || m.id as key, p.email
    from (${named('redeems')} union all ${named('transactions')} union all ${named('players')}) m
    join players p on p.tenant_id = ${tenant} and p.id = m.player_id and p.deleted_at is null`;
}

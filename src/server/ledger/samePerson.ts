/**
 * Two accounts can be one person: whoever set a password can sign in with it, and set others from there. So all steps
 * back are looked at, and not the last alone.
 */
import type { Sql } from '../db/open';

/**
 * Why an account and the one that decides now could be one person: whoever has the first knows the password of the
 * other (`own`), the other way round (`first`), or one colleague knows both (`both`). A super admin who made both does
 * not count, who may do everything anyway.
 */
export type SamePerson = 'own' | 'first' | 'both' | null;

/** For each of these accounts of a tenant. */
export async function findSamePeople(
  sql: Sql,
  accounts: readonly { admin_id: number; tenant_id: number }[],
  decidesNow: number,
): Promise<SamePerson[]> {
  if (!accounts.length) return [];
  const ids = [decidesNow, ...accounts.map(({ admin_id }) => admin_id)];
  const shared = await sql<{ account: number; person: number; tenant_id: number }[]>`
    with recursive knows as (
      select id as account, id as person from admins where id = any(${ids}::bigint[])
      union
      select k.account, a.sign_in_set_by from knows k join admins a on a.id = k.person
      where a.sign_in_set_by is not null
    )
    select f.account, f.person, a.tenant_id
    from knows f join knows n on n.person = f.person join admins a on a.id = f.person
    where n.account = ${decidesNow}`;
  return accounts.map(({ admin_id, tenant_id }) => {
    const both = shared.filter(({ account }) => account === admin_id);
    if (both.some(({ person }) => person === admin_id)) return 'own';
    if (both.some(({ person }) => person === decidesNow)) return 'first';
    return both.some((row) => row.tenant_id === tenant_id) ? 'both' : null;
  });
}

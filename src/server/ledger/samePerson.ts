/**
 * Two accounts can be one person: whoever set a password can sign in with it, and set others from there. Whoever chose
 * an identity provider can be everybody whom it names. So all steps back are looked at, and not the last alone.
 */
import type { Sql } from '../db/open';

/**
 * Why an account and the one that decides now could be one person: whoever has the first knows the password of the
 * other (`own`), the other way round (`first`), or one colleague knows both (`both`). A super admin who made both does
 * not count, who may do everything anyway. `provider`: any of these, and no change of a password ends it.
 */
export type SamePerson = 'own' | 'first' | 'both' | 'provider' | null;

/** Who else can sign in as account `a`: whoever chose the identity provider that it is linked at. */
export const chooserOf = (sql: Sql) => sql`(
  select p.set_by from identity_providers p join identities i on i.issuer = p.issuer
  where p.tenant_id = a.tenant_id and p.is_active and i.admin_id = a.id and p.set_by <> a.id)`;

export async function findChooser(sql: Sql, adminId: number): Promise<number | null> {
  const [account] = await sql<{ chooser: number | null }[]>`
    select ${chooserOf(sql)} as chooser from admins a where a.id = ${adminId}`;
  return account?.chooser ?? null;
}

/** For each of these accounts of a tenant. */
export async function findSamePeople(
  sql: Sql,
  accounts: readonly { admin_id: number; tenant_id: number }[],
  decidesNow: number,
): Promise<SamePerson[]> {
  if (!accounts.length) return [];
  const ids = [decidesNow, ...accounts.map(({ admin_id }) => admin_id)];
  const shared = await sql<Shared[]>`
    with recursive knows as (
      select id as account, id as person, false as by_provider from admins where id = any(${ids}::bigint[])
      union
      select k.account, o.person, k.by_provider or o.by_provider
      from knows k join admins a on a.id = k.person
        cross join lateral (values (a.sign_in_set_by, false), (${chooserOf(sql)}, true)) o (person, by_provider)
      where o.person is not null
    )
    select f.account, a.tenant_id, f.by_provider or n.by_provider as by_provider,
      case when f.person = f.account then 'own' when f.person = n.account then 'first' else 'both' end as how
    from knows f join knows n on n.person = f.person join admins a on a.id = f.person
    where n.account = ${decidesNow} order by how desc, by_provider desc`;
  return accounts.map(({ admin_id, tenant_id }) => {
    const why = shared.find((row) => row.account === admin_id && (row.how !== 'both' || row.tenant_id === tenant_id));
    return why?.by_provider ? 'provider' : (why?.how ?? null);
  });
}

interface Shared {
  account: number;
  tenant_id: number;
  by_provider: boolean;
  how: 'own' | 'first' | 'both';
}

/** Players who look like one person. Of each player the nearest older one is found, so a crowd is a chain of pairs. */
import type { PossibleDouble } from '../../contract/entities';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';

/** The last digits, as the index has them: with or without the code of a country. */
const phone = (sql: Sql, of: string) => sql`right(regexp_replace(${sql(`${of}.phone_number`)}, '[^0-9]', '', 'g'), 9)`;
const LEAST_DIGITS = 7;
/** As the index has it, without accents, case, blanks and the like. */
const name = (sql: Sql, of: string) =>
  sql`translate(fold_text(${sql(`${of}.first_name`)} || ${sql(`${of}.last_name`)}), ' .-''', '')`;
const address = (sql: Sql, of: string) => sql`lower(btrim(${sql(`${of}.payout_address`)}))`;

/** So many players are looked at in one statement. */
export const LOOKED = 1000;
const REDEEMS = 50;

/** The newest players before `cursor`, each with older ones who have something alike; null for nobody. */
export const lookAtPlayers = (sql: Sql, tenant: number, cursor: number) => {
  const isOther = (other: Fragment) => sql`
    ${other} < p.id and not exists (
      select 1 from dismissed_pairs d
      where d.tenant_id = ${tenant} and d.higher_id = p.id and d.lower_id = ${other})
    order by ${other} desc limit 1`;
  return sql<{ id: number; created_at: string; other_id: number | null }[]>`
    with looked as materialized (
      select p.id, p.created_at, ${phone(sql, 'p')} as phone, ${name(sql, 'p')} as name from players p
      where p.tenant_id = ${tenant} and p.deleted_at is null and p.id < ${cursor}::bigint
      order by p.id desc limit ${LOOKED}
    )
    select p.id, p.created_at, f.other_id
    from looked p left join lateral (
      (select o.id as other_id from players o
        where o.tenant_id = ${tenant} and o.phone_number is not null and o.deleted_at is null
          and ${phone(sql, 'o')} = p.phone and length(p.phone) >= ${LEAST_DIGITS}::int
          and ${isOther(sql`o.id`)})
      union
      (select o.id from player_eligibility y
          join players o on o.tenant_id = ${tenant} and o.first_name is not null and o.last_name is not null
            and o.deleted_at is null and ${name(sql, 'o')} = p.name and p.name <> ''
          join player_eligibility z
            on z.tenant_id = ${tenant} and z.player_id = o.id and z.birth_date = y.birth_date
        where y.tenant_id = ${tenant} and y.player_id = p.id and ${isOther(sql`o.id`)})
      union
      (select o.id from (
          select distinct ${address(sql, 'r')} as address from (
            select m.payout_address from redeems m where m.tenant_id = ${tenant} and m.player_id = p.id
            order by m.initiated_at desc, m.id desc limit ${REDEEMS}) r
          where btrim(r.payout_address) <> ''
        ) a
        cross join lateral (
          select s.player_id as id from redeems s
          where s.tenant_id = ${tenant} and s.payout_address is not null and ${address(sql, 's')} = a.address
            and ${isOther(sql`s.player_id`)}
        ) o
        order by o.id desc limit 1)
    ) f on true
    order by p.id desc, f.other_id desc`;
};

const one = (sql: Sql, of: string) => sql`
  json_build_object('id', ${sql(`${of}.id`)}, 'email', ${sql(`${of}.email`)}, 'name',
    nullif(concat_ws(' ', ${sql(`${of}.first_name`)}, ${sql(`${of}.last_name`)}), ''))`;

/** Pairs as they are shown. */
export const readPairs = (sql: Sql, tenant: number, pairs: readonly { id: number; other_id: number }[]) => sql<
  DbRow<PossibleDouble>[]
>`
  select ${one(sql, 'p')} as player, ${one(sql, 'o')} as other, array_remove(array[
      case when exists (
        select 1 from redeems r join redeems s
          on s.tenant_id = ${tenant} and s.player_id = o.id and ${address(sql, 's')} = ${address(sql, 'r')}
        where r.tenant_id = ${tenant} and r.player_id = p.id and btrim(r.payout_address) <> '')
        then 'payout_address' end,
      case when ${phone(sql, 'o')} = ${phone(sql, 'p')} and length(${phone(sql, 'p')}) >= ${LEAST_DIGITS}::int
        then 'phone' end,
      case when ${name(sql, 'o')} = ${name(sql, 'p')} and ${name(sql, 'p')} <> '' and exists (
        select 1 from player_eligibility y join player_eligibility z
          on z.tenant_id = ${tenant} and z.player_id = o.id and z.birth_date = y.birth_date
        where y.tenant_id = ${tenant} and y.player_id = p.id) then 'name_and_birth_date' end], null) as alike,
    exists (
      select 1 from player_links k join player_links h
        on h.tenant_id = ${tenant} and h.player_id = o.id and h.head_id = k.head_id
      where k.tenant_id = ${tenant} and k.player_id = p.id) as is_linked
  from unnest(${pairs.map(({ id }) => id)}::bigint[], ${pairs.map(({ other_id }) => other_id)}::bigint[])
      as f (id, other_id)
    join players p on p.tenant_id = ${tenant} and p.id = f.id and p.deleted_at is null
    join players o on o.tenant_id = ${tenant} and o.id = f.other_id and o.deleted_at is null
  order by p.id desc, o.id desc`;

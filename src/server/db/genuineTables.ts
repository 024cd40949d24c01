/** What `npm run verify` reads must be the server's tables: others could put a view or a function in their place. */
import { migrations } from './migrations/list';
import type { Sql } from './open';
import { splitStatements } from './statements';

/** Every table with its triggers, as the migrations make them: the catalogue is what is checked. */
function readTables(): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const statement of migrations.flatMap(({ text }) => splitStatements(text))) {
    const [, made] = /^create (?:unlogged )?table (\w+)/.exec(statement) ?? [];
    if (made) tables.set(made, new Set());
    const [, dropped] = /^drop table (\w+)/.exec(statement) ?? [];
    if (dropped) tables.delete(dropped);
    const [, was = '', is] = /^alter table (\w+) rename to (\w+)/.exec(statement) ?? [];
    if (is) tables.set(is, tables.get(was) ?? new Set()).delete(was);
    const [, verb, trigger = '', table = ''] = /^(create|drop) trigger (\w+)[\s\S]*? on (\w+)/.exec(statement) ?? [];
    if (verb === 'create') tables.get(table)?.add(trigger);
    else tables.get(table)?.delete(trigger);
  }
  return tables;
}

/**
 * To the end of the transaction only PostgreSQL's own functions are found, to which only a superuser can add; tables
 * must be named with their schema.
 */
export async function setSystemPath(sql: Sql): Promise<void> {
  await sql`set local search_path = pg_catalog, pg_temp`;
}

/**
 * Returns a sentence for everything about the tables that is not as the migrations made it, and for everything that
 * takes the place of a table, or of something of PostgreSQL, on a connection of the server. It must come first in its
 * transaction. A table that is missing is no difference here.
 */
export async function findReplaced(sql: Sql): Promise<string[]> {
  const tables = readTables();
  const names = [...tables.keys()];
  const known = await sql<{ name: string; leads_to: string | null }[]>`
    select name, pg_catalog.to_regclass(name)::oid::text as leads_to
    from pg_catalog.unnest(${names}::text[]) as name`;
  await setSystemPath(sql);
  const expected = known.map((one) => ({ ...one, triggers: [...(tables.get(one.name) ?? [])] }));
  const rows = await sql<{ sentence: string }[]>`
    with present as materialized (
      select k.name, k.leads_to, k.triggers, c.oid, c.relkind, c.relrowsecurity or c.relforcerowsecurity as hides_rows
      from json_to_recordset(${JSON.stringify(expected)}::text::json) as k (name text, leads_to oid, triggers json)
      join pg_class c on c.relname = k.name and c.relnamespace = 'public'::regnamespace
    ), other as (
      select oid, 'function ' || oid::regprocedure as what, 'pg_proc'::regclass as catalog from pg_proc f
      where pronamespace = 'public'::regnamespace and exists (
        select 1 from pg_proc where proname = f.proname and pronamespace = 'pg_catalog'::regnamespace)
      union all
      select oid, 'operator ' || oid::regoperator, 'pg_operator'::regclass from pg_operator o
      where oprnamespace = 'public'::regnamespace and exists (
        select 1 from pg_operator where oprname = o.oprname and oprnamespace = 'pg_catalog'::regnamespace)
    )
    select format('The name %s leads the server to %s, not to its own table.', name, coalesce(leads_to::regclass::text,
      'nothing')) as sentence
    from present
    where leads_to is distinct from oid
    union all
    select format('public.%s is not an ordinary table.', name) from present where relkind <> 'r'
    union all
    select format('The table %s has row-level security, which can hide rows.', name) from present where hides_rows
    union all
    select format('The table %s has the rule %s, which is not the server''s.', p.name, r.rulename)
    from present p join pg_rewrite r on r.ev_class = p.oid
    where p.relkind = 'r'
    union all
    select format('The table %s shares rows with %s by inheritance.', p.name,
      case p.oid when i.inhparent then i.inhrelid else i.inhparent end::regclass)
    from present p join pg_inherits i on p.oid in (i.inhparent, i.inhrelid)
    union all
    select format('The table %s has the trigger %s, which is not the server''s.', p.name, t.tgname)
    from present p join pg_trigger t on t.tgrelid = p.oid
    where not t.tgisinternal
      and not exists (select 1 from json_array_elements_text(p.triggers) as own where own = t.tgname)
    union all
    select format('The trigger %s of the table %s is missing or turned off.', own, p.name)
    from present p cross join lateral json_array_elements_text(p.triggers) as own
    where p.relkind = 'r'
      and not exists (select 1 from pg_trigger t where t.tgrelid = p.oid and t.tgname = own and t.tgenabled = 'O')
    union all
    select format('The %s is found beside the one of PostgreSQL with this name.', what) from other
    where not exists (select 1 from pg_depend d where d.classid = catalog and d.objid = other.oid and d.deptype = 'e')
    limit 1000`;
  return rows.map(({ sentence }) => sentence);
}

/** With the extension Citus: the tenants' tables, spread over its workers (docs/scaling.md, "Citus"); else nothing. */
import { DatabaseRefused, type Sql } from '../open';

const FIRST = 'players'; // the others are placed as it is

/**
 * reference: a copy on each worker. distributed: spread by tenant_id, all of one tenant together on one worker.
 * coordinator: there alone, but known to Citus. What Citus does not know of is committed apart from the workers: after
 * a crash, money could have moved without its entry in the audit log. plain: not known to Citus, because no transaction
 * that writes a tenant's rows writes them.
 */
type Kind = 'reference' | 'distributed' | 'coordinator' | 'plain';

/** What the catalogue does not say (`listKinds`). A table that is not here needs nothing. */
const exceptions: Readonly<Record<string, Kind>> = {
  // Read beside the log, or of all tenants at once.
  book_checks: 'coordinator',
  book_differences: 'coordinator',
  events: 'coordinator',
  notification_channels: 'coordinator',
  notification_deliveries: 'coordinator',
  notification_reads: 'coordinator',
  notifications: 'coordinator',
  player_keys: 'coordinator',
  saved_views: 'coordinator',
  two_factor: 'coordinator',
  api_keys: 'reference', // found before their tenant
  identity_providers: 'reference', // found before their tenant
  // Small, and read beside the rows of every tenant.
  notification_rules: 'reference',
  notification_things: 'reference',
  installation: 'plain',
  migrations: 'plain',
  notification_runs: 'plain',
  rate_limits: 'plain',
  secret_keys: 'plain',
  upkeep: 'plain',
};

export const hasCitus = (sql: Sql): Promise<boolean> =>
  sql`select 1 from pg_extension where extname = 'citus'`.hasRow();

/**
 * Settings of the database, which reach the workers. The triggers are ours and read rows of their own tenant alone. A
 * transaction may write a small table after it has read a large one, and has one connection to each worker.
 */
const settings: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  lock_timeout: '5s',
  'citus.enable_unsafe_triggers': 'on',
  'citus.multi_shard_modify_mode': 'sequential',
};

/** Spreads what is not spread yet, all or nothing. Returns what was done; refuses an unfit cluster or other spread. */
export async function distribute(sql: Sql): Promise<string[]> {
  if (!(await hasCitus(sql))) return [];
  await refuseUnfit(sql);
  for (const [name, value] of Object.entries(settings)) await sql.unsafe(`set local ${name} = '${value}'`);
  const found = await listFound(sql);
  refuseOtherwise(found);
  const missing = found.filter(({ kind, is }) => is === null && kind !== 'plain');
  const said = await setDatabase(sql);
  if (missing.length === 0) return said;
  await sql`set local citus.enable_local_reference_table_foreign_keys = off`;
  const of = (kind: Kind) => missing.filter((one) => one.kind === kind).map(({ name }) => name);
  const [spread, copied, kept] = [of('distributed'), of('reference'), of('coordinator')];
  spread.sort((a, b) => Number(b === FIRST) - Number(a === FIRST));
  await withoutForeignKeys(sql, [...spread, ...copied, ...kept], async () => {
    for (const name of copied) await sql`select create_reference_table(${name}::text::regclass)`;
    for (const name of spread) {
      const beside = name === FIRST ? 'default' : FIRST;
      await sql`select create_distributed_table(${name}::text::regclass, 'tenant_id', colocate_with => ${beside})`;
    }
    for (const name of kept) await sql`select citus_add_local_table_to_metadata(${name}::text::regclass)`;
  });
  return [
    `Citus: spread ${spread.length} tables by tenant, copied ${copied.length} to every worker, ` +
      `and kept ${kept.length} on the coordinator.`,
    ...said,
  ];
}

/** What the cluster needs before a table can be spread, each with the statement that mends it. */
export async function refuseUnfit(sql: Sql): Promise<void> {
  if (!(await hasCitus(sql))) return;
  const [cluster] = await sql<{ workers: number; has_coordinator: boolean }[]>`
    select (select count(*)::int from pg_dist_node where isactive and noderole = 'primary' and groupid <> 0) as workers,
      exists (select 1 from pg_dist_node where groupid = 0) as has_coordinator`;
  if (!cluster?.has_coordinator)
    throw new DatabaseRefused(
      "The coordinator of Citus is not among its nodes. Run: select citus_set_coordinator_host('<its host>', <port>);",
    );
  if (cluster.workers === 0)
    throw new DatabaseRefused("Citus has no workers. Run for each: select citus_add_node('<its host>', <port>);");
  const nodes = await sql<{ nodename: string; prepared: string }[]>`
    select n.nodename || ':' || n.nodeport as nodename, r.result as prepared
    from run_command_on_all_nodes('show max_prepared_transactions') r join pg_dist_node n using (nodeid)
    where not r.success or r.result = '0'`;
  const [node] = nodes;
  if (node)
    throw new DatabaseRefused(
      `Citus commits on several machines as one only if max_prepared_transactions is not 0; it is ${node.prepared} ` +
        `on ${node.nodename}. Set it to 200 on every node and restart them.`,
    );
}

/** Every table of ours: spread if the tenant is in each unique key; else a copy per worker if referred to, or kept. */
export const listKinds = async (sql: Sql): Promise<{ name: string; kind: Kind }[]> => {
  const rows = await sql<{ name: string; derived: Kind }[]>`
    select c.relname as name, case
        when exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary) and not exists (
          select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and not exists (
            select 1 from unnest(i.indkey) as k join pg_attribute a on a.attrelid = c.oid and a.attnum = k
            where a.attname = 'tenant_id')) then 'distributed'
        when exists (select 1 from pg_constraint f
          where f.confrelid = c.oid and f.conrelid <> c.oid and f.contype = 'f') then 'reference'
        else 'coordinator' end as derived
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (
        select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`;
  return rows.map(({ name, derived }) => ({ name, kind: exceptions[name] ?? derived }));
};

interface Found {
  name: string;
  kind: Kind;
  /** What it is; null: Citus does not know it. */
  is: string | null;
}

async function listFound(sql: Sql): Promise<Found[]> {
  const known = await sql<{ name: string; is: string }[]>`
    select c.relname as name, case
        when p.partmethod = 'h' and column_to_column_name(p.logicalrelid, p.partkey) = 'tenant_id'
          and p.colocationid = (select colocationid from pg_dist_partition
            where logicalrelid = to_regclass('public.players')) then 'distributed'
        when p.partmethod = 'n' and p.repmodel = 't' then 'reference'
        when p.partmethod = 'n' and p.repmodel = 's' then 'coordinator'
        else 'otherwise' end as is
    from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace`;
  return (await listKinds(sql)).map((one) => ({
    ...one,
    is: known.find(({ name }) => name === one.name)?.is ?? null,
  }));
}

/** A start on a database that was spread by hand, or for another version, would answer wrongly or not at all. */
function refuseOtherwise(found: readonly Found[]): void {
  // A table that refers to a reference table can have become one of the coordinator by itself.
  const wrong = found.filter(({ kind, is }) => is !== null && is !== kind).map(({ name }) => name);
  if (wrong.length === 0) return;
  throw new DatabaseRefused(
    `Citus has spread ${wrong.join(', ')} otherwise than this version needs. For each of them run: ` +
      `select undistribute_table('${wrong[0]}', cascade_via_foreign_keys => true); then start again.`,
  );
}

/** Sets what the workers must know for the whole database, once. */
async function setDatabase(sql: Sql): Promise<string[]> {
  const rows = await sql<{ setting: string }[]>`
    select unnest(s.setconfig) as setting from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database() and s.setrole = 0`;
  const have = rows.map(({ setting }) => setting.toLowerCase());
  const missing = Object.entries(settings).filter(([name, value]) => !have.includes(`${name}=${value}`.toLowerCase()));
  if (missing.length === 0) return [];
  const [database] = await sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  for (const [name, value] of missing) await sql.unsafe(`alter database ${database?.name} set ${name} = '${value}'`);
  return [`Citus: set ${missing.map(([name, value]) => `${name} = ${value}`).join(', ')} for the database.`];
}

/** A table with foreign keys can be spread neither before nor after those it refers to. They are made again last. */
async function withoutForeignKeys(sql: Sql, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const keys = await sql<{ of_table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as of_table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
      and (conrelid = any(${[...tables]}::text[]::regclass[]) or confrelid = any(${[...tables]}::text[]::regclass[]))
    order by conrelid::regclass::text, conname`;
  for (const { of_table, name } of keys) await sql.unsafe(`alter table ${of_table} drop constraint ${name}`);
  await work();
  for (const { of_table, name, definition } of keys)
    await sql.unsafe(`alter table ${of_table} add constraint ${name} ${definition}`);
}

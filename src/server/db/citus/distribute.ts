/**
 * On a database with the extension Citus: the tables of the tenants, spread over its workers. On any other PostgreSQL
 * nothing happens here (docs/scaling.md, "Citus").
 */
import { DatabaseRefused, type Sql } from '../open';

/** Small, and read beside the rows of every tenant: a copy on each worker. API keys are found before their tenant. */
export const referenceTables: readonly string[] = [
  'admins',
  'api_keys',
  'notification_rules',
  'notification_things',
  'platforms',
  'roles',
  'tenants',
];
/** Spread by tenant_id. What belongs to one tenant is together on one worker. */
export const distributedTables: readonly string[] = [
  'players', // the first: the others are placed as it is
  'alarm_finds',
  'approvals',
  'closed_months',
  'facts',
  'facts_until',
  'idempotency_keys',
  'imported',
  'payment_methods',
  'payment_references',
  'payout_holds',
  'player_counts',
  'player_credentials',
  'player_facts',
  'player_notes',
  'player_tags',
  'redeems',
  'remarks',
  'statement_lines',
  'tenant_platforms',
  'transactions',
  'transfers',
  'wallets',
  'webhook_deliveries',
];
/**
 * On the coordinator, but known to Citus. What Citus does not know of is committed apart from the workers: after a
 * crash, money could have moved without its entry in the audit log.
 */
export const coordinatorTables: readonly string[] = [
  'audit_lanes',
  'audit_log',
  'book_checks',
  'book_differences',
  'known_networks',
  'notification_channels',
  'notification_deliveries',
  'notification_reads',
  'notifications',
  'player_keys',
  'recovery_codes',
  'saved_views',
  'sessions',
  'two_factor',
];
/** Not known to Citus: no transaction that writes a tenant's rows writes them. */
export const plainTables: readonly string[] = [
  'installation',
  'migrations',
  'notification_runs',
  'rate_limits',
  'secret_keys',
  'upkeep',
];

type Kind = 'reference' | 'distributed' | 'coordinator' | 'plain';
const kindOf = (table: string): Kind =>
  referenceTables.includes(table)
    ? 'reference'
    : distributedTables.includes(table)
      ? 'distributed'
      : coordinatorTables.includes(table)
        ? 'coordinator'
        : 'plain';

export async function hasCitus(sql: Sql): Promise<boolean> {
  const [citus] = await sql`select 1 from pg_extension where extname = 'citus'`;
  return citus !== undefined;
}

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

/**
 * Spreads what is not spread yet, in the caller's transaction: all of it or nothing, and what a later migration adds.
 * Returns sentences about what was done. Refuses a cluster that cannot work, and tables that are spread otherwise.
 */
export async function distribute(sql: Sql): Promise<string[]> {
  if (!(await hasCitus(sql))) return [];
  await refuseUnfit(sql);
  for (const [name, value] of Object.entries(settings)) await sql.unsafe(`set local ${name} = '${value}'`);
  const found = await listKinds(sql);
  refuseOtherwise(found);
  const missing = found.filter(({ name, kind }) => kind === null && kindOf(name) !== 'plain').map(({ name }) => name);
  const said = await setDatabase(sql);
  if (missing.length === 0) return said;
  await sql`set local citus.enable_local_reference_table_foreign_keys = off`;
  await withoutForeignKeys(sql, missing, async () => {
    const of = (names: readonly string[]) => names.filter((name) => missing.includes(name));
    for (const name of of(referenceTables)) await sql`select create_reference_table(${name}::text::regclass)`;
    for (const name of of(distributedTables)) {
      const beside = name === 'players' ? 'default' : 'players';
      await sql`select create_distributed_table(${name}::text::regclass, 'tenant_id', colocate_with => ${beside})`;
    }
    for (const name of of(coordinatorTables))
      await sql`select citus_add_local_table_to_metadata(${name}::text::regclass)`;
  });
  const count = (kind: Kind) => missing.filter((name) => kindOf(name) === kind).length;
  return [
    `Citus: spread ${count('distributed')} tables by tenant, copied ${count('reference')} to every worker, ` +
      `and kept ${count('coordinator')} on the coordinator.`,
    ...said,
  ];
}

/** What the cluster needs before a table can be spread, each with the statement that mends it. */
async function refuseUnfit(sql: Sql): Promise<void> {
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

interface Found {
  name: string;
  /** null: Citus does not know it. */
  kind: string | null;
}

/** Every table of ours, and what it is to Citus. */
const listKinds = (sql: Sql): Promise<Found[]> =>
  sql<Found[]>`
    select c.relname as name, case
        when p.logicalrelid is null then null
        when p.partmethod = 'h' and column_to_column_name(p.logicalrelid, p.partkey) = 'tenant_id'
          and p.colocationid = (select colocationid from pg_dist_partition
            where logicalrelid = to_regclass('public.players')) then 'distributed'
        when p.partmethod = 'n' and p.repmodel = 't' then 'reference'
        when p.partmethod = 'n' and p.repmodel = 's' then 'coordinator'
        else 'otherwise' end as kind
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (
        select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.then((rows) => [...rows]);

/** A start on a database that was spread by hand, or for another version, would answer wrongly or not at all. */
function refuseOtherwise(found: readonly Found[]): void {
  // A table that refers to a reference table can have become one of the coordinator by itself.
  const wrong = found.filter(({ name, kind }) => kind !== null && kind !== kindOf(name)).map(({ name }) => name);
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

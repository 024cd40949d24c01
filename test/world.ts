/**
 * The small world every test lives in. Tenants: Platform (1), Acme (2), Bravo (3).
 * Sue is super admin. Ann runs Acme, Ben runs Bravo. Oli is at Acme with another role. Everyone's password is 'secret'.
 * Pam (Acme) and Pat (Bravo) are players, each with $350 credit, $150 held by a pending redeem, and a pending purchase
 * of $80. One database for the whole run, DATABASE_URL's or an embedded one of its own; `reset` empties and refills it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { pino } from 'pino';
import type { Api } from '../src/app/api/client';
import { createApp } from '../src/server/app';
import { createAuditShards } from '../src/server/audit/auditLog';
import { RateLimits } from '../src/server/auth/rateLimits';
import { createSecrets } from '../src/server/auth/secrets';
import { Sessions } from '../src/server/auth/sessions';
import { listSequences, listTables } from '../src/server/backup/tables';
import { seedPlatform } from '../src/server/commands/setup';
import type { Services } from '../src/server/core/context';
import { hasCitus, listKinds } from '../src/server/db/citus/distribute';
import { SUPERUSER } from '../src/server/db/embedded/configFiles';
import { startEmbedded } from '../src/server/db/embedded/embedded';
import { migrate } from '../src/server/db/migrate';
import { type Database, openDatabase, type Sql, type TransactionSql } from '../src/server/db/open';
import { statementChannel } from '../src/server/db/session';
import { splitStatements } from '../src/server/db/statements';
import { adjustBalances, openWallet } from '../src/server/ledger/adjust';
import { createRedeem, createTopUp } from '../src/server/ledger/create';
import { whenDone } from './closing';
import { createApi } from './createApi';
import { knowTables, whyNotDistributable } from './distributable';

export const people = {
  sue: { id: 1, email: 'sue@platform.test', tenant_id: 1 },
  ann: { id: 2, email: 'ann@acme.test', tenant_id: 2 },
  ben: { id: 3, email: 'ben@bravo.test', tenant_id: 3 },
  oli: { id: 4, email: 'oli@acme.test', tenant_id: 2 },
} as const;
export type Person = keyof typeof people;
export const PASSWORD = 'secret';

/** What `reset` leaves of the players' money; the ids are the same after each. */
export const pam = { id: 1, tenant_id: 2, email: 'pam@mail.test', redeem: 1, purchase: 3 } as const;
export const pat = { id: 2, tenant_id: 3, email: 'pat@mail.test', redeem: 2, purchase: 4 } as const;

export let target: Parameters<typeof openDatabase>[0];
async function openWorld(): Promise<Database> {
  const url = process.env['DATABASE_URL'];
  if (url) return openDatabase((target = url), { allowUnsafe: true });
  const folder = mkdtempSync(join(tmpdir(), 'world-'));
  chmodSync(folder, 0o711);
  const embedded = await startEmbedded({ folder });
  whenDone(async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  target = embedded.address;
  const { user, database } = embedded.address;
  const first = await openDatabase({ ...embedded.address, user: SUPERUSER });
  // Nothing here has to outlive a crash, so no COMMIT waits for the disk.
  await first.sql`alter database ${first.sql(database)} set synchronous_commit = off`;
  await first.sql`grant set on parameter session_replication_role, deadlock_timeout to ${first.sql(user)}`;
  await first.close();
  return openDatabase(target, { allowUnsafe: true });
}

export const db = await openWorld();
whenDone(() => db.close());
await migrate(db, undefined, (sentence) => console.log(sentence));
const superuserUrl = process.env['SUPERUSER_URL'];
/** Elsewhere than on Citus whoever the tests are. */
export const superuser = superuserUrl ? await openDatabase(superuserUrl, { poolSize: 1, allowUnsafe: true }) : db;
if (superuser !== db) whenDone(() => superuser.close());
/** Whether it is a database with Citus. */
export const isSpread = await hasCitus(db.sql);
knowTables(await listKinds(db.sql));
/** Where it is, as DATABASE_URL says it. */
export const worldUrl = (): string =>
  typeof target === 'string'
    ? target
    : `postgres://${target.user}@${encodeURIComponent(target.socketFolder)}:${target.port}/${target.database}`;
/** For tests that must look behind the calls. */
export const { sql } = db;

/** Checking a password takes its time on purpose. This hash asks for little of it, as a hash says itself. */
export const hashOfPassword = await hash(PASSWORD, { memoryCost: 32, timeCost: 1, parallelism: 1 });
/** A 500 does not say why; whoever reads the failed test sees it here. */
const log = pino(
  { level: 'error' },
  {
    write(line: string) {
      const { msg, path, err } = JSON.parse(line);
      if (msg === 'unexpected error') console.error(`500 at ${path}: ${err.message}`);
    },
  },
);

export const secretKey = randomBytes(32);
/** Made anew by each reset. */
export let services: Services;
let server: ReturnType<typeof createApp>;
function startServer(): void {
  const secrets = createSecrets(secretKey);
  services = {
    secrets,
    sessions: new Sessions({ idleMinutes: 30, hours: 12 }),
    rateLimits: new RateLimits(sql, secrets),
    businessTimeZone: 'UTC',
  };
  server = createApp({ db, services, log, trustProxy: 0, corsOrigins: ['https://app.example.test'] });
}

startServer();

const filledOnce = ['roles', 'installation', 'migrations'];
/** Every other table from the catalogue. */
const tables = (await listTables(sql)).filter(({ name }) => !filledOnce.includes(name));
/** So many bytes are a few thousand rows, most of them removed before. */
const LARGE = 4_000_000;

/**
 * Nearly every test removes a few rows. `truncate` takes ten times as long: it makes each file of each table and index
 * anew. It is for tables that have grown, and for those that were counted (by vacuum or analyze): a table that was
 * counted when it was empty is scanned for each of a thousand new rows.
 */
async function empty(tx: TransactionSql, then: Filled = nothing): Promise<void> {
  const names = tables.map(({ name }) => name),
    list = names.join(', ');
  // What the last test began ends first, or the database ends it: if each waits for the other, not the reset.
  const telling = globalThis.setTimeout(() => void tellBlockers().catch(console.error), 4_000);
  const patience = `set local deadlock_timeout = '3s'; set local lock_timeout = 0; set local statement_timeout = '30s'`;
  await tx.unsafe(`${patience}; lock table ${list}`).finally(() => clearTimeout(telling));
  const found = await tx<{ name: string; bytes: number; is_counted: boolean }[]>`
    select relname as name, pg_relation_size(oid)::int as bytes, reltuples >= 0 as is_counted
    from pg_class where oid = any (${names}::text[]::regclass[])`;
  const bytes = found.reduce((sum, table) => sum + table.bytes, 0);
  const isAnew = bytes > LARGE || found.some(({ is_counted }) => is_counted);
  const used = found.filter((table) => table.bytes > 0);
  const removals = isAnew ? [`truncate ${list}`] : used.map(({ name }) => `delete from ${name}`);
  const as = (role: string) => `set local session_replication_role = ${role}`; // as a replica no trigger runs
  await tx.unsafe([as('replica'), ...removals, ...then.inserts, as('origin')].join('; '));
  await setSequences(tx, then.sequences);
}

/** For whoever reads the log of a failed test. */
async function tellBlockers(): Promise<void> {
  const others = await sql`
    select b.pid, b.backend_type, b.state, b.query, now() - b.xact_start as since from pg_stat_activity a
      cross join lateral unnest(pg_blocking_pids(a.pid)) as by (pid) join pg_stat_activity b on b.pid = by.pid
    where a.query like '%lock table%'`;
  console.error('the reset waits for', others);
}

/** Every sequence is where these are; the others begin anew. */
const setSequences = (on: Sql, values: Filled['sequences'] = []) => on`
  select setval(format('%I.%I', schemaname, sequencename)::regclass,
    coalesce(v.last_value, 1), v.last_value is not null)
  from pg_sequences s
    left join json_to_recordset(${JSON.stringify(values)}) as v (name text, last_value bigint) on name = sequencename
  where schemaname = 'public' and s.last_value is distinct from v.last_value and sequencename <> 'roles_id_seq'`;

/** What a transaction wrote into the empty tables. */
interface Filled {
  at: Date;
  inserts: readonly string[];
  sequences: Awaited<ReturnType<typeof listSequences>>;
}
const nothing: Filled = { at: new Date(0), inserts: [], sequences: [] };
/** Putting the rows back as they are takes a tenth of the time that the server takes to write them. */
let filled = nothing;
/** Tests take the rows for new ones, of today. */
const isNew = ({ at }: Filled): boolean =>
  Date.now() - at.getTime() < 10_000 && at.getUTCDate() === new Date().getUTCDate();

async function readFilled(tx: TransactionSql): Promise<Filled> {
  const at = new Date();
  const named = tables.map(({ name, columns }) => ({ name, list: columns.map((column) => `"${column}"`).join(', ') }));
  const found = await tx.unsafe<{ name: string; rows: string }[]>(
    named
      .map(
        ({ name, list }) => `select '${name}' as name, json_agg(r)::text as rows from (select ${list} from ${name}) r`,
      )
      .join(' union all '),
  );
  const rowsOf = new Map(found.map(({ name, rows }) => [name, rows]));
  const inserts = named
    .filter(({ name }) => rowsOf.get(name))
    .map(
      ({ name, list }) => `insert into ${name} (${list}) overriding system value
        select ${list} from json_populate_recordset(null::${name}, $rows$${rowsOf.get(name)}$rows$)`,
    );
  return { at, inserts, sequences: await listSequences(tx) };
}

/** On Citus each machine empties what it has, which takes a fraction of the time that `truncate` of them all takes. */
async function emptySpread(tx: TransactionSql): Promise<void> {
  const answers = await superuser.sql<{ result: string }[]>`
    select result from run_command_on_all_nodes(${`
      do $here$
      declare
        shard text;
        is_full boolean;
      begin
        perform set_config('session_replication_role', 'replica', true),
          set_config('citus.enable_manual_changes_to_shards', 'on', true);
        for shard in
          select shard_name(s.logicalrelid, s.shardid) from pg_dist_shard s join pg_dist_placement p using (shardid)
          where p.groupid = (select groupid from pg_dist_local_group) and s.logicalrelid <> 'roles'::regclass
        loop
          execute format('select exists (select 1 from %s)', shard) into is_full;
          if is_full then
            execute format('delete from %s', shard);
          end if;
        end loop;
      end $here$`}) where not success`;
  if (answers[0]) throw new Error(answers[0].result);
  for (const name of ['notification_runs', 'rate_limits', 'secret_keys', 'upkeep']) await tx`delete from ${tx(name)}`;
  await setSequences(tx);
}

/** Nothing is left but the schema and the roles. */
export const emptyWorld = async (tx: TransactionSql): Promise<void> =>
  void (await (isSpread ? emptySpread : empty)(tx));

/** Runs the statements of a text one after another, as Citus wants them. */
export async function runEach(on: Sql, text: string): Promise<void> {
  for (const statement of splitStatements(text)) await on.unsafe(statement);
}

/** As the owner of the database can: past the triggers of these tables. */
export const pastTriggers = (tables: readonly string[], work: (tx: TransactionSql) => PromiseLike<unknown>) =>
  db.tx(async (tx) => {
    for (const table of tables) await tx`alter table ${tx(table)} disable trigger user`;
    await work(tx);
    for (const table of tables) await tx`alter table ${tx(table)} enable trigger user`;
  });

const LOCK_WAITS = `
  select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
/** How many statements wait for a lock, here or on a worker of Citus. */
export async function countLockWaits(): Promise<number> {
  const [row] = isSpread
    ? await sql<{ count: number }[]>`
        select sum(result::int)::int as count from run_command_on_all_nodes(${LOCK_WAITS})`
    : await sql.unsafe<{ count: number }[]>(LOCK_WAITS);
  return Number(row!.count);
}

/** Waits until so many statements wait for a lock. */
export async function untilLocked(least = 1): Promise<void> {
  const until = Date.now() + 30_000;
  for (let waits = await countLockWaits(); waits < least; waits = await countLockWaits()) {
    if (Date.now() > until) throw new Error(`${waits} of ${least} statements wait for a lock`);
    await setTimeout(5);
  }
}
/** Does something in a transaction and begins what must wait for it; then commits. What the other came to. */
export async function whileHeld<T>(
  first: (tx: TransactionSql) => PromiseLike<unknown>,
  meanwhile: () => Promise<T>,
  last: (tx: TransactionSql) => PromiseLike<unknown> = async () => {},
): Promise<T> {
  let waiting: Promise<T> | undefined,
    isOver = false;
  await db.tx(async (tx) => {
    await first(tx);
    waiting = meanwhile().finally(() => {
      isOver = true;
    });
    waiting.catch(() => {}); // whoever called this hears of it, unless what is below fails first
    await untilLocked();
    if (isOver) throw new Error('it did not wait');
    await last(tx);
  });
  return waiting!;
}

/** Waits for a connection that waits for the end of its COMMIT, and ends it. */
export async function endCommit(): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const ended = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where state = 'active' and query = 'commit' and datname = current_database()
        and query_start < clock_timestamp() - interval '200 ms'`;
    if (ended.length) return;
    await setTimeout(20);
  }
  throw new Error('no COMMIT began');
}

export async function reset(): Promise<void> {
  await db.tx(async (tx) => {
    if (isNew(filled)) return empty(tx, filled);
    await emptyWorld(tx);
    await createAuditShards(tx, services.secrets);
    await fill(tx);
    if (!isSpread) filled = await readFilled(tx);
  });
  startServer();
}

async function fill(tx: TransactionSql): Promise<void> {
  await seedPlatform(tx, { timeZone: 'UTC' });
  await tx`insert into tenants (name, description, time_zone) values ('Acme', 'Arcade', 'UTC'), ('Bravo', null, 'UTC')`;
  const roles = { sue: 'super_admin', ann: 'admin', ben: 'admin', oli: 'support' };
  for (const [name, { email, tenant_id }] of Object.entries(people) as [Person, (typeof people)[Person]][]) {
    await tx`
      insert into admins (tenant_id, role_id, email, password_hash)
      select ${tenant_id}, id, ${email}, ${hashOfPassword} from roles where name = ${roles[name]}`;
  }
  await tx`
    insert into players (tenant_id, email, first_name, last_name, phone_number, affiliate_id) values
      (2, ${pam.email}, 'Pam', 'Poe', '+1 (555) 010-2000', 'AFF1'),
      (3, ${pat.email}, 'Pat', 'Quinn', '+1 (555) 010-3000', 'AFF1')`;
  for (const player of [pam, pat]) {
    await openWallet(tx, player.tenant_id, player.id);
    await adjustBalances(tx, {
      tenant_id: player.tenant_id,
      player_id: player.id,
      admin_id: people.sue.id,
      changes: [{ kind: 'credit', operation: 'add', amount: '500' }],
    });
    await createRedeem(tx, {
      tenant_id: player.tenant_id,
      player_id: player.id,
      amount: '150',
      platform: 'vblink',
      payout_method: 'Cash Tag',
      payout_address: '$tag',
      is_manual: false,
      admin_id: null,
      secrets: services.secrets,
    });
  }
  for (const player of [pam, pat]) {
    await createTopUp(tx, {
      tenant_id: player.tenant_id,
      player_id: player.id,
      amount: '80',
      net_amount: '78',
      payment_method: 'card',
      payment_reference: `ref-${player.id}`,
    });
  }
}

/** The database again, as another server has it. */
export const openAnother = (poolSize = 2): Promise<Database> => openDatabase(target, { poolSize, allowUnsafe: true });

/** The same server on the same database with so many connections to it, and how to close them. */
export async function smallServer(poolSize: number) {
  const small = await openDatabase(target, { poolSize, allowUnsafe: true });
  const app = createApp({ db: small, services, log, trustProxy: 0, corsOrigins: [] });
  return {
    fetch: async (url: string, token: string): Promise<Response> =>
      app.fetch(new Request(new URL(url, 'http://test'), { headers: { Authorization: `Bearer ${token}` } })),
    close: small.close,
  };
}

/** The server in place of the network; `env` is what the adapter tells of the line. */
export const fetch = async (url: string, init?: RequestInit, env?: object): Promise<Response> =>
  asServer(async () => server.fetch(new Request(new URL(url, 'http://test'), init), env));

const sentByServer = new AsyncLocalStorage<string[]>();
const judged = new Map<string, string | null>();
statementChannel.subscribe((sent) => {
  const { text } = sent as { text: string };
  const found = sentByServer.getStore();
  if (!found) return; // a statement of a test
  if (!judged.has(text)) judged.set(text, whyNotDistributable(text));
  const why = judged.get(text);
  if (why) found.push(`This statement ${why}:\n${text}`);
});
/** Runs work of the server. It fails if a statement would not run on a database that is spread over machines. */
export async function asServer<T>(work: () => Promise<T>): Promise<T> {
  const found: string[] = [];
  const answer = await sentByServer.run(found, work);
  if (found[0]) throw new Error(found[0]);
  return answer;
}

/** What the adapter tells of a connection over TLS. */
export const overTls = { incoming: { socket: { encrypted: true, remoteAddress: '127.0.0.1' } } };

export interface Raw {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}
/** A call as it stands on the wire; a body that is text already is sent as it is. */
export const send = (method: string, url: string, { token, body, headers }: Raw = {}): Promise<Response> =>
  fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });

export const guest: Api = createApi({ fetch });
/** Signs in through the login call. */
export const signIn = (person: Person) => guest.login({ body: { email: people[person].email, password: PASSWORD } });

/** A session without the login call's password check, which takes its time on purpose. */
export const tokenOf = async (person: Person): Promise<string> =>
  (await services.sessions.start(sql, people[person].id, 'test')).token;
export const as = async (person: Person): Promise<Api> => {
  const token = await tokenOf(person);
  return createApi({ fetch, token: () => token });
};

/** A browser's fetch: keeps the cookies the server sets and sends them where their path says. */
export function newBrowser(): typeof fetch {
  const jar = new Map<string, { value: string; path: string }>();
  return async (url, init) => {
    const { pathname } = new URL(url, 'http://test');
    const headers = new Headers(init?.headers);
    const cookies = [...jar]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    if (cookies.length) headers.set('Cookie', cookies.join('; '));
    const response = await fetch(url, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0/i.test(line)) jar.delete(name);
      else jar.set(name, { value, path: /; Path=([^;]+)/i.exec(line)?.[1] ?? '/' });
    }
    return response;
  };
}
/** Signed in with the login call, in a browser that keeps the checkout cookie. */
export async function withCookie(person: Person): Promise<Api> {
  const browser = newBrowser();
  const { access_token } = await createApi({ fetch: browser }).login({
    body: { email: people[person].email, password: PASSWORD },
  });
  return createApi({ fetch: browser, token: () => access_token });
}
/** A player at the checkout, known by the cookie of an account alone. */
export async function atCheckout(adminId: number): Promise<Api> {
  const { checkout } = await services.sessions.start(sql, adminId, 'test');
  return createApi({
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { 'Content-Type': 'application/json', Cookie: `checkout=${checkout}` } }),
  });
}

/** The HTTP status a call was refused with. Fails if it was not refused. */
export const refused = (work: Promise<unknown>): Promise<number> => refusal(work).then(({ status }) => status);
/** The status and the server's words of a refusal. Fails if there was none. */
export const refusal = (work: Promise<unknown>): Promise<{ status: number; detail: string }> =>
  work.then(
    () => {
      throw new Error('expected a refusal, got an answer');
    },
    (error: unknown) => {
      if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
        return {
          status: error.status,
          detail: 'detail' in error && typeof error.detail === 'string' ? error.detail : '',
        };
      }
      throw error;
    },
  );

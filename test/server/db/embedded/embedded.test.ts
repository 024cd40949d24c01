import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Embedded, startEmbedded } from '../../../../src/server/db/embedded/embedded';
import { type Database, DatabaseRefused, isTimeout, isUnavailable, openDatabase } from '../../../../src/server/db/open';
import { catchError } from '../../catchError';
import { newGate } from '../../gate';
import { knock, ownerOf } from '../databaseUser';

const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
const messages: string[] = [];
let embedded: Embedded;
let db: Database;

const say = (level: string, message: string) => messages.push(`${level} ${message}`);
test.before(async () => {
  embedded = await startEmbedded({ folder, poolSize: 4, say });
  db = await openDatabase(embedded.address, { poolSize: 4 });
});
test.after(async () => {
  await db.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
});

const readSetting = async (name: string): Promise<unknown> =>
  (await db.sql`select current_setting(${name}) as value`.one())['value'];

test('what is acknowledged is on the disk', async () => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'])
    assert.is(await readSetting(name), 'on', name);
});

test('the database has no network address, and its socket is in a private folder [ASVS 13.2.1]', async () => {
  assert.is(await readSetting('listen_addresses'), '');
  assert.is(statSync(embedded.address.socketFolder).mode & 0o777, 0o700);
  assert.is(statSync(join(folder, 'postgres')).mode & 0o777, 0o700);
});

test('the database refuses other users of the machine even at the socket', async () => {
  // Root can try the database's own user, who may enter the socket's folder. Otherwise only we ourselves may connect.
  const { socketFolder } = embedded.address;
  const said = knock(isRoot ? ownerOf(socketFolder) : undefined, socketFolder, 'back_office');
  assert.match(said, isRoot ? /Peer authentication failed/ : /^R/);
});

test('the server uses a role that only owns its database [ASVS 13.2.2]', async () => {
  const [role] = await db.sql`
    select current_user as name, rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user`;
  assert.equal({ ...role }, { name: 'back_office', rolsuper: false, rolcreaterole: false, rolcreatedb: false });
});

test('names sort as people sort them, and every script has its letters', async () => {
  const [sorted] = await db.sql`
    select string_agg(name, ' ' order by name) as names
    from unnest(array['Zoe', 'adam', 'Élan', 'Eve', 'Адам', 'bob']) as name`;
  assert.is(sorted?.['names'], 'adam bob Élan Eve Zoe Адам');
  await db.sql`create extension if not exists pg_trgm`;
  const [row] = await db.sql`select lower('ŽЙΣ') as lower, cardinality(show_trgm('Иван')) as trigrams`;
  assert.equal({ ...row }, { lower: 'žйς', trigrams: 5 });
});

test('numbers arrive as numbers, days as text, moments as dates', async () => {
  const [row] = await db.sql`
    select 9007199254740991::int8 as big, 999999999999.99::numeric(14,2) as money, '2024-02-29'::date as day,
      '2024-02-29T12:00Z'::timestamptz as moment, array[1.5]::numeric[] as list`;
  const numbers = { big: 9007199254740991, money: 999999999999.99, list: [1.5] };
  assert.equal({ ...row }, { ...numbers, day: '2024-02-29', moment: new Date('2024-02-29T12:00Z') });
  const [back] = await db.sql`
    select ${'2024-02-29'}::date as day, ${12.34}::numeric(14,2) as money, ${'12.34'}::numeric(14,2) as text`;
  assert.equal({ ...back }, { day: '2024-02-29', money: 12.34, text: 12.34 });
});

test('a number too large to be exact is an error, never a wrong figure', async () => {
  assert.match((await catchError(db.sql`select 9007199254740993::int8`)).message, /too large/);
  assert.match((await catchError(db.sql`select array[9007199254740993]::int8[]`)).message, /too large/);
});

test('a sum of money above what a number holds to the cent is the nearest number', async () => {
  const [row] = await db.sql`
    select 90071992547409.91::numeric as exact, 9007199254740993.01::numeric as large,
      10000000000000000 * 1.0 as round`;
  assert.equal({ ...row }, { exact: 90071992547409.91, large: 9007199254740994, round: 1e16 });
});

const counted = async () => (await db.sql`select n from counters`).map(({ n }) => n);
test('a transaction that meets a deadlock is run again, and both go through', async () => {
  await db.sql`create table counters (id int primary key, n int not null)`;
  await db.sql`insert into counters values (1, 0), (2, 0)`;
  let runs = 0;
  const bothHold = newGate();
  const both = (first: number, second: number) =>
    db.tx(async (sql) => {
      await sql`update counters set n = n + 1 where id = ${first}`;
      if (++runs === 2) bothHold.open();
      await bothHold.opened;
      await sql`update counters set n = n + 1 where id = ${second}`;
      return first;
    });
  assert.equal(await Promise.all([both(1, 2), both(2, 1)]), [1, 2]);
  assert.ok(runs > 2, 'there was a deadlock');
  assert.equal(await counted(), [2, 2]);
});

test('a transaction that throws leaves nothing behind', async () => {
  await catchError(
    db.tx(async (sql) => {
      await sql`update counters set n = 100`;
      throw new Error('no');
    }),
  );
  assert.equal(await counted(), [2, 2]);
});

test('a statement that takes too long is ended, and told apart from a database that is gone', async () => {
  const error = await catchError(
    db.tx(async (sql) => {
      await sql`set local statement_timeout = 50`;
      await sql`select pg_sleep(5)`;
    }),
  );
  assert.ok(isTimeout(error));
  assert.not.ok(isUnavailable(error));
});

test('every statement, lock and idle transaction has a time limit [ASVS 15.1.3]', async () => {
  assert.is(await readSetting('statement_timeout'), '10s');
  assert.is(await readSetting('lock_timeout'), '5s');
  assert.is(await readSetting('idle_in_transaction_session_timeout'), '15s');
});

test('a folder in use is refused', async () => {
  const error = await catchError(startEmbedded({ folder }));
  assert.instance(error, DatabaseRefused);
  assert.match(error.message, new RegExp(`process ${process.pid}\\) is already using the folder`));
  const locks = readdirSync(folder).filter((name) => name.startsWith('server.lock'));
  assert.equal(locks, ['server.lock'], 'nothing of the refused start is left');
});

test('with another version of ICU the indexes are rebuilt instead of trusted', async () => {
  await embedded.stop();
  await db.close();
  embedded = await startEmbedded({ folder });
  const superuser = await openDatabase({ ...embedded.address, user: 'postgres', database: 'postgres' });
  await superuser.sql`update pg_database set datcollversion = '1.2' where datname = 'back_office'`;
  await superuser.close();
  await embedded.stop();
  messages.length = 0;
  embedded = await startEmbedded({ folder, say });
  assert.ok(messages.some((message) => /rebuilding the indexes of back_office/.test(message)));
  db = await openDatabase(embedded.address);
  const [row] = await db.sql`
    select datcollversion = pg_database_collation_actual_version(oid) as ok
    from pg_database where datname = 'back_office'`;
  assert.is(row?.['ok'], true);
  assert.is((await db.sql`select * from counters`).length, 2);
});

test('a database that dies is started again, and callers meanwhile are told it is unavailable', async () => {
  const before = embedded.pid();
  assert.ok(before);
  process.kill(before, 'SIGKILL');
  const errors: unknown[] = [];
  for (const until = Date.now() + 15_000; Date.now() < until; ) {
    const failed = await db.sql`select 1`.then(
      () => false,
      (error: unknown) => errors.push(error),
    );
    if (!failed && embedded.pid() !== before) break;
    await setTimeout(20);
  }
  for (const error of errors) assert.ok(isUnavailable(error), String(error));
  assert.ok(errors.length > 0);
  assert.is((await db.sql`select * from counters`).length, 2, 'what was committed is there');
});

test('a database of another major version is refused, and it is said how to bring it over', async () => {
  const other = mkdtempSync(join(tmpdir(), 'other-major-'));
  mkdirSync(join(other, 'postgres'));
  writeFileSync(join(other, 'postgres/PG_VERSION'), '17\n');
  const { message } = await catchError(startEmbedded({ folder: other }));
  const why = `PostgreSQL 17 made the database in ${other}/postgres, and PostgreSQL 18 cannot read it.`,
    help = 'Make a backup with the version of the back-office that it was made with, and restore it with this one';
  assert.is(message, `${why} ${help} (docs/upgrading.md).`);
  assert.equal(readdirSync(join(other, 'postgres')), ['PG_VERSION']);
  rmSync(other, { recursive: true });
});

test('a folder where nothing can be written is refused in one sentence', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const error = await catchError(startEmbedded({ folder: join(file, 'data') }));
  assert.instance(error, DatabaseRefused);
  assert.match(error.message, /\(DATA_DIR\) cannot be created or written to/);
});

test('statements and the people in them stay out of the log', async () => {
  await db.sql`create table mails (mail text primary key)`;
  await db.sql`insert into mails values ('pam@mail.test')`;
  await catchError(db.sql`insert into mails values ('pam@mail.test')`);
  await catchError(db.sql`select 'pam@mail.test'::int`);
  await setTimeout(50);
  assert.not.match(messages.join('\n'), /pam@/);
});

if (isRoot) {
  test('a folder copied without its owner or its mode is refused with what helps', async () => {
    const copied = mkdtempSync(join(tmpdir(), 'copied-')),
      cluster = join(copied, 'postgres');
    await (await startEmbedded({ folder: copied })).stop();
    spawnSync('chown', ['-R', '0:0', cluster]);
    const error = await catchError(startEmbedded({ folder: copied }));
    const [, owner = '', named = ''] = /belongs to uid 0, .*: chown -R (\d+:\d+) '(.*)'$/.exec(error.message) ?? [];
    assert.is(named, cluster, error.message);
    spawnSync('chown', ['-R', owner, named]);
    await (await startEmbedded({ folder: copied })).stop();
    chmodSync(cluster, 0o777);
    const { message } = await catchError(startEmbedded({ folder: copied }));
    assert.match(message, `data directory "${cluster}" has invalid permissions`);
    rmSync(copied, { recursive: true });
  });

  test('as root the data stays in a folder that only root can enter', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'closed-'));
    chmodSync(closed, 0o700);
    const own = await startEmbedded({ folder: join(closed, 'deep', 'data') });
    const inside = await openDatabase(own.address);
    assert.is((await inside.sql`select 1`).length, 1);
    await inside.close();
    await own.stop();
    const { uid } = statSync(join(closed, 'deep', 'data', 'postgres'));
    assert.is.not(uid, 0);
    assert.is(statSync(dirname(join(closed, 'deep'))).mode & 0o777, 0o700, 'and it stays closed');
    rmSync(closed, { recursive: true });
  });
} else {
  test.skip('as root the data stays in a folder that only root can enter (needs root)', () => {});
}

test.run();

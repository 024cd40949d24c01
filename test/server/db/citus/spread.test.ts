/** What only a database with Citus shows: tables that are spread over its machines. `npm run test:citus` gives one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openBackup } from '../../../../src/server/backup/manifest';
import { restoreBackup } from '../../../../src/server/backup/restore';
import { writeBackup } from '../../../../src/server/backup/write';
import { verifyLedger } from '../../../../src/server/books/verify';
import { encryptKeyCheck } from '../../../../src/server/commands/setup';
import { distribute, listKinds } from '../../../../src/server/db/citus/distribute';
import { migrate } from '../../../../src/server/db/migrate';
import { type Database, DatabaseRefused, openDatabase, type Sql } from '../../../../src/server/db/open';
import { statementChannel } from '../../../../src/server/db/session';
import { pluck } from '../../../answers';
import { ann } from '../../../callers';
import { spreadDatabase } from '../../../spread.mjs';
import { db, isSpread, pam, reset, secretKey, services, sql, superuser } from '../../../world';
import { catchError } from '../../catchError';

test.before(reset);
const testSpread = isSpread ? test : test.skip;

const listSpread = (on: Sql) => on<{ name: string; kind: string }[]>`
  select logicalrelid::text as name,
    case when partmethod = 'h' then 'distributed' when repmodel = 't' then 'reference' else 'coordinator' end as kind
  from pg_dist_partition order by 1`;
const expected = (await listKinds(sql)).filter(({ kind }) => kind !== 'plain');
const rows = async (on: Sql = sql) => [...(await listSpread(on))].map((row) => ({ ...row }));

testSpread('the migrations have spread every table as its keys say, and again they do nothing', async () => {
  assert.equal(await rows(), expected);
  const keys = sql<{ count: number }[]>`select count(*)::int from pg_constraint where contype = 'f'`;
  const [before] = await keys;
  assert.equal(await db.tx(distribute), []);
  assert.equal(await migrate(db), []);
  assert.equal(await sql`select count(*)::int from pg_constraint where contype = 'f'`.then(([row]) => row), before);
  assert.ok((before?.count ?? 0) > 30, 'the foreign keys are there again');
});

testSpread('what a later migration adds is spread then, and one that is killed leaves nothing behind', async () => {
  const add = (isKilled: boolean) =>
    db.tx(async (tx) => {
      await tx`set local citus.enable_local_reference_table_foreign_keys = off`;
      await tx`drop table remarks`;
      await tx`
        create table remarks (
          tenant_id bigint not null references tenants, id bigint, primary key (tenant_id, id))`;
      const said = await distribute(tx);
      if (isKilled) await tx`select pg_terminate_backend(pg_backend_pid()::int)`;
      assert.match(said[0] ?? '', /^Citus: spread 1 tables by tenant, copied 0 .* kept 0 /);
      throw new Error('enough');
    });
  assert.is((await catchError(add(false))).message, 'enough');
  assert.equal(await rows(), expected);
  await catchError(add(true));
  assert.equal(await rows(), expected);
  assert.equal(await db.tx(distribute), []);
});

testSpread('a table that was spread otherwise is refused with the statement that mends it', async () => {
  const refused = await catchError(
    superuser.tx(async (tx) => {
      await tx`update pg_dist_partition set repmodel = 't', partmethod = 'n' where logicalrelid = 'sessions'::regclass`;
      await distribute(tx);
    }),
  );
  assert.instance(refused, DatabaseRefused);
  assert.match(refused.message, /^Citus has spread sessions otherwise .* select undistribute_table\('sessions'/);
});

testSpread('money and its entry in the log are committed as one on two machines', async () => {
  const prepared = sql<{ result: string }[]>`
    select result from run_command_on_workers('select count(*) from pg_prepared_xacts')`;
  await ann.adjustBalances({ id: pam.id, body: { credit: 5, reason: 'goodwill' } });
  assert.equal(new Set(pluck(await prepared, 'result')), new Set(['0']));
  const [moved] = await sql<{ transactions: number }[]>`select count(*)::int as transactions from pg_dist_transaction`;
  assert.ok((moved?.transactions ?? 0) > 0, 'the coordinator keeps a record of what it has committed in two phases');
});

/** Where the server is killed: what is left is an empty database, and then tables that are spread and have no rows. */
const killedAt = [/\bcreate table tenants\b/, /^truncate /];
testSpread('the owner of a database restores a backup, also over what one that was killed has left', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'spread-')),
    folder = join(parent, 'backup');
  const made = await spreadDatabase(process.env['SUPERUSER_URL'] ?? '', 'back_office_restored');
  const client = new pg.Client(made.SUPERUSER_URL);
  await client.connect();
  const withOne = async (work: (one: Database) => Promise<unknown>) => {
    const one = await openDatabase(made.DATABASE_URL, { poolSize: 1, allowUnsafe: true });
    await work(one).finally(() => one.close());
  };
  const restore = (isReplacing: boolean) =>
    withOne(async (one) => {
      await restoreBackup(one, openBackup(folder, [secretKey]), { isReplacing });
      assert.equal(await migrate(one), []);
      assert.equal(await rows(one.sql), expected);
      assert.equal(await verifyLedger(one.sql), []);
    });
  const restoreKilledAt = async (statement: RegExp, isReplacing: boolean) => {
    let killed: Promise<unknown> | undefined;
    const kill = (message: unknown) => {
      if (statement.test((message as { text: string }).text))
        killed ??= client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'gaming%'`);
    };
    statementChannel.subscribe(kill);
    await catchError(restore(isReplacing)).finally(() => statementChannel.unsubscribe(kill));
    await killed;
  };
  try {
    const key_check = encryptKeyCheck(services.secrets);
    await sql`insert into installation (is_demo, is_filled, key_check) values (false, true, ${key_check})`;
    await writeBackup(db, folder, services.secrets);
    await restore(false);
    let isReplacing = true;
    for (const statement of killedAt) {
      await restoreKilledAt(statement, isReplacing);
      await withOne(async (one) => assert.match((await catchError(migrate(one))).message, /^A restore of this/));
      isReplacing = false; // what it has left may be overwritten
    }
    await restore(false);
  } finally {
    await client.end();
    await sql`delete from installation`;
    rmSync(parent, { recursive: true });
  }
});

test('the tests know whether the database is spread', () => assert.type(isSpread, 'boolean'));

test.run();

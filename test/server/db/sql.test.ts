/** How statements are put together, and what becomes of values on the way to the database and back. */
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readAddress, readAddresses } from '../../../src/server/db/address';
import { type Database, isUnavailable, openDatabase, UnknownOutcome } from '../../../src/server/db/open';
import { openPool } from '../../../src/server/db/pool';
import { pluck } from '../../answers';
import { db, sql, target, worldUrl } from '../../world';
import { catchError } from '../catchError';

test.after(async () => {
  await sql`drop table if exists things`;
});

test('values of every type come back as they were sent', async () => {
  const at = new Date('2026-03-29T00:59:59.123Z');
  const row = await sql`
    select ${true} as yes, ${false} as no, ${at} as at, ${at}::timestamptz - interval '1 day' as before,
      ${at} - ${3}::int * interval '1 hour' as earlier, ${Buffer.from([0, 255])} as bytes, ${null}::text as nothing,
      ${'a "quoted" \\ text'}::text as text, ${12}::bigint as big, ${'10.50'}::numeric as exact, ${4}::int2 as small,
      ${'2026-03-29'}::date as day, ${1.5}::float8 as float, ${10n} as whole`.one();
  assert.equal(row, {
    ...{ yes: true, no: false, at, nothing: null, text: 'a "quoted" \\ text', day: '2026-03-29' },
    before: new Date(at.getTime() - 24 * 3_600_000),
    earlier: new Date(at.getTime() - 3 * 3_600_000),
    ...{ bytes: Buffer.from([0, 255]), big: 12, exact: 10.5, small: 4, float: 1.5, whole: 10 },
  });
});

test('so do arrays and JSON', async () => {
  const days = [new Date(0), new Date('2026-01-01T00:00:00Z')],
    made = { a: [1, 'x', null], b: { c: 'ü' } };
  const row = await sql`
    select ${[1, 2]}::bigint[] as numbers, ${['a,b', 'c"d', '']}::text[] as texts, ${[]}::text[] as none,
      ${days} as days, ${[true, false]} as flags, ${sql.json(made)} as made,
      ${JSON.stringify(made)}::text::json as written, array[null, 'x']::text[] as gaps,
      array[[1, 2], [3, 4]]::numeric[] as nested`.one();
  assert.equal(row, {
    ...{ numbers: [1, 2], texts: ['a,b', 'c"d', ''], none: [], days, flags: [true, false] },
    ...{ made, written: made, gaps: [null, 'x'], nested: JSON.parse('[[1, 2], [3, 4]]') },
  });
});

test('names, fragments and columns become parts of a statement', async () => {
  await sql`drop table if exists things`;
  await sql`create table things (id int primary key, "odd "" name" text, kept jsonb, at timestamptz)`;
  const rows = [
    { id: 1, 'odd " name': "it's", kept: { list: [1] }, at: new Date(0) },
    { id: 2, 'odd " name': null, kept: null, at: null },
  ];
  const written = await sql`insert into things ${sql(rows)}`;
  assert.is(written.count, 2);
  const condition = sql`${sql('things.id')} >= ${1}`;
  const found = await sql`select ${sql(['id', 'odd " name', 'kept', 'at'])} from ${sql('things')}
    where ${condition} and ${sql`id < ${10}`} order by ${sql.unsafe('id desc')}`;
  assert.equal([...found], rows.toReversed());
  const changed = await sql`update things set ${sql({ 'odd " name': 'new', at: null })} where ${condition}`;
  assert.is(changed.count, 2);
  assert.is((await sql`select 1 from things where "odd "" name" = 'new' and at is null`).length, 2);
  assert.throws(() => sql`select ${undefined as never}`, /undefined/);
  assert.throws(() => sql({}), /no columns/);
});

test('what looks like SQL in a value stays a value', async () => {
  const evil = "'); drop table tenants; --";
  assert.is((await sql`select ${evil}::text as text`.one())['text'], evil);
  assert.is((await sql`select count(*) from tenants where name = ${evil}`.one())['count'], 0);
  const asName = await catchError(sql`select 1 from ${sql('tenants"; drop table tenants; --')}`);
  assert.match(asName.message, /does not exist/);
});

test('a statement runs once, when it is first waited for', async () => {
  await sql`drop sequence if exists test_runs`;
  await sql`create sequence test_runs`;
  const statement = sql<{ n: number }[]>`select nextval('test_runs') as n`;
  const answers = await Promise.all([statement, statement, statement.then((rows) => rows)]);
  assert.is(answers.map(([row]) => row?.n).join(), '1,1,1');
  sql`select nextval('test_runs')`; // nobody waits
  assert.is((await sql<{ n: number }[]>`select nextval('test_runs') as n`.one()).n, 2);
  await sql`drop sequence test_runs`;
});

test('a statement that has failed makes its transaction fail, even if nobody minds', async () => {
  const error = await catchError(
    db.tx(async (tx) => {
      await tx`insert into tenants (name, time_zone) values ('Ignored', 'UTC')`;
      await tx`select 1 / 0`.catch(() => {});
    }),
  );
  assert.match(error.message, /division by zero/);
  assert.is((await sql`select 1 from tenants where name = 'Ignored'`).length, 0);
});

test('a savepoint that fails takes back what it wrote, and the transaction goes on', async () => {
  const names = await db.tx(async (tx) => {
    await tx`insert into tenants (name, time_zone) values ('Kept 1', 'UTC')`;
    const failed = await catchError(
      tx.savepoint(async (inner) => {
        await inner`insert into tenants (name, time_zone) values ('Undone', 'UTC')`;
        await inner`select 1 / 0`;
      }),
    );
    assert.match(failed.message, /division by zero/);
    await tx.savepoint((inner) => inner`insert into tenants (name, time_zone) values ('Kept 2', 'UTC')`);
    return pluck(await tx`select name from tenants where name like 'Kept _' or name = 'Undone' order by 1`, 'name');
  });
  assert.equal(names, ['Kept 1', 'Kept 2']);
  await sql`delete from tenants where name like 'Kept _'`;
});

test('a transaction that is over sends nothing on the connection of somebody else', async () => {
  const over = await db.tx(async (tx) => {
    await tx`select 1`;
    return { tx };
  });
  const late = (async () => over.tx`insert into tenants (name, time_zone) values ('Late', 'UTC')`)();
  assert.match((await catchError(late)).message, /over/);
  assert.is((await sql`select 1 from tenants where name = 'Late'`).length, 0);
});

test('a change of a table does not break the statements that were prepared before', async () => {
  await sql`drop table if exists things`;
  await sql`create table things (id int)`;
  await sql`insert into things values (1)`;
  const all = (of: typeof sql | Parameters<Parameters<Database['tx']>[0]>[0]) => of`select * from things`;
  for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 10 }, () => all(sql)));
  await sql`alter table things add column more text default 'x'`;
  for (let n = 0; n < 3; n++)
    assert.equal([...(await db.tx(async (tx) => all(tx)))], [{ id: 1, more: 'x' }], 'in a transaction');
  await sql`alter table things add column most int default 2`;
  for (let n = 0; n < 3; n++) assert.equal([...(await all(sql))], [{ id: 1, more: 'x', most: 2 }]);
});

test('only a COMMIT that was sent has an unknown outcome', async () => {
  const ended = async (after: boolean) =>
    catchError(
      db.tx(async (tx) => {
        const { pid } = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`.one();
        await sql`select pg_terminate_backend(${pid}::int)`;
        if (!after) return void (await tx`select pg_sleep(1)`);
        while ((await sql`select 1 from pg_stat_activity where pid = ${pid}::int`).length);
        await setTimeout(20); // the end has arrived
      }),
    );
  for (const after of [true, false]) {
    const error = await ended(after);
    assert.ok(isUnavailable(error), String(error));
    assert.not.ok(error instanceof UnknownOutcome);
  }
});

test('a refusal at COMMIT is one: nothing was written, and the connection goes on', async () => {
  await sql`drop table if exists things`;
  await sql`create table things (id int unique deferrable initially deferred)`;
  const error = await catchError(db.tx((tx) => tx`insert into things values (1), (1)`));
  assert.not.ok(error instanceof UnknownOutcome);
  assert.match(error.message, /duplicate key/);
  assert.is((await sql`select 1 from things`).length, 0);
});

test('a pool that is closed refuses who still waits, and ends what takes too long', async () => {
  const own = await openDatabase(target, { poolSize: 1, allowUnsafe: true });
  const slow = catchError(own.sql.begin('', (tx) => tx`select pg_sleep(30)`)),
    waiting = catchError(own.sql`select 1`);
  while (!(await sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).length) await setTimeout(10);
  await own.sql.end({ timeoutMs: 100 });
  for (const error of [await slow, await waiting, await catchError(own.sql`select 1`)])
    assert.ok(isUnavailable(error), String(error));
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event = 'PgSleep' and datname = current_database()`; // which has not noticed yet
});

test('of several hosts the one that answers is used, and again after it was away', async () => {
  // Nothing listens on port 1.
  const several = worldUrl().replace('@', '@127.0.0.1:1,');
  const own = openPool(several, { size: 3 });
  const found = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => own<{ n: number }[]>`select ${n}::int as n`));
  assert.is(found.map(([row]) => row!.n).join(), '1,2,3,4,5,6');
  const [{ pid } = { pid: 0 }] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await sql`select pg_terminate_backend(${pid}::int)`;
  await own`select 1`.catch(() => {}); // may still get the connection that has ended
  assert.is((await own`select 1 as one`).length, 1);
  await own.end({ timeoutMs: 1000 });
  const away = openPool('postgres://o@127.0.0.1:1,127.0.0.1:2/x', { size: 2 });
  assert.ok(isUnavailable(await catchError(away`select 1`)));
  await away.end({ timeoutMs: 1000 });
});

test('a URL says where the database is, who asks, and how', () => {
  const env = { PGHOST: '/run/postgres', PGUSER: 'somebody', PGPASSWORD: 'known' };
  const url = 'postgres://o%40r:p%2Fw@db.internal:6000/na%20me?sslmode=verify-full&search_path=a';
  const { config, settings } = readAddress(url, env);
  const named = { host: 'db.internal', port: 6000, user: 'o@r', password: 'p/w', database: 'na me', ssl: {} };
  assert.equal([{ ...config }, settings], [named, { search_path: 'a' }]);
  const known = { host: '/run/postgres', port: 5432, user: 'somebody', password: 'known', database: 'name' };
  assert.equal({ ...readAddress('postgres:///name', env).config }, { ...known, ssl: false });
  assert.is(readAddress('postgres://owner@%2Fvar%2Frun%2Fpg/name', {}).config.host, '/var/run/pg');
  assert.is(readAddress('postgres://owner@[::1]/name', {}).config.host, '::1');
  const several = readAddresses('postgres://o:p@one:6000,two,[::1]:6001/name?sslmode=verify-full');
  const same = { user: 'o', password: 'p', database: 'name', ssl: {} };
  const hosts = Object.entries({ one: 6000, two: 5432, '::1': 6001 }).map(([host, port]) => ({ host, port, ...same }));
  assert.equal(pluck(several, 'config'), hosts);
  const tls = (query: string) => readAddress(`postgres://a@b/c${query}`, {}).config.ssl;
  for (const query of ['', '?sslmode=disable', '?ssl=false', '?sslmode=&ssl=']) assert.is(tls(query), false, query);
  for (const query of ['?sslmode=require', '?sslmode=prefer', '?sslmode=allow', '?ssl=require'])
    assert.equal(tls(query), { rejectUnauthorized: false }, query);
  for (const query of ['?sslmode=verify-full', '?sslmode=verify-ca', '?sslrootcert=system', '?ssl=true'])
    assert.equal(tls(query), {}, query);
});

test.run();

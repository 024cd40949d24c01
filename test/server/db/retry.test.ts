/** What the server does when the database gives a transaction up, or is gone in the middle of one. */
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { isTimeout, isUnavailable, type Sql } from '../../../src/server/db/open';
import { pluck } from '../../answers';
import { ann } from '../../callers';
import { db, isSpread, pam, reset, runEach, send, sql, tokenOf } from '../../world';
import { catchError } from '../catchError';

/** Makes the next so many attempts at a new redeem fail; a sequence counts them, because it is not rolled back. */
async function failNext(times: number, code: string): Promise<void> {
  await mend();
  const failing = `
    create sequence test_attempts;
    create function test_fail() returns trigger language plpgsql as $$
    begin
      if nextval('test_attempts') <= ${times} then raise exception 'given up' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger test_fail after insert on redeems for each row execute function test_fail()`;
  await runEach(sql, failing);
}
const MEND = `
  drop trigger if exists test_fail on redeems;
  drop function if exists test_fail;
  drop sequence if exists test_attempts`;
const mend = () => runEach(sql, MEND);
const attempts = async () => Number((await sql`select last_value from test_attempts`)[0]!['last_value']);
const wish = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'a' } as const;
const redeem = { ...wish, user_email: pam.email, amount: '10' };
const held = async () => (await sql`select held_balance from wallets where player_id = ${pam.id}`)[0]!['held_balance'];

test.before.each(reset);
test.after.each(async () => {
  await mend();
  assert.equal(await verifyLedger(sql), []);
});

// On Citus the trigger runs on a worker, which does not have the sequence that it counts with.
const testHere = isSpread ? test.skip : test;
for (const [what, code] of Object.entries({ 'a serialization failure': '40001', 'a deadlock': '40P01' })) {
  testHere(`${what} is tried again, and takes effect once`, async () => {
    await failNext(3, code);
    const { id } = await ann.createManualRedeem({ body: redeem });
    assert.is(await attempts(), 4);
    assert.equal(pluck(await ann.listRedeems(), 'id'), [id, pam.redeem]);
    assert.is(await held(), 160);
  });

  testHere(`${what} that does not end is a 503 that says when to come back, and nothing is written`, async () => {
    await failNext(1000, code);
    const response = await send('POST', '/api/v1/admin/redeems/manual', { token: await tokenOf('ann'), body: redeem });
    assert.is(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.match((await response.json()).detail, /busy/);
    assert.is(await attempts(), 5);
    assert.is(await held(), 150);
  });
}

test('a read that is given up is asked again, as often as a write', async () => {
  const given = (times: number) =>
    runEach(
      sql,
      `
    create sequence test_attempts;
    create function test_read() returns int language plpgsql as $$
    begin
      if nextval('test_attempts') <= ${times} then raise exception 'given up' using errcode = '40001'; end if;
      return 7;
    end $$`,
    );
  const asked = () => db.read(async (of) => (await of`select test_read() as seven`)[0]!['seven']);
  try {
    await given(4);
    assert.is(await asked(), 7);
    await sql`drop sequence test_attempts`;
    await sql`drop function test_read`;
    await given(1000);
    assert.ok(isTimeout(await catchError(asked())));
    assert.is(await attempts(), 5);
  } finally {
    await sql`drop function if exists test_read`;
  }
});

test('calls one after the other have the same connection, whose statements are prepared', async () => {
  const connection = async (on: Sql = sql) => Number((await on`select pg_backend_pid() as pid`)[0]!['pid']);
  const slowly = () => db.tx((tx) => tx`select pg_sleep(0.05)`.then(() => connection(tx)));
  const open = new Set(await Promise.all(Array.from({ length: 5 }, slowly)));
  assert.ok(open.size > 1);
  const used = await connection();
  for (let n = 0; n < 5; n++) assert.equal([await connection(), await db.tx(connection)], [used, used]);
});

test('a refusal is not tried again', async () => {
  await failNext(1, '23514');
  const response = await send('POST', '/api/v1/admin/redeems/manual', { token: await tokenOf('ann'), body: redeem });
  assert.is(response.status, 500);
  assert.is(await attempts(), 1);
});

test('a node of Citus that ends in a statement is an outage, other errors with its codes not', async () => {
  const failWith = (errcode: string, message: string) =>
    catchError(sql.unsafe(`do $$ begin raise exception using errcode = '${errcode}', message = '${message}'; end $$`));
  for (const [code, message] of [
    ['XX000', 'server closed the connection unexpectedly'],
    ['58030', 'failed to COPY to shard 0 on 127.0.0.1:5432'],
    ['XX000', 'postmaster was shut down, exiting'],
    ['XX000', 'terminating connection due to unexpected postmaster exit'],
    ['08006', 'connection to the remote node failed'],
  ] as const)
    assert.ok(isUnavailable(await failWith(code, message)), message);
  for (const [code, message] of [
    ['XX000', 'cache lookup failed for type 0'],
    ['58030', 'could not write block 1'],
    ['23514', 'server closed the connection unexpectedly'],
  ] as const)
    assert.not.ok(isUnavailable(await failWith(code, message)), message);
});

test('the loss of a connection is told once: what comes next on a new one is not refused for it', async () => {
  const all = <T>(ask: () => PromiseLike<T>) => Promise.all(Array.from({ length: 20 }, ask));
  for (let round = 0; round < 3; round++) {
    const lost = await all(() =>
      db.tx((tx) => tx`select pg_terminate_backend(pg_backend_pid())`).then(() => 'kept', isUnavailable),
    );
    assert.equal(new Set(lost), new Set([true]));
    const answers = await all(async () => (await sql`select 1 as one`)[0]!['one']);
    assert.is(answers.join(''), '1'.repeat(20));
  }
});

test('a connection lost in the middle ends its transaction for good, and the pool goes on', async () => {
  const asked = { isOver: false };
  const others = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!asked.isOver)
        await db
          .tx(async (tx) => {
            await tx`select 1`;
            await tx`select pg_sleep(0.002)`;
          })
          .catch((error: unknown) => assert.ok(isUnavailable(error)));
    }),
  );
  try {
    for (let round = 0; round < 10; round++) {
      let tell: (error: unknown) => void = () => {};
      const afterwards = new Promise<unknown>((resolve) => {
        tell = resolve;
      });
      const breaking = db.tx(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await tx`insert into tenants (name, time_zone) values ('Lost', 'UTC')`;
        await sql`select pg_terminate_backend(${row!.pid}::int)`;
        await setTimeout(round * 10); // the pool opens the connection anew meanwhile
        const error = await catchError(tx`insert into tenants (name, time_zone) values ('Afterwards', 'UTC')`);
        tell(error);
        throw error;
      });
      const broken = await catchError(breaking);
      assert.ok(isUnavailable(broken), String(broken));
      const after = await Promise.race([afterwards, setTimeout(20_000, 'never asked')]);
      assert.ok(isUnavailable(after), String(after));
    }
  } finally {
    asked.isOver = true;
  }
  await others;
  assert.equal((await sql`select name from tenants where name in ('Lost', 'Afterwards')`).length, 0);
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  const echoed = numbers.map(async (n) => (await sql`select ${n}::int as n`)[0]!['n']);
  assert.equal(await Promise.all(echoed), numbers);
});

test.run();

import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTimeout } from '../../../src/server/http/requestTimeout';
import { Problem } from '../../../src/server/problem';
import { db, reset, sql } from '../../world';

test.before.each(reset);
const named = async (name: string) => (await sql`select from tenants where name = ${name}`).length;

test('what takes too long is refused with a 503, and undone when the database answers after all', async () => {
  const refusal = await withTimeout(
    db,
    (bounded) =>
      bounded.tx(async (tx) => {
        await tx`insert into tenants (name, time_zone) values ('Late', 'UTC')`;
        await tx`select pg_sleep(0.3)`;
      }),
    { ms: 100 },
  ).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(refusal instanceof Problem && refusal.status === 503 && refusal.retryAfter);
  await setTimeout(500);
  assert.is(await named('Late'), 0);
});

test('a transaction that would begin after the refusal does not begin', async () => {
  await withTimeout(
    db,
    async (bounded) => {
      await setTimeout(150);
      await bounded.tx(async (tx) => {
        await tx`insert into tenants (name, time_zone) values ('Later', 'UTC')`;
      });
    },
    { ms: 50 },
  ).then(
    () => assert.unreachable(),
    () => {},
  );
  await setTimeout(300);
  assert.is(await named('Later'), 0);
});

test('what is done in time is done, and other failures stay what they are', async () => {
  assert.is(
    await withTimeout(
      db,
      (bounded) =>
        bounded.tx(async (tx) => (await tx`insert into tenants (name, time_zone) values ('Timely', 'UTC')`).count),
      { ms: 5000 },
    ),
    1,
  );
  assert.is(await named('Timely'), 1);
  const failure = new Error('another');
  assert.is(
    await withTimeout(db, () => Promise.reject(failure)).then(
      () => null,
      (error: unknown) => error,
    ),
    failure,
  );
});

test.run();

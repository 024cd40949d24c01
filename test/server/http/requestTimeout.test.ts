import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../../src/server/core/problem';
import { type Database, isTimeout, UnknownOutcome } from '../../../src/server/db/open';
import { untilGone, withTimeout } from '../../../src/server/http/requestTimeout';
import { db, endCommit, reset, sql } from '../../world';
import { atCommit, nothingAtCommit } from '../atCommit';
import { catchError } from '../catchError';

test.before.each(reset);
test.after.each(async () => void (await nothingAtCommit()));
const named = async (name: string) => (await sql`select 1 from tenants where name = ${name}`).length;

/** Refused after so many milliseconds; and what the transaction came to in the end. */
async function refused(work: (bounded: Database) => Promise<unknown>, ms: number) {
  let late: Promise<unknown> = Promise.resolve();
  const refusal = await catchError(withTimeout(db, (bounded) => (late = work(bounded)), { ms }));
  assert.ok(refusal instanceof Problem && refusal.status === 503 && refusal.retryAfter, String(refusal));
  await late.catch(() => undefined);
}

test('what takes too long is refused with a 503, and undone when the database answers after all', async () => {
  const addLate = (bounded: Database) =>
    bounded.tx(async (tx) => {
      await tx`insert into tenants (name, time_zone) values ('Late', 'UTC')`;
      await tx`select pg_sleep(0.3)`;
    });
  await refused(addLate, 100);
  assert.is(await named('Late'), 0);
});

test('a transaction that would begin after the refusal does not begin', async () => {
  await refused(async (bounded) => {
    await setTimeout(150);
    await addTenant('Later')(bounded);
  }, 50);
  assert.is(await named('Later'), 0);
});

test('what is done in time is done, and other failures stay what they are', async () => {
  assert.is(await withTimeout(db, addTenant('Timely'), { ms: 5000 }), 1);
  assert.is(await named('Timely'), 1);
  const failure = new Error('another');
  assert.is(await catchError(withTimeout(db, () => Promise.reject(failure))), failure);
});

/** Makes COMMIT take this long after a new tenant. */
const slowCommit = (seconds: number) => atCommit('tenants', `perform pg_sleep(${seconds});`);
const addTenant = (name: string) => (bounded: Database) =>
  bounded.tx(async (tx) => (await tx`insert into tenants (name, time_zone) values (${name}, 'UTC')`).count);

test('once COMMIT was sent its answer is awaited, because the call may be done [ASVS 16.5.3]', async () => {
  await slowCommit(0.4);
  assert.is(await withTimeout(db, addTenant('Committed'), { ms: 100 }), 1);
  assert.is(await named('Committed'), 1);
});

test('a COMMIT that does not end has an unknown outcome, and is not refused', async () => {
  await slowCommit(0.6);
  const error = await catchError(withTimeout(db, addTenant('Unknown'), { ms: 100, commitMs: 100 }));
  assert.ok(error instanceof UnknownOutcome, String(error));
  for (let tries = 0; tries < 100 && !(await named('Unknown')); tries++) await setTimeout(50);
  assert.is(await named('Unknown'), 1, 'it was done');
});

test('a COMMIT whose connection ends has an unknown outcome', async () => {
  await slowCommit(5);
  const error = catchError(withTimeout(db, addTenant('Cut off')));
  await endCommit();
  assert.ok((await error) instanceof UnknownOutcome, String(await error));
});

test('a COMMIT that the database itself refuses is refused, and what is tried again is refused when it is late', async () => {
  await atCommit('tenants', `perform pg_sleep(0.2); raise exception 'given up' using errcode = '40001';`);
  assert.ok(isTimeout(await catchError(withTimeout(db, addTenant('Given up')))));
  await refused(addTenant('Given up'), 100);
  assert.is(await named('Given up'), 0);
});

/** What `untilGone` says of a request whose sender stays, goes after it was asked, or before. */
async function askedWhenGone(sender: 'stays' | 'goes' | 'has gone'): Promise<boolean> {
  let signal: AbortSignal | undefined;
  const app = new Hono().get('/', async (c) => {
    const ask = () => {
      signal = untilGone(c, new AbortController());
    };
    if (sender !== 'has gone') ask();
    if (sender !== 'stays') {
      socket.destroy();
      await gone;
    }
    if (sender === 'has gone') ask();
    return c.text('answered');
  });
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
  const gone = once(server, 'connection').then(([incoming]: Socket[]) => once(incoming!, 'close'));
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
  socket.resume();
  await gone;
  await setImmediate(); // the handler's last step
  server.close();
  return signal!.aborted;
}

test('whoever hangs up is no longer waited for, and whoever gets an answer has not gone', async () => {
  assert.is(await askedWhenGone('goes'), true);
  assert.is(await askedWhenGone('has gone'), true, 'gone before somebody asked');
  assert.is(await askedWhenGone('stays'), false);
});

test.run();

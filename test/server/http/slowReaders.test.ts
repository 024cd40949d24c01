/** Files hold a connection for as long as somebody reads them. */
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createLimits } from '../../../src/server/core/limits';
import { streamCsv } from '../../../src/server/http/csvResponse';
import { pluck } from '../../answers';
import { db, type Person, pam, people, reset, send, services, sql, tokenOf } from '../../world';

test.before.each(async () => {
  await reset();
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, completed_at, payment_reference)
    select 2, ${pam.id}, 'TOP_UP', 10, 'failed', now(), 'R' || n || repeat('x', 400)
    from generate_series(1, 6000) n`;
});

/** A file of which nothing is read but what is sent ahead. */
const openFile = async (token: string): Promise<Response> =>
  send('GET', calls.exportPurchases.path, { token, headers: { 'Accept-Encoding': 'identity' } });
const close = (file: Response) => file.body?.cancel();

test("nobody's slow reading keeps another tenant from a file, however many files they ask for", async () => {
  const slow: Response[] = [];
  for (const person of ['ann', 'sue'] as Person[]) {
    for (let n = 0; n < 3; n++) slow.push(await openFile(await tokenOf(person)));
  }
  const why = 'one file of a tenant, and one of a super admin, in whatever session';
  assert.equal(pluck(slow, 'status'), [200, 429, 429, 200, 429, 429], why);
  const file = await openFile(await tokenOf('ben'));
  assert.is(file.status, 200);
  assert.match(await file.text(), /ref-2/);
  await Promise.all(slow.map(close));
});

test('slow readers of all places leave connections for everything else', async () => {
  const ids = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, r.id, 'super' || n || '@x.test', '' from roles r, generate_series(1, 6) n where r.name = 'super_admin'
    returning id`;
  const files: Response[] = [];
  for (const { id } of ids) files.push(await openFile((await services.sessions.start(sql, id, 'test')).token));
  assert.equal(pluck(files, 'status'), [200, 200, 200, 200, 429, 429]);
  const token = await tokenOf('ben');
  const others = await Promise.all(Array.from({ length: 30 }, () => send('GET', calls.listPlayers.path, { token })));
  assert.ok(others.every(({ status }) => status === 200));
  await Promise.all(files.map(close));
});

test('a file that is read too slowly breaks off and makes room; one that is read steadily does not', async () => {
  const limits = createLimits(10),
    turn = { lane: 'signedIn', key: `tenant ${people.ann.tenant_id}` } as const,
    log = pino({ level: 'silent' });
  const patience = { stalledMs: 5_000, graceMs: 300, leastBytesPerMs: 800, maxMs: 60_000 };
  const [parts, bytes] = [200, 20_000];
  const receive = async (pause: number): Promise<number> => {
    const file = await streamCsv(
      { db, log, limits },
      turn,
      async () => ({
        count: 0,
        async *lines() {
          for (let n = 0; n < parts; n++) yield 'x'.repeat(bytes);
        },
      }),
      patience,
    );
    let received = 0;
    const reader = file.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      received += next.value.length;
      if (pause) await setTimeout(pause);
    }
    return received;
  };
  const failure = await receive(50).catch((error: unknown) => error);
  assert.match(String(failure), /gone away/, '400 bytes each millisecond, never silent for long');
  assert.is(limits.exports.countAhead(turn), 0, 'the place is free');
  assert.is(await receive(0), parts * bytes);
});

test.run();

/** Calls of people that must not happen twice: sent again with the same `Idempotency-Key`, they have one effect. */
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName } from '../../../src/contract/calls';
import { UNKNOWN_OUTCOME } from '../../../src/contract/constants';
import { verifyLedger } from '../../../src/server/books/verify';
import { creditOf, readAnswer } from '../../answers';
import { moveBack } from '../../books';
import * as callers from '../../callers';
import { addPlayer, topUp } from '../../seed';
import { endCommit, newBrowser, PASSWORD, pam, people, reset, send, sql, tokenOf, whileHeld } from '../../world';
import { atCommit, nothingAtCommit } from '../atCommit';
import { everyCall, goodBody, goodQuery, pathOf, schemasOf } from '../everyCall';

let sue = '',
  ann = '';
test.before.each(async () => {
  await reset();
  [sue, ann] = [await tokenOf('sue'), await tokenOf('ann')];
});
test.after.each(async () => {
  await nothingAtCommit();
  assert.equal(await verifyLedger(sql), []);
});

const apex = { api_key: 'K-secret', secret_key: 'S-secret', merchant_id: 'M1' };
const withMethod = () => callers.sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body: apex });
const addTill = () =>
  callers.ann.createValueAccount({ body: { name: 'Till', kind: 'cash', methods: [], is_active: true } });
interface Special {
  before?: () => Promise<unknown>;
  path?: string;
  body?: object;
}
/** What a call needs beside the request that everyCall.ts makes of it. */
const special: Partial<Record<CallName, Special>> = {
  deletePlayer: { before: () => addPlayer(2, { email: 'x@mail.test' }), path: '/api/v1/users/3' },
  submitRedeem: { before: () => addPlayer(2, { email: people.ann.email, credit: '500' }) },
  togglePaymentMethod: { before: withMethod },
  deletePaymentMethod: { before: withMethod },
  createPlayer: { body: { email: 'new@mail.test', password: 'P-secret', tenant_id: 2 } },
  createPlayerCredential: {
    before: () => sql`insert into tenant_platforms (tenant_id, platform_id, is_active) values (2, 3, true)`,
  },
  createValueAccount: { body: { ...goodBody('createValueAccount'), tenant_id: 2 } },
  enterAccountMove: { before: addTill, body: { ...goodBody('enterAccountMove'), tenant_id: 2 } },
  openShift: { before: addTill, body: { ...goodBody('openShift'), tenant_id: 2 } },
  closeShift: {
    before: async () => {
      await addTill();
      await callers.ann.openShift({ body: { counts: [{ account_id: 1, counted: '10' }] } });
    },
    body: { ...goodBody('closeShift'), tenant_id: 2 },
  },
  closeMonth: {
    before: async () => {
      await topUp(pam, '5', 'success');
      await moveBack(2, '2025-09-10T12:00:00Z');
    },
    body: { tenant_id: 2, month: '2025-09' },
  },
};
const marked = everyCall.filter(([, { isOnce, who }]) => isOnce && who !== 'key');

const adjust = async (key?: string, body: object = { credit: '5' }, token = ann) =>
  readAnswer(
    await send('POST', `/api/v1/admin/user/${pam.id}/update-balances`, {
      token,
      body,
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    }),
  );

/** How many writes the audit log knows of. */
const writes = async () => (await sql`select 1 from audit_log`).length;

test('what moves money is among the calls that must not happen twice', () => {
  for (const name of ['adjustBalances', 'createManualRedeem', 'submitRedeem'] as const) assert.ok(calls[name].isOnce);
});

for (const [name, { method }] of marked) {
  test(`${name} sent twice with one key is done once, and both get the same answer`, async () => {
    const { before, path = pathOf(name), body = schemasOf(name).body && goodBody(name) } = special[name] ?? {};
    await before?.();
    const make = newBrowser(); // the checkout call needs the cookie of the sign-in
    if (name === 'submitRedeem')
      await make('/api/v1/auth/login/json', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: people.ann.email, password: PASSWORD }),
      });
    const query = new URLSearchParams(goodQuery(name) as Record<string, string>);
    const request = async () =>
      readAnswer(
        await make(`${path}?${query}`, {
          method,
          headers: {
            Authorization: `Bearer ${sue}`,
            'Idempotency-Key': 'one',
            ...(body && { 'Content-Type': 'application/json' }),
          },
          body: body ? JSON.stringify(body) : null,
        }),
      );
    const was = await writes();
    const first = await request();
    const advice = `${name} is refused: say what it needs in 'special' of test/server/http/idempotency.test.ts`;
    assert.equal([first.status, first.isReplay], [200, false], `${advice}: ${JSON.stringify(first.body)}`);
    assert.is(await writes(), was + 1);
    assert.equal(await request(), { ...first, isReplay: true });
    assert.is(await writes(), was + 1, 'nothing was written again');
  });
}

test('without a key everything is as the contract says', async () => {
  const before = await creditOf();
  for (const n of [1, 2]) assert.equal([(await adjust()).status, await creditOf()], [200, before + 5 * n]);
  assert.is((await sql`select 1 from idempotency_keys`).length, 0);
});

test('a key that is none is refused', async () => {
  for (const wrong of ['', 'with space', 'x'.repeat(256)]) assert.is((await adjust(wrong)).status, 422, wrong);
});

test('the same key with another request is refused, and keys are each person’s own, in all their sessions', async () => {
  const before = await creditOf();
  assert.is((await adjust('mine')).status, 200);
  const other = await adjust('mine', { credit: '6' });
  assert.equal([other.status, other.body.detail], [422, 'header.idempotency-key: was used for another request']);
  assert.is((await adjust('mine', { credit: '5' }, await tokenOf('ann'))).isReplay, true);
  assert.is((await adjust('mine', { credit: '5' }, sue)).isReplay, false);
  assert.is(await creditOf(), before + 10);
});

test('forty simultaneous balance edits with one key count once', async () => {
  const before = await creditOf();
  const answers = await Promise.all(Array.from({ length: 40 }, () => adjust('storm')));
  assert.equal([...new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))].length, 1);
  assert.is(await creditOf(), before + 5);
});

test('a refusal is the answer, too, and a new key asks anew', async () => {
  const remove = { credit: '351', credit_op: 'remove' };
  assert.is((await adjust('no', remove)).status, 400);
  await adjust(undefined, { credit: '1000' });
  assert.is((await adjust('no', remove)).status, 400);
  assert.is((await adjust('anew', remove)).status, 200);
});

test('readers of the database cannot guess a password from what is stored of a request', async () => {
  const { body } = special.createPlayer!;
  const text = JSON.stringify(body);
  await send('POST', calls.createPlayer.path, { token: sue, body, headers: { 'Idempotency-Key': 'one' } });
  const [row] = await sql<{ hash: Buffer; answer: string }[]>`
    select request_hash as hash, answer from idempotency_keys`;
  for (const known of [text, JSON.stringify(['createPlayer', {}, text])])
    assert.not.equal(row!.hash, createHash('sha256').update(known).digest());
  assert.not.match(row!.answer, 'P-secret');
});

test('while the first request is still running, a repeat is told so, and afterwards gets its answer', async () => {
  await atCommit('transfers', `perform set_config('lock_timeout', '0', true); perform pg_advisory_xact_lock(4711);`);
  const before = await creditOf();
  const first = await whileHeld(
    // Where the tenant's transfers are.
    (tx) => tx`select pg_advisory_xact_lock(4711) from wallets where tenant_id = 2 and player_id = ${pam.id}`,
    () => adjust('slow'),
    async () => {
      const early = await adjust('slow');
      assert.equal([early.status, early.body.code], [503, 'still_running']);
    },
  );
  assert.is(first.status, 200);
  assert.equal(await adjust('slow'), { ...first, isReplay: true });
  assert.is(await creditOf(), before + 5);
});

test('when the answer to COMMIT is lost nobody is told that it was not done, and a repeat is done once', async () => {
  await atCommit('transfers', 'perform pg_sleep(5);');
  const before = await creditOf();
  const lost = send('POST', `/api/v1/admin/user/${pam.id}/update-balances`, {
    token: ann,
    body: { credit: '5' },
    headers: { 'Idempotency-Key': 'lost' },
  });
  await endCommit();
  const response = await lost;
  assert.equal([response.status, response.headers.get('retry-after')], [500, null]);
  const { code, detail } = await response.json();
  assert.is(code, UNKNOWN_OUTCOME);
  assert.match(detail, /^It is not known whether this was done/);
  await nothingAtCommit();
  assert.is((await adjust('lost')).status, 200);
  assert.is(await creditOf(), before + 5);
});

test('an app on another origin may send the key', async () => {
  const headers = { Origin: 'https://app.example.test', 'Access-Control-Request-Headers': 'idempotency-key' };
  const response = await send('OPTIONS', '/api/v1/users', { headers });
  assert.match(response.headers.get('access-control-allow-headers') ?? '', /\bIdempotency-Key\b/);
});

test.run();

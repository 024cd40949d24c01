/** One tenant, person or API key cannot take what all share: connections, places for imports, time. */

import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { newKey } from '../../integrations';
import { db, pam, people, reset, send, services, sql, tokenOf } from '../../world';
import { newGate } from '../gate';

test.before.each(reset);

const count = (answers: readonly Response[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

/** Holds the wallet of Acme's player, so that calls that move her money wait with a connection each. */
async function withLockedWallet(work: () => Promise<void>): Promise<void> {
  await db.tx(async (tx) => {
    await tx`select 1 from wallets where tenant_id = ${pam.tenant_id} and player_id = ${pam.id} for update`;
    await work();
  });
}
/** Waits until so many calls of a crowd have been answered, for some seconds. */
async function answered(crowd: readonly Promise<Response>[], times: number): Promise<void> {
  let done = 0;
  for (const call of crowd)
    void call.then(() => {
      done++;
    });
  for (const until = Date.now() + 3_000; done < times && Date.now() < until; ) await setTimeout(10);
}
const addBonus = (token: string) =>
  send('POST', calls.adjustBalances.path.replace('{id}', String(pam.id)), { token, body: { bonus: '1' } });

test('the waiting calls of one tenant leave connections to the others, whoever of it makes them', async () => {
  const [oli] = await sql<{ id: number }[]>`
    update admins set role_id = (select id from roles where name = 'admin') where id = ${people.oli.id} returning id`;
  const tokens = [await tokenOf('ann'), (await services.sessions.start(sql, oli!.id, 'test')).token],
    ben = await tokenOf('ben');
  let crowd: Promise<Response>[] = [],
    answered = 0;
  await withLockedWallet(async () => {
    crowd = Array.from({ length: 60 }, (_, n) =>
      addBonus(tokens[n % 2]!).finally(() => {
        answered++;
      }),
    );
    for (let n = 0; n < 20; n++)
      assert.is((await send('GET', calls.getDashboardMetrics.path, { token: ben })).status, 200);
    const body = { email: 'new@x.test', password: 'x', tenant_id: 3 };
    assert.is((await send('POST', calls.createPlayer.path, { token: ben, body })).status, 200);
    assert.is(answered, 0, 'they still wait');
  });
  assert.is(count(await Promise.all(crowd), 200), 60, 'and are done later');
});

test('of the calls of one session eight are at work, a hundred wait, and more are told to come back', async () => {
  const token = await tokenOf('ann');
  let crowd: Promise<Response>[] = [];
  await withLockedWallet(async () => {
    crowd = Array.from({ length: 150 }, () => addBonus(token));
    await answered(crowd, 42);
  });
  const answers = await Promise.all(crowd);
  assert.equal([count(answers, 200), count(answers, 429)], [108, 42]);
  assert.is(answers.find(({ status }) => status === 429)?.headers.get('retry-after'), '1');
  const [wallet] = await sql`select bonus_balance from wallets where player_id = ${pam.id}`;
  assert.is(wallet?.['bonus_balance'], 108);
});

test('the same holds for an API key', async () => {
  const { key } = await newKey();
  let crowd: Promise<Response>[] = [];
  await withLockedWallet(async () => {
    crowd = Array.from({ length: 150 }, (_, n) =>
      send('POST', calls.pushRedeem.path, {
        token: key,
        headers: { 'Idempotency-Key': `redeem-${n}` },
        body: { email: pam.email, amount: '100', platform: 'vblink', payment_reference: `R${n}` },
      }),
    );
    await answered(crowd, 42);
  });
  const answers = await Promise.all(crowd);
  assert.is(count(answers, 429), 42, String(answers.map(({ status }) => status)));
});

test('what the app sends at most is never refused: fifty calls at once', async () => {
  const token = await tokenOf('ann');
  const answers = await Promise.all(Array.from({ length: 50 }, () => send('GET', calls.listPlayers.path, { token })));
  assert.is(count(answers, 200), 50);
});

test('imports of one tenant keep no other from importing', async () => {
  const batch = (tenant_id: number, n: number) => ({
    tenant_id,
    kind: 'players',
    header: 'email',
    rows: Array.from({ length: 300 }, (_, row) => `p${n}-${row}@mail.test`).join('\n'),
    first_line: 2,
  });
  const [ann, ben] = [await tokenOf('ann'), await tokenOf('ben')];
  let isOver = false;
  const start = newGate();
  const crowd = Array.from({ length: 30 }, async (_, n) => {
    while (!isOver) {
      const { status } = await send('POST', calls.importRows.path, { token: ann, body: batch(2, n) });
      assert.ok(status === 200 || status === 429);
      start.open();
    }
  });
  await start.opened;
  const statuses: number[] = [];
  for (let n = 0; n < 20; n++)
    statuses.push((await send('POST', calls.importRows.path, { token: ben, body: batch(3, n) })).status);
  isOver = true;
  await Promise.all(crowd);
  assert.equal(new Set(statuses), new Set([200]));
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { verifyLedger } from '../../../src/server/books/verify';
import { addPlayer, deposit, fund, type Owner, redeem, topUp } from '../../seed';
import { as, reset, sql } from '../../world';

let sue: Api, ann: Api, owners: Owner[];
test.before.each(async () => {
  await reset();
  [sue, ann] = [await as('sue'), await as('ann')];
  owners = [];
  for (let n = 0; n < 5; n++) owners.push(await addPlayer(2, { email: `p${n}@mail.test`, credit: '10000' }));
});
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

/** How many were answered, and how often each status refused. */
async function count(works: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of await Promise.allSettled(works)) {
    const key =
      answer.status === 'fulfilled'
        ? 'done'
        : `${answer.reason instanceof Error && 'status' in answer.reason ? answer.reason.status : answer.reason}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
const total = async (column: string) => {
  const ids = owners.map((owner) => owner.id);
  const [row] = await sql`
    select sum(${sql(column)}) as total from wallets where tenant_id = 2 and player_id = any (${ids}::bigint[])`;
  return row!['total'];
};

test('a hundred purchases, each settled by two admins at once: a hundred succeed [ASVS 2.3.4]', async () => {
  const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => topUp(owners[n % 5]!, '10.01')));
  const works = shuffled(
    ids.flatMap((id) => [sue, ann].map((api) => () => api.changePurchaseStatus({ id, body: { status: 'success' } }))),
  );
  assert.equal(await count(works.map((work) => work())), { done: 100, 409: 100 });
  assert.is(await total('credit_balance'), 51_001);
});

test('settled both ways at once, each redeem goes one way only', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => redeem(owners[n % 5]!, '10')));
  const works = shuffled(
    ids.flatMap((id) =>
      (['success', 'failed'] as const).map(
        (status) => () => (status === 'success' ? sue : ann).changeRedeemStatus({ id, body: { status } }),
      ),
    ),
  );
  assert.equal(await count(works.map((work) => work())), { done: 60, 409: 60 });
  assert.is(await total('held_balance'), 0);
});

test('forty manual redeems of $100 at once against $1000 of credit: exactly ten, and nothing below zero', async () => {
  const someone = await addPlayer(2, { email: 'some@mail.test', credit: '1000' });
  const ask = () =>
    ann.createManualRedeem({
      body: {
        user_email: 'some@mail.test',
        amount: 100,
        platform: 'yolo',
        payout_method: 'PayPal',
        payout_address: 'a',
      },
    });
  assert.equal(await count(Array.from({ length: 40 }, ask)), { done: 10, 400: 30 });
  const [row] =
    await sql`select credit_balance as credit, held_balance as held from wallets where player_id = ${someone.id}`;
  assert.equal({ ...row }, { credit: 0, held: 1000 });
});

test('fifty additions at once are all there, exact to the cent', async () => {
  const [owner] = owners;
  assert.equal(
    await count(
      Array.from({ length: 50 }, () => ann.adjustBalances({ id: owner!.id, body: { bonus: '0.07', credit: 0.1 } })),
    ),
    { done: 50 },
  );
  assert.is(await total('bonus_balance'), 3.5);
  assert.is(await total('credit_balance'), 50_005);
});

test('removals at once never take more than there is', async () => {
  const [owner] = owners;
  await fund(owner!, 'vip', '10');
  assert.equal(
    await count(
      Array.from({ length: 30 }, () => ann.adjustBalances({ id: owner!.id, body: { vip: 1, vip_op: 'remove' } })),
    ),
    { done: 10, 400: 20 },
  );
});

test('concurrent payments and adjustments of the same players neither deadlock nor lose a cent', async () => {
  const pending: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < 60; n++) {
    const owner = owners[n % 5]!,
      status = n % 3 ? 'success' : 'failed';
    const ids = [await topUp(owner, '3.33'), await deposit(owner, 'credit', '2.22')],
      paid = await redeem(owner, '1.11');
    pending.push(...ids.map((id) => () => ann.changePurchaseStatus({ id, body: { status } })), () =>
      ann.changeRedeemStatus({ id: paid, body: { status } }),
    );
    pending.push(() => sue.adjustBalances({ id: owner.id, body: { credit: '0.01' } }));
  }
  // one person may have about a hundred calls at once
  const works = shuffled(pending);
  for (let at = 0; at < works.length; at += 80)
    assert.equal(await count(works.slice(at, at + 80).map((work) => work())), { done: 80 });
  // 60 additions; 40 of each kind succeeded: 3.33 in, 2.22 and 1.11 out
  assert.is(await total('credit_balance'), 50_000.6);
});

test.run();

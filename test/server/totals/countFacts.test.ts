/** Facts are counted up to a moment, each row once; what reaches into what is counted changes it in its transaction. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { isUnavailable } from '../../../src/server/db/open';
import { settlePurchase } from '../../../src/server/ledger/settle';
import { countFacts, countStep, forgetFacts, startCounting } from '../../../src/server/totals/countFacts';
import { pluck } from '../../answers';
import { ann, sue } from '../../callers';
import { countAll } from '../../facts';
import { importFile } from '../../importFile';
import { addPlayer, deposit, fund, type Owner, redeem, topUp } from '../../seed';
import { setZone } from '../../timestamps';
import { db, isSpread, openAnother, pam, pat, reset, sql } from '../../world';
import { catchError } from '../catchError';

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const now = { margin: '0 seconds' };

test.before.each(reset);
test.after.each(async () => {
  assert.equal(await verifyLedger(sql), []);
  await countAll();
  assert.equal(await verifyLedger(sql), []);
});

const kept = async () => [
  ...(await sql`
    select tenant_id, dimension, unit, starts::text, key, amount_in, amount_out, count_in, count_out from facts
    where (amount_in, amount_out, count_in, count_out) <> (0, 0, 0, 0) order by 1, 2, 3, 4, 5`),
  ...(await sql`
    select tenant_id, player_id, unit, starts::text, purchases, redeems, purchase_count, redeem_count
    from player_facts order by 1, 2, 3, 4`),
];
/** What the screens show of all that is counted. */
const shown = async () => [
  await sue.getOverview({ unit: 'month' }),
  await ann.getOverview({ unit: 'week' }),
  await ann.getOverview({ unit: 'day' }),
  await sue.getDashboardMetrics(),
  await ann.getCharts(),
  await ann.getAffiliates({ start_date: '2020-01-01', end_date: '2099-01-01' }),
];
/** Counted from the rows anew, the facts are those that were kept, and the screens do not change meanwhile. */
async function assertExact(what: string): Promise<void> {
  await countAll();
  const [facts, seen] = [await kept(), await shown()];
  for (const tenant of [2, 3]) await db.tx((tx) => forgetFacts(tx, tenant));
  assert.equal(await shown(), seen, `read from the rows, after ${what}`);
  await countAll();
  assert.equal(await kept(), facts, `counted anew, after ${what}`);
}

test('a settlement writes no facts, and what is counted later changes no screen', async () => {
  await countAll();
  const before = await kept();
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } });
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  assert.equal(await kept(), before);
  const seen = await shown();
  await countAll();
  assert.is.not(JSON.stringify(await kept()), JSON.stringify(before));
  assert.equal(await shown(), seen);
});

test('what a transaction settles that began before a count and ends after it is counted by the next one', async () => {
  const id = await topUp(pam, '25.50');
  await db.tx(async (tx) => {
    await tx`select now()`;
    await topUp(pat, '5', 'success');
    await countFacts(db, { behind: '0 seconds', ...now }); // up to the beginning of this transaction at most
    await settlePurchase(tx, { id, tenant: 2, status: 'success', admin_id: null });
  });
  assert.is((await sue.getOverview({ unit: 'day' })).steps.at(-1)!.purchases, 30.5);
  await countAll();
  assert.is((await sue.getOverview({ unit: 'day' })).steps.at(-1)!.purchases, 30.5);
});

test('nothing of it is lost or added twice when the connection breaks before it is done', async () => {
  await topUp(pam, '25.50', 'success');
  const [before, seen] = [await kept(), await shown()];
  const broken = db.tx(async (tx) => {
    assert.is(await countStep(tx, 2, now), false);
    await tx`select pg_terminate_backend(pg_backend_pid())`;
  });
  assert.ok(isUnavailable(await catchError(broken)), 'the connection broke, and nothing before');
  assert.equal([await kept(), await shown()], [before, seen]);
});

test('one server counts at a time, and neither another one nor a reader nor a settlement waits for it', async () => {
  await topUp(pam, '25.50', 'success');
  const id = await topUp(pam, '3');
  const seen = await shown();
  await db.tx(async (tx) => {
    assert.is(await countStep(tx, 2, now), false);
    assert.is(await db.tx((other) => countStep(other, 2, now)), null, 'another server');
    assert.equal(await shown(), seen, 'a reader');
    await ann.changePurchaseStatus({ id, body: { status: 'success' } });
  });
});

test('steps of any size add up to the same', async () => {
  for (let day = 40; day >= 0; day -= 3) {
    await topUp(pam, `1${day}.10`, 'success', { completed_at: ago(day) });
    await redeem(pam, '1.01', day % 2 ? 'success' : 'failed', { completed_at: ago(day) });
  }
  for (let hasMore: boolean | null = true; hasMore; )
    hasMore = await db.tx((tx) => countStep(tx, 2, { size: 2, ...now }));
  await assertExact('steps of two');
});

test('what reaches into counted days changes them in the same transaction', async () => {
  const lee = await addPlayer(2, { email: 'lee@mail.test', credit: '900', affiliate_id: 'North', created_at: ago(30) });
  await topUp(lee, '10', 'success', { initiated_at: ago(20), completed_at: ago(20) });
  const open = await topUp(lee, '7', 'pending', { initiated_at: ago(25) });
  await countAll();
  const someone = 'email,created_at,credit_balance\nnew@mail.test,2026-01-05T10:00:00Z,12.5';
  const payments = `source_id,user_email,transaction_type,status,amount,platform,initiated_at,completed_at
a,lee@mail.test,TOP_UP,success,5,,2026-01-06T10:00:00Z,2026-01-06T11:00:00Z
b,new@mail.test,TOP_UP,failed,5,,2026-01-06T10:00:00Z,2026-01-06T11:00:00Z
c,new@mail.test,TOP_UP,success,6,,2026-01-07T10:00:00Z,2026-01-07T11:00:00Z
d,lee@mail.test,REDEEM,success,3,yolo,2026-01-08T10:00:00Z,2026-01-08T11:00:00Z
e,lee@mail.test,TOP_UP,pending,4,,2026-01-02T10:00:00Z,`;
  const steps: [string, () => Promise<unknown>][] = [
    ['a payment of the past', () => topUp(lee, '11', 'success', { initiated_at: ago(21), completed_at: ago(20) })],
    ['a first purchase that fails', () => ann.changePurchaseStatus({ id: open, body: { status: 'failed' } })],
    ['another affiliate', () => ann.updatePlayer({ id: lee.id, body: { affiliate_id: 'SOUTH' } })],
    ['the same in other letters', () => ann.updatePlayer({ id: lee.id, body: { affiliate_id: 'south' } })],
    ['an import of users', () => importFile(ann, 'players', someone)],
    ['an import of payments', () => importFile(ann, 'transactions', payments)],
    ['another time zone', () => setZone(2, 'Pacific/Kiritimati')],
    ['no affiliate', () => ann.updatePlayer({ id: lee.id, body: { affiliate_id: '' } })],
  ];
  for (const [what, step] of steps) {
    await step();
    assert.equal(await verifyLedger(sql), [], what);
    await assertExact(what);
  }
  const { id } = (await ann.listPlayers({ search: 'new@mail.test', page_size: 25 })).users[0]!;
  await ann.deletePlayer({ id });
  assert.equal(await verifyLedger(sql), [], 'a deletion');
  await assertExact('a deletion');
});

test('what was counted while the clock was ahead is counted again', async () => {
  await topUp(pam, '25.50', 'success');
  await countAll();
  await sql`update facts_until set until = now() + interval '1 hour'`;
  await countAll();
  await topUp(pam, '3', 'success');
  assert.is((await ann.getOverview({ unit: 'day' })).steps.at(-1)!.purchases, 28.5);
});

test('what cannot be counted of one tenant keeps no other waiting', async () => {
  await topUp(pam, '25.50', 'success');
  await topUp(pat, '5', 'success');
  await sql`update tenants set time_zone = 'No/Where' where id = 2`;
  const failed: number[] = [];
  await countFacts(db, { failed: (_, tenant) => void failed.push(tenant), ...now });
  const counted = await sql`select tenant_id from facts_until`;
  await sql`update tenants set time_zone = 'UTC' where id = 2`;
  assert.equal(failed, [2]);
  assert.equal(pluck(counted, 'tenant_id'), [3]);
});

test('a server counts at once what is far behind, and stops when it is told to', async () => {
  await topUp(pam, '25.50', 'success', { completed_at: ago(1) });
  const warnings: unknown[] = [];
  const stop = startCounting(db, { warn: (...words: unknown[]) => void warnings.push(words) });
  await stop();
  assert.equal(warnings, []);
});

test('while money is settled, players move and leave, and zones change, every look is exact', async () => {
  const players: Owner[] = [];
  for (let n = 0; n < 8; n++)
    players.push(await addPlayer(2 + (n % 2), { email: `p${n}@mail.test`, credit: '5000', affiliate_id: `A${n % 3}` }));
  const others = [await openAnother(), await openAnother()]; // as many servers count at the same time
  let isOver = false,
    looks = 0;
  const until = async (work: () => Promise<unknown>) => {
    while (!isOver) await work();
  };
  const settle = async (who: number) => {
    for (let n = 0; n < 5; n++) {
      const someone = players[(who + n * 5) % 6]!;
      await topUp(someone, (1 + n / 7).toFixed(2), n % 4 ? 'success' : 'failed');
      await deposit(someone, 'credit', '1.10', n % 3 ? 'success' : 'failed', { completed_at: ago(n) });
      await redeem(someone, '2.01', n % 5 ? 'success' : 'failed');
      if (n % 2) await fund(someone, 'bonus', '0.50');
      await sue.updatePlayer({ id: someone.id, body: { affiliate_id: `a${(who + n) % 4}` } });
    }
  };
  const looking = Promise.all([
    until(async () => {
      const differences = await verifyLedger(sql);
      if (!isSpread) assert.equal(differences, []); // no snapshot spans machines
      looks++;
    }),
    until(() => sue.getOverview({ unit: 'day' })),
    ...others.map((other) => until(() => countFacts(other, { behind: '0 seconds', ...now }))),
  ]);
  looking.catch(() => {}); // it is awaited at the end
  try {
    await Promise.all([
      ...[0, 1, 2].map(settle),
      (async () => {
        await sue.deletePlayer({ id: players[6]!.id });
        await setZone(2, 'Asia/Tokyo');
        await sue.deletePlayer({ id: players[7]!.id });
        await setZone(3, 'Pacific/Honolulu');
      })(),
    ]);
  } finally {
    isOver = true;
    await looking;
    await Promise.all(others.map((other) => other.close()));
  }
  assert.ok(looks > 1);
  await assertExact('all that');
});

test.run();

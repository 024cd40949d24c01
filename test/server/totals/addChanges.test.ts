/** A settlement notes what it changed; the notes are added up later, each once. Whoever reads counts in what waits. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { verifyLedger } from '../../../src/server/books/verify';
import { addBatch, addChanges, startAddingChanges } from '../../../src/server/totals/addChanges';
import { recountParts } from '../../../src/server/totals/partTotals';
import { recountDays } from '../../../src/server/totals/recountDays';
import { addPlayer, deposit, fund, type Owner, redeem, topUp } from '../../seed';
import { setZone } from '../../timestamps';
import { as, db, isSpread, openAnother, pam, pat, reset, sql } from '../../world';

let sue: Api, ann: Api;
test.before.each(async () => {
  await reset();
  [sue, ann] = [await as('sue'), await as('ann')];
  await addChanges(db);
});
test.after.each(async () => {
  assert.equal(await verifyLedger(sql), []);
  await addChanges(db);
  assert.is(await waiting(), 0);
  assert.equal(await verifyLedger(sql), []);
});

const waiting = async () => Number((await sql`select count(*) from total_changes`)[0]!['count']);
/** The totals as they are kept, without what waits. */
const kept = async () => [
  ...(await sql`
    select tenant_id, part, unit, starts::text, key, amount_in, amount_out, count_in, count_out from part_totals
    where (amount_in, amount_out, count_in, count_out) <> (0, 0, 0, 0) order by 1, 2, 3, 4, 5`),
  ...(await sql`
    select tenant_id, player_id, unit, starts::text, purchases, redeems, purchase_count, redeem_count
    from player_totals order by 1, 2, 3, 4`),
];
/** The figures of an overview that everything here changes. */
async function shown(api: Api) {
  const { steps, parts, players, cohorts } = await api.getOverview({ unit: 'month' });
  return { now: steps.at(-1), parts, players, cohorts };
}

test('a settlement writes a note of the payment and one of the wallet, and no totals', async () => {
  const before = await kept();
  for (const [what, work] of [
    ['purchase', () => ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } })],
    ['redeem', () => ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } })],
  ] as const) {
    await sql`delete from total_changes`;
    await work();
    const notes = await sql`select kind, amount, credit, held from total_changes order by kind`;
    assert.equal(
      [...notes],
      what === 'purchase'
        ? [
            { kind: 'purchase', amount: 80, credit: null, held: null },
            { kind: 'wallet', amount: null, credit: 80, held: null },
          ]
        : [
            { kind: 'redeem', amount: 150, credit: null, held: null },
            { kind: 'wallet', amount: null, credit: null, held: -150 },
          ],
    );
    assert.equal(await kept(), before);
  }
  for (const tenant of [2, 3]) await db.tx((tx) => recountParts(tx, tenant)); // the notes that were deleted above
});

test('nothing of it is lost or added twice when the connection breaks before it is done', async () => {
  await topUp(pam, '25.50', 'success');
  const [before, notes, seen] = [await kept(), await waiting(), await shown(sue)];
  let isAdded = false;
  await db
    .tx(async (tx) => {
      assert.is(await addBatch(tx, 2), false);
      isAdded = (await tx`select 1 from total_changes where tenant_id = 2`).length === 0;
      await tx`select pg_terminate_backend(pg_backend_pid())`;
    })
    .then(
      () => assert.unreachable(),
      () => {},
    );
  assert.ok(isAdded);
  assert.equal([await kept(), await waiting(), await shown(sue)], [before, notes, seen]);
  assert.equal(await verifyLedger(sql), []);
  await addChanges(db);
  await addChanges(db);
  assert.is(await waiting(), 0);
  assert.equal(await shown(sue), seen);
});

test('one server adds at a time, and nobody waits for it, neither another one nor a reader', async () => {
  await topUp(pam, '25.50', 'success');
  const seen = await shown(sue);
  await db.tx(async (tx) => {
    assert.is(await addBatch(tx, 2), false);
    assert.is(await db.tx((other) => addBatch(other, 2)), null, 'another server');
    await addChanges(db);
    assert.equal(await shown(sue), seen, 'a reader');
    await topUp(pat, '5', 'success'); // nor whoever settles
  });
  assert.is((await shown(sue)).now!.purchases, 30.5);
});

test('the notes of a player are added up together, and those of others later', async () => {
  const players: Owner[] = [];
  for (let n = 0; n < 3; n++)
    players.push(await addPlayer(2, { email: `p${n}@mail.test`, credit: '900', affiliate_id: `A${n}` }));
  const move = (n: number, affiliate_id: string) => ann.updatePlayer({ id: players[n]!.id, body: { affiliate_id } });
  const step = async (size: number) => {
    assert.equal(await verifyLedger(sql), []);
    const before = await waiting();
    await db.tx((tx) => addBatch(tx, 2, size));
    assert.ok((await waiting()) < before);
    assert.equal(await verifyLedger(sql), []);
  };
  await topUp(players[0]!, '10', 'success');
  await move(0, 'A1');
  await topUp(players[1]!, '7', 'success');
  await step(1);
  await move(0, 'A2');
  await topUp(players[0]!, '20', 'success');
  await move(0, 'a3');
  await step(1);
  await move(1, '');
  await move(0, 'A0');
  await redeem(players[0]!, '5', 'success');
  await topUp(players[2]!, '1', 'success');
  await ann.deletePlayer({ id: players[2]!.id });
  await step(2);
  await sql`update players set deleted_at = now() where id = ${players[1]!.id}`;
  await sql`update players set deleted_at = null where id = ${players[2]!.id}`;
  await step(1);
  await sql`update players set deleted_at = null where id = ${players[1]!.id}`;
  await topUp(players[1]!, '3', 'success');
  await step(50);
});

test('another time zone counts what waits, too, and it is not added again', async () => {
  await topUp(pam, '25.50', 'success');
  await setZone(2, 'Pacific/Kiritimati');
  assert.is(Number((await sql`select count(*) from total_changes where tenant_id = 2`)[0]!['count']), 0);
  assert.is((await shown(sue)).now!.purchases, 25.5);
});

test('while money is settled, players move and leave, and zones change, every look is exact', async () => {
  const players: Owner[] = [];
  for (let n = 0; n < 12; n++)
    players.push(await addPlayer(2 + (n % 2), { email: `p${n}@mail.test`, credit: '5000', affiliate_id: `A${n % 3}` }));
  const others = [await openAnother(), await openAnother()]; // as many servers add at the same time
  let isOver = false,
    looks = 0;
  const until = async (work: () => Promise<unknown>) => {
    while (!isOver) await work();
  };
  const settle = async (who: number) => {
    for (let n = 0; n < 8; n++) {
      const someone = players[(who + n * 5) % 10]!;
      await topUp(someone, (1 + n / 7).toFixed(2), n % 4 ? 'success' : 'failed');
      await deposit(someone, 'credit', '1.10', n % 3 ? 'success' : 'failed');
      await redeem(someone, '2.01', n % 5 ? 'success' : 'failed');
      if (n % 2) await fund(someone, 'bonus', '0.50');
      await sue.updatePlayer({ id: someone.id, body: { affiliate_id: `a${(who + n) % 4}` } });
    }
  };
  const looking = [
    until(async () => {
      const differences = await verifyLedger(sql);
      if (!isSpread) assert.equal(differences, []); // no snapshot spans machines
      looks++;
    }),
    until(() => sue.getOverview({ unit: 'day' })),
    until(() => addChanges(others[0]!)),
    until(() => addChanges(others[1]!)),
  ];
  try {
    await Promise.all([
      ...[0, 1, 2].map(settle),
      (async () => {
        await sue.deletePlayer({ id: players[10]!.id });
        await setZone(2, 'Asia/Tokyo');
        await sue.deletePlayer({ id: players[11]!.id });
        await setZone(3, 'Pacific/Honolulu');
      })(),
    ]);
  } finally {
    isOver = true;
    await Promise.all(looking);
    await Promise.all(others.map((other) => other.close()));
  }
  assert.ok(looks > 2);
  assert.equal(await verifyLedger(sql), []);
  await addChanges(db);
  const added = await kept();
  await db.tx(async (tx) => {
    await recountDays(tx, 2);
    await recountParts(tx, null);
  });
  assert.equal(await kept(), added);
});

test('what cannot be added of one tenant keeps no other waiting', async () => {
  await topUp(pam, '25.50', 'success');
  await topUp(pat, '5', 'success');
  await sql`update tenants set time_zone = 'No/Where' where id = 2`;
  const failed: number[] = [];
  await addChanges(db, (_, tenant) => void failed.push(tenant));
  assert.equal(failed, [2]);
  const left = await sql`select distinct tenant_id from total_changes`;
  assert.equal(
    left.map((row) => row['tenant_id']),
    [2],
  );
  await sql`update tenants set time_zone = 'UTC' where id = 2`;
});

test('the totals carry what a thousand players with the largest balance hold, and so do the pictures', async () => {
  const change = (amount: string) => sql`
    insert into total_changes (tenant_id, player_id, kind, credit)
    select 2, ${pam.id}, 'wallet', ${amount} from generate_series(1, 10001)`;
  const held = async (api: Api) =>
    (await api.getOverview({ unit: 'month' })).parts.find(({ part, key }) => part === 'held' && key === 'credit')!;
  const before = [await held(ann), await held(sue)].map(({ amount_in }) => amount_in);
  await change('999999999999.99');
  for (const _ of ['waiting', 'added']) {
    assert.equal(
      [await held(ann), await held(sue)].map(({ amount_in }) => amount_in),
      before.map((amount) => amount + 10_001 * 999_999_999_999.99),
    );
    await addChanges(db);
  }
  assert.is(await waiting(), 0);
  await change('-999999999999.99');
});

test('a server adds up what waits again and again, until it is stopped', async () => {
  const warnings: unknown[] = [];
  const stop = startAddingChanges(db, { warn: (...words: unknown[]) => void warnings.push(words) }, 5);
  for (const amount of ['3', '4']) {
    await topUp(pam, amount, 'success');
    while (await waiting()) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await stop();
  await topUp(pam, '5', 'success');
  assert.ok(await waiting());
  assert.equal(warnings, []);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { purchases } from '../../../src/server/resources/purchases';
import { booksAddUp, creditOf, isRefused } from '../../answers';
import { ann } from '../../callers';
import { addPlayer, deposit, fund, topUp } from '../../seed';
import { isSpread, pam, reset, sql } from '../../world';
import { collectPlans } from '../queries/collectPlans';

test.before.each(reset);
test.after.each(booksAddUp);

const minutes = (n: number) => new Date(Date.now() - n * 60_000);
const ids = (rows: { id: number }[]) => rows.map((row) => row.id);

test('a purchase that succeeds credits the player and carries its moment', async () => {
  const row = await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } });
  assert.is(row.status, 'success');
  assert.is(row.user_email, pam.email);
  assert.ok(row.completed_at && Math.abs(Date.parse(row.completed_at) - Date.now()) < 60_000);
  assert.is(await creditOf(), 430);
});

test('whatever is settled refuses every further change, the same status included', async () => {
  const won = await topUp(pam, '10', 'success'),
    lost = await topUp(pam, '10', 'failed');
  await fund(pam, 'bonus', '5');
  const put = await deposit(pam, 'bonus', '5', 'failed');
  const before = await creditOf();
  for (const [id, words] of [
    [won, 'Purchase is already success'],
    [lost, 'Purchase is already failed'],
    [put, 'Deposit is already failed'],
  ] as const) {
    for (const status of ['pending', 'success', 'failed'] as const) {
      await isRefused(ann.changePurchaseStatus({ id, body: { status } }), 409, words);
    }
  }
  assert.is(await creditOf(), before);
});

test('pending set to pending is answered with the row as it is', async () => {
  const row = await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'pending' } });
  assert.equal([row.status, row.completed_at], ['pending', null]);
  assert.is(await creditOf(), 350);
});

test('the list has purchases and deposits, newest first, ties by id', async () => {
  const at = minutes(5);
  const old = await topUp(pam, '1', 'success', { initiated_at: minutes(60) });
  const put = await deposit(pam, 'credit', '1', 'success', { initiated_at: at });
  const bought = await topUp(pam, '1', 'pending', { initiated_at: at });
  assert.equal(ids(await ann.listPurchases()), [pam.purchase, bought, put, old]);
  assert.equal(ids(await ann.listPurchases({ transaction_type: 'TOP_UP' })), [pam.purchase, bought, old]);
  assert.equal(ids(await ann.listPurchases({ transaction_type: 'DEPOSIT' })), [put]);
  assert.equal(ids(await ann.listDeposits()), [put]);
  assert.equal(ids(await ann.listPurchases({ limit: 2 })), [pam.purchase, bought]);
});

test('without a limit a hundred rows come, the newest', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test' });
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, status, amount, completed_at, initiated_at)
    select 2, ${someone.id}, 'TOP_UP', 'failed', 1, now(), now() - make_interval(mins => n)
    from generate_series(1, 150) n`;
  const rows = await ann.listPurchases();
  assert.is(rows.length, 100);
  assert.is(rows[0]?.id, pam.purchase);
  assert.is((await ann.listPurchases({ limit: 1000 })).length, 151);
});

test('a row carries what was recorded: net amount, method, type, description, reference, and nothing unnamed', async () => {
  const id = await topUp(pam, '12.34', 'success', {
    net_amount: '12.10',
    payment_method: 'card',
    payment_metadata: { type: 'LOYALTY', card: '4242' },
    description: 'first',
    payment_reference: 'REF-1',
  });
  const row = (await ann.listPurchases()).find((r) => r.id === id)!;
  const found = [row.amount, row.net_amount, row.payment_method, row.payment_metadata, row.description];
  assert.equal([...found, row.payment_reference], [12.34, 12.1, 'card', { type: 'LOYALTY' }, 'first', 'REF-1']);
});

// On Citus the coordinator shows plans of its own.
(isSpread ? test.skip : test)('the lists read no more than they show: the index has the order', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test' });
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, status, amount, completed_at, initiated_at)
    select 2, ${someone.id}, 'TOP_UP', 'failed', 1, now(), now() - make_interval(secs => n)
    from generate_series(1, 20000) n`;
  await sql`analyze transactions`;
  for (const caller of [anAdmin, aSuperAdmin]) {
    for (const query of [{}, { transaction_type: 'TOP_UP' }]) {
      const plans = await collectPlans(/\btransactions\b/, async () =>
        purchases.listPurchases({ sql, caller, query } as never),
      );
      assert.match(plans, 'transactions_newest');
      assert.not.match(plans, 'Seq Scan on transactions');
    }
  }
});
const anAdmin = { tenant_id: 2, role: { name: 'admin', is_super_admin: false } },
  aSuperAdmin = { tenant_id: 1, role: { name: 'super_admin', is_super_admin: true } };

test.run();

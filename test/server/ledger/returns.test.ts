/** Returns, and redeems that are paid from the game, on the real database. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readStatement } from '../../../src/server/books/statement';
import { createRedeem } from '../../../src/server/ledger/create';
import { settlePurchase, settleRedeem } from '../../../src/server/ledger/settle';
import { ann } from '../../callers';
import { booksAddUpCounted } from '../../facts';
import { deposit, fund, giveBack } from '../../seed';
import { db, pam, people, refusal, reset, services, sql } from '../../world';
import { catchError } from '../catchError';

const by = { admin_id: people.ann.id };
const make = (amount: string) => giveBack(pam, amount);
const done = () => ({ admin_id: people.ann.id, by, secrets: services.secrets });
const settle = (id: number, status: 'success' | 'failed') =>
  db.tx((tx) => settlePurchase(tx, { id, tenant: null, status, ...done() }));
const request = (amount: string, more: object = { is_manual: true }) =>
  db.tx((tx) =>
    createRedeem(tx, {
      ...{ tenant_id: 2, player_id: pam.id, amount, platform: 'yolo', is_manual: false, admin_id: null },
      ...{ secrets: services.secrets, ...more },
    }),
  );
const pay = (id: number, status: 'success' | 'failed') =>
  db.tx((tx) => settleRedeem(tx, { id, tenant: 2, status, ...done() }));
const wallet = () =>
  sql<{ credit: string; held: string; ggr: string }[]>`
  select credit_balance::text as credit, held_balance::text as held, individual_ggr::text as ggr
  from wallets where player_id = ${pam.id}`.one();
const movements = (id: number) => sql<{ move: string; amount: string }[]>`
  select from_account || ' ' || to_account as move, amount::text from transfers where money_id = ${id} order by id`;
const payFromGame = () => sql`update tenants set redeems_from_game = true where id = 2`;
const settleAll = () =>
  sql`select id from redeems where status = 'pending' and tenant_id = 2`.then(async (rows) => {
    for (const { id } of rows) await pay(Number(id), 'failed');
  });

test.before.each(reset);
test.after.each(booksAddUpCounted);

test('a pending return moves nothing, success pays the credit from the platform, to the cent', async () => {
  const before = await wallet();
  const id = await make('300.07');
  assert.equal([await wallet(), [...(await movements(id))]], [before, []]);
  assert.is((await settle(id, 'success')).status, 'success');
  assert.equal([...(await movements(id))], [{ move: 'platform credit', amount: '300.07' }]);
  const after = await wallet();
  assert.is((Number(after.credit) - Number(before.credit)).toFixed(2), '300.07');
  assert.equal([after.held, after.ggr], [before.held, before.ggr], 'no purchase, and never in GGR');
});

test('a failed return moves nothing, and a settled one refuses every further change', async () => {
  const before = await wallet();
  const id = await make('5');
  assert.is((await settle(id, 'failed')).status, 'failed');
  assert.equal([await wallet(), [...(await movements(id))]], [before, []]);
  assert.match((await catchError(settle(id, 'success'))).message, 'Return is already failed');
});

test('a return cannot be without a platform, nor be of another type', async () => {
  const insert = (type: string) => sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount) values (2, ${pam.id}, ${type}, 1)`;
  for (const type of ['RETURN', 'WIN']) assert.match((await catchError(insert(type))).message, 'violates check');
});

test('paid from the game, a redeem needs no credit, holds nothing, and its success moves twice', async () => {
  await payFromGame();
  const before = await wallet();
  const { id } = await request('5000.50');
  assert.equal([await wallet(), [...(await movements(id))]], [before, []]);
  assert.is((await pay(id, 'success')).status, 'success');
  const moves = [...(await movements(id))];
  assert.equal(moves, [
    { move: 'platform credit', amount: '5000.50' },
    { move: 'credit cash_out', amount: '5000.50' },
  ]);
  const after = await wallet();
  assert.equal([after.credit, after.held], [before.credit, before.held]);
  assert.is((Number(before.ggr) - Number(after.ggr)).toFixed(2), '5000.50');
});

test('paid from the game, a failed redeem moves nothing, and the limit of the day holds', async () => {
  await payFromGame();
  const before = await wallet();
  const { id } = await request('900');
  await pay(id, 'failed');
  assert.equal([await wallet(), [...(await movements(id))]], [before, []]);
  assert.match((await catchError(request('1000', { day_limit: 1000 }))).message, 'left today');
});

test('paid from the game, a hold, the seal and two people are as before', async () => {
  await payFromGame();
  const { id } = await request('120');
  await ann.holdPayouts({ id: pam.id, body: { is_held: true, reason: 'fraud_suspected' } });
  assert.match((await catchError(pay(id, 'success'))).message, 'on hold');
  await ann.holdPayouts({ id: pam.id, body: { is_held: false } });
  await sql`update redeems set from_game = false where id = ${id}`;
  assert.match((await catchError(pay(id, 'success'))).message, 'was changed in the database');
  await sql`update redeems set from_game = true where id = ${id}`;
  await sql`update tenants set payout_approval_from = 100 where id = 2`;
  assert.is((await pay(id, 'success')).status, 'pending', 'the first of two');
});

test('the way is not changed while redeems wait, and each row keeps its own', async () => {
  const choose = (redeems_from_game: boolean) =>
    ann.changeReturnSettings({ body: { redeems_from_game, tenant_id: 2 } });
  assert.equal(await refusal(choose(true)), { status: 409, detail: '1 redeem waits. Settle them first' });
  await settleAll();
  assert.equal(await choose(true), { redeems_from_game: true });
  const { id } = await request('200');
  assert.equal(await refusal(choose(false)), { status: 409, detail: '1 redeem waits. Settle them first' });
  await pay(id, 'success');
  await choose(false);
  assert.equal(await ann.getReturnSettings({}), { redeems_from_game: false });
});

test('a redeem and the choice of the way at once: either the redeem is made by the new way, or it is refused', async () => {
  await settleAll();
  await fund(pam, 'credit', '1000');
  for (const want of [true, false, true, false]) {
    const [chosen] = await Promise.allSettled([
      ann.changeReturnSettings({ body: { redeems_from_game: want, tenant_id: 2 } }),
      request('100'),
    ]);
    const [row] = await sql<{ from_game: boolean; redeems_from_game: boolean }[]>`
      select r.from_game, t.redeems_from_game from redeems r join tenants t on t.id = r.tenant_id
      where r.tenant_id = 2 and r.status = 'pending'`;
    assert.is(row!.from_game, row!.redeems_from_game, `${chosen.status}: what waits is of the way that is chosen`);
    await settleAll();
  }
});

test('the statement has what came back, and the platform is below zero when players win', async () => {
  await fund(pam, 'credit', '50');
  await deposit(pam, 'credit', '50', 'success');
  await settle(await make('300'), 'success');
  const [now] = await sql<{ month: string }[]>`
    select to_char(now() at time zone time_zone, 'YYYY-MM') as month from tenants where id = 2`;
  const { accounts, kinds } = await readStatement(sql, 2, now!.month);
  const platform = accounts.find(({ account }) => account === 'platform')!;
  assert.equal([platform.deposits, platform.returns, platform.closing], [50, -300, -250]);
  const returns = kinds.find(({ kind }) => kind === 'returns');
  assert.equal(returns, { kind: 'returns', transfers: 1, amount: 300 });
  const sum = accounts.reduce((cents, { closing }) => cents + Math.round(closing * 100), 0);
  assert.is(sum, 0);
});

test.run();

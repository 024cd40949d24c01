/** Where the money is: which account a settlement moves, what moves by hand, and that all of it is in the ledger. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AccountEntryForm, ValueAccountForm } from '../../../src/contract/entities';
import { verifyLedger } from '../../../src/server/books/verify';
import { createReturn } from '../../../src/server/ledger/create';
import { settlePurchase } from '../../../src/server/ledger/settle';
import { isRefused, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, ben, sue } from '../../callers';
import { booksAddUpCounted, countAll } from '../../facts';
import { deposit, fund, topUp } from '../../seed';
import { as, db, pam, people, refusal, refused, reset, sql } from '../../world';
import { catchError } from '../catchError';

const owner = { tenant_id: 2, player_id: pam.id };
const add = async (name: string, form: Partial<ValueAccountForm> = {}) =>
  ann.createValueAccount({ body: { name, kind: 'cash', methods: [], is_active: true, ...form } });
const enter = async (body: AccountEntryForm, who: 'ann' | 'sue' = 'ann') =>
  (await as(who)).enterAccountMove({ body: { tenant_id: 2, ...body } });
const balances = async () =>
  Object.fromEntries((await ann.getValueAccounts({})).accounts.map(({ name, balance }) => [name, balance]));
const purchase = (amount: string, payment_method: string) => topUp(pam, amount, 'pending', { payment_method });
const settle = async (id: number, account_id?: number) =>
  ann.changePurchaseStatus({ id, body: { status: 'success', account_id } });

test.before.each(reset);
test.after.each(booksAddUpCounted);

test('a purchase goes into the account that is named, else into that of its method, else into none', async () => {
  const tag = await add('$tag', { methods: ['CashApp'] });
  const till = await add('Till');
  await settle(await purchase('20.05', 'cashapp'));
  await settle(await purchase('7.01', 'cashapp'), till.id);
  await settle(await purchase('5', 'other'));
  assert.equal(await balances(), { $tag: 20.05, Till: 7.01 });
  await countAll();
  assert.equal(await balances(), { $tag: 20.05, Till: 7.01 }, 'the same once it is counted');
  await settle(await purchase('1.11', 'CASHAPP'));
  assert.equal(await balances(), { $tag: 21.16, Till: 7.01 }, 'counted, and since');
  const moves = await ann.listAccountMoves({ id: tag.id });
  assert.equal(table(moves, 'kind', 'amount', 'by'), [
    ['purchase', 1.11, 'ann@acme.test'],
    ['purchase', 20.05, 'ann@acme.test'],
  ]);
});

test('a processor and a platform mean their account by label or name, however they are written', async () => {
  const coins = await add('Coins', { methods: ['BTC Pay', 'Apex Processing', 'btcpay'] });
  assert.equal(coins.methods, ['btcpay', 'apex']);
  assert.is(await refused(add('Other', { methods: ['APEX'] })), 409);
  const juwa = await add('Juwa', { kind: 'credits', methods: ['Golden Dragon', 'Orion Stars', 'Juwa 777', 'Juwa 8'] });
  assert.equal(juwa.methods, ['golden_dragon', 'orionstar', 'juwa777', 'juwa 8']);
  for (const method of ['btcpay', 'BTC Pay', 'apex', 'Btcpay ']) await settle(await purchase('10', method));
  for (const platform of ['golden_dragon', 'Golden Dragon'])
    await settle(await db.tx((tx) => createReturn(tx, { ...owner, amount: '2.50', platform })));
  assert.equal(await balances(), { Coins: 40, Juwa: 5 });
});

test('a redeem is paid out of one; deposits and returns move the stock of their platform', async () => {
  const till = await add('Till');
  await add('VBlink credits', { kind: 'credits', methods: ['vblink'], cost_per_credit: '0.2' });
  await fund(pam, 'credit', '100');
  const paid = await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success', account_id: till.id } });
  await deposit(pam, 'credit', '30', 'success');
  const back = await db.tx((tx) => createReturn(tx, { ...owner, amount: '12.50', platform: 'VBlink' }));
  await settle(back);
  assert.equal(await balances(), { Till: -paid.amount, 'VBlink credits': -17.5 });
});

test('an account of another kind, another tenant, or switched off is 404, and nothing is settled', async () => {
  const stock = await add('Stock', { kind: 'credits' });
  const off = await add('Off', { is_active: false });
  const others = await ben.createValueAccount({ body: { name: 'Ben', kind: 'cash', methods: [], is_active: true } });
  const id = await purchase('20', 'cashapp');
  for (const account of [stock.id, off.id, others.id + 1000]) assert.is(await refused(settle(id, account)), 404);
  const move = { entry: 'corrected', to_id: stock.id + 1000, amount: '1', reason: 'x' } as const;
  await isRefused(ben.enterAccountMove({ body: move }), 404);
  assert.is((await sql`select 1 from transfers where money_id = ${id}`).length, 0);
  await settle(id);
});

test('a tenant can require an account of people; what a processor reports is never refused', async () => {
  const till = await add('Till');
  assert.is((await ann.changeAccountSettings({ body: { is_required: true } })).is_required, true);
  const id = await purchase('20', 'cashapp');
  assert.equal(await refusal(settle(id)), { status: 409, detail: 'Choose the account of this payment' });
  await settle(id, till.id);
  const reported = await purchase('3', 'cashapp');
  await db.tx((tx) => settlePurchase(tx, { id: reported, tenant: 2, status: 'success', admin_id: null }));
  assert.equal(await balances(), { Till: 20 });
});

test('credits are bought, value moves, a correction has a reason, and each is a row of the books', async () => {
  const [bank, till, stock] = [await add('Bank'), await add('Till'), await add('Stock', { kind: 'credits' })];
  await enter({ entry: 'corrected', to_id: bank.id, amount: '1000', reason: 'Opening' });
  await enter({ entry: 'bought', from_id: bank.id, to_id: stock.id, amount: '200', credits: '1000' });
  await enter({ entry: 'bought', to_id: stock.id, amount: '100.50', credits: '500' });
  await enter({ entry: 'moved', from_id: bank.id, to_id: till.id, amount: '50.25' });
  await enter({ entry: 'corrected', from_id: till.id, amount: '0.25', reason: 'Counted' });
  assert.equal(await balances(), { Bank: 749.75, Till: 50, Stock: 1500 });
  const { accounts } = await ann.getValueAccounts({});
  assert.is(accounts.find(({ id }) => id === stock.id)?.cost_per_credit, 0.200333);
  const edit: ValueAccountForm = { name: 'Stock', kind: 'credits', methods: [], is_active: true };
  const body = { ...edit, cost_per_credit: '0.3' };
  const { cost_per_credit, set_cost } = await ann.updateValueAccount({ id: stock.id, body });
  assert.equal([cost_per_credit, set_cost], [0.200333, 0.3], 'the average counts, and what was set stays');
  const refusedEntries: AccountEntryForm[] = [
    { entry: 'corrected', to_id: bank.id, amount: '1' },
    { entry: 'corrected', from_id: till.id, to_id: bank.id, amount: '1', reason: 'x' },
    { entry: 'moved', from_id: bank.id, to_id: stock.id, amount: '1' },
    { entry: 'moved', from_id: bank.id, to_id: bank.id, amount: '1' },
    { entry: 'bought', from_id: bank.id, to_id: stock.id, amount: '1' },
    { entry: 'bought', from_id: stock.id, to_id: bank.id, amount: '1', credits: '1' },
  ];
  for (const entry of refusedEntries) assert.is(await refused(enter(entry)), 400, JSON.stringify(entry));
  assert.match((await catchError(sql`update account_entries set amount = 1`)).message, 'the ledger is append-only');
});

test('from the limit on, two people correct an account', async () => {
  await sql`update tenants set edit_approval_from = 100 where id = 2`;
  const till = await add('Till');
  const small: AccountEntryForm = { entry: 'corrected', to_id: till.id, amount: '99.99', reason: 'Counted' };
  assert.equal(await enter(small), { waits: false });
  const large: AccountEntryForm = { entry: 'corrected', from_id: till.id, amount: '100', reason: 'Counted' };
  assert.equal(await enter(large), { waits: true });
  assert.equal(await balances(), { Till: 99.99 });
  const [waiting] = await ann.listApprovals({});
  const asked = [waiting?.kind, waiting?.account_name, waiting?.amount, waiting?.reason];
  assert.equal(asked, ['account', 'Till', -100, 'Counted']);
  assert.is(await refused(ann.approveChange({ id: waiting!.id })), 409);
  await sue.approveChange({ id: waiting!.id });
  assert.equal(await balances(), { Till: -0.01 });
  const [entry] = await sql`select admin_id, approved_by from account_entries order by id desc limit 1`;
  assert.equal([entry?.['admin_id'], entry?.['approved_by']], [people.sue.id, people.ann.id]);
});

test('from the limit on, in dollars or credits, two people buy credits; a move needs one', async () => {
  const [till, bank, stock] = [await add('Till'), await add('Bank'), await add('Stock', { kind: 'credits' })];
  await enter({ entry: 'corrected', to_id: till.id, amount: '1000', reason: 'Opening' });
  await sql`update tenants set edit_approval_from = 100.01 where id = 2`;
  const buy = { entry: 'bought' as const, to_id: stock.id };
  assert.equal(await enter({ ...buy, amount: '100', credits: '100' }), { waits: false });
  assert.equal(await enter({ entry: 'moved', from_id: till.id, to_id: bank.id, amount: '500' }), { waits: false });
  assert.equal(await enter({ ...buy, from_id: till.id, amount: '100.01', credits: '0.01' }), { waits: true });
  assert.equal(await enter({ ...buy, amount: '0.01', credits: '100.01' }), { waits: true });
  assert.equal(await balances(), { Bank: 500, Till: 500, Stock: 100 });
  const waiting = await sue.listApprovals({ tenant_id: 2 });
  assert.equal(table(waiting, 'entry', 'account_name', 'amount', 'credits'), [
    ['bought', 'Till to Stock', 100.01, 0.01],
    ['bought', 'Stock', 0.01, 100.01],
  ]);
  assert.is(await refused(ann.approveChange({ id: waiting[0]!.id })), 409);
  for (const { id } of waiting) await sue.approveChange({ id });
  assert.equal(await balances(), { Bank: 500, Till: 399.99, Stock: 200.02 });
  const log = (await readAuditLog()).filter(({ call }) => call === 'approveChange');
  assert.equal(log.map(({ after }) => [after?.['entry'], after?.['credits']]).sort(), [
    ['bought', '0.01'],
    ['bought', '100.01'],
  ]);
});

test('of two people who pay out, the account of the second counts, else that of the first', async () => {
  await sql`update tenants set payout_approval_from = 100 where id = 2`;
  const till = await add('Till');
  await add('Bank');
  const decide = async (who: 'ann' | 'sue', account_id?: number) =>
    (await as(who)).changeRedeemStatus({ id: pam.redeem, body: { status: 'success', account_id } });
  assert.is(await refused(decide('ann', till.id + 1000)), 404);
  assert.is((await decide('ann', till.id)).status, 'pending');
  const [waiting] = await sue.listApprovals({ tenant_id: 2 });
  assert.equal([waiting?.kind, waiting?.account_name], ['redeem', 'Till']);
  await sue.approveChange({ id: waiting!.id });
  assert.equal(await balances(), { Till: -150, Bank: 0 });
  await reset();
  await sql`update tenants set payout_approval_from = 100 where id = 2`;
  const [first, second] = [await add('Till'), await add('Bank')];
  await decide('ann', first.id);
  assert.is((await decide('sue', second.id)).status, 'success');
  assert.equal(await balances(), { Till: 0, Bank: -150 });
});

test('a name and a method mean one account', async () => {
  const till = await add('Till', { methods: ['cash'] });
  assert.is(await refused(add('till')), 409);
  assert.is(await refused(add('Bank', { methods: ['Cash'] })), 409);
  const body: ValueAccountForm = { name: 'Till', kind: 'credits', methods: [], is_active: true };
  assert.is(await refused(ann.updateValueAccount({ id: till.id, body })), 409);
  const off = await ann.updateValueAccount({ id: till.id, body: { ...body, kind: 'cash', is_active: false } });
  assert.equal([off.is_active, off.methods], [false, []]);
  await add('Bank', { methods: ['Cash'] });
});

test('a tenant has no more accounts than the list shows, of both kinds and out of use, too', async () => {
  await sql`
    insert into value_accounts (tenant_id, name, kind, is_active)
    select 2, 'No. ' || n, case when n % 2 = 0 then 'cash' else 'credits' end, n % 3 = 0 from generate_series(1, 99) n`;
  await add('The last one');
  assert.equal(await refusal(add('One more')), { status: 409, detail: 'At most 100 accounts' });
  assert.is((await ann.getValueAccounts({})).accounts.length, 100);
});

test('the check finds an account whose sum is not that of the ledger, or that holds something else', async () => {
  const till = await add('Till');
  await settle(await purchase('20', 'x'), till.id);
  await countAll();
  await sql`update account_sums set amount = amount + 2.50 where account_id = ${till.id}`;
  const counted = `Account ${till.id} of tenant 2 has counted movements of 22.50, but the ledger says 20.00.`;
  assert.equal(await verifyLedger(sql), [counted]);
  await sql`update account_sums set amount = amount - 2.50 where account_id = ${till.id}`;
  await sql`update value_accounts set kind = 'credits' where id = ${till.id}`;
  const held = `Account ${till.id} of tenant 2 has movements of cash, which it does not hold.`;
  assert.equal(await verifyLedger(sql), [held]);
  await sql`update value_accounts set kind = 'cash' where id = ${till.id}`;
});

test.run();

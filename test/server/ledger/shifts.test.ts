/** Shifts: opened and closed with counts, in which an entry is or is not, and the profit; both add up to the ledger. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CloseShiftForm, ValueAccountForm } from '../../../src/contract/entities';
import { notificationAddress } from '../../../src/contract/notificationAddress';
import { toolAddress } from '../../../src/contract/routes';
import { verifyLedger } from '../../../src/server/books/verify';
import { settlePurchase } from '../../../src/server/ledger/settle';
import { isRefused, pluck, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { checkEverything } from '../../books';
import { ann, sue } from '../../callers';
import { booksAddUpCounted, countAll } from '../../facts';
import { importFile } from '../../importFile';
import { deposit, fund, giveBack, topUp } from '../../seed';
import { as, db, pam, people, refusal, refused, reset, sql, whileHeld } from '../../world';
import { catchError } from '../catchError';
import { look } from '../notifications/bell';
import { eventually } from '../running';

const add = async (name: string, form: Partial<ValueAccountForm> = {}) =>
  ann.createValueAccount({ body: { name, kind: 'cash', methods: [], is_active: true, ...form } });
const purchase = (amount: string, payment_method = 'cash', net_amount: string | null = null) =>
  topUp(pam, amount, 'pending', { payment_method, net_amount });
const count = (id: number, counted: string, reason?: string) => ({
  account_id: id,
  counted,
  ...(reason && { reason }),
});
const settle = async (id: number, account_id?: number, who: 'ann' | 'sue' = 'ann') =>
  (await as(who)).changePurchaseStatus({ id, body: { status: 'success', account_id } });
const open = async (counts: Record<number, string>, who: 'ann' | 'sue' = 'ann', relieves_id?: number) => {
  const counted = Object.entries(counts).map(([id, counted]) => count(Number(id), counted));
  return (await as(who)).openShift({ body: { counts: counted, relieves_id, tenant_id: 2 } });
};
const close = async (id: number, counts: CloseShiftForm['counts'], who: 'ann' | 'sue' = 'ann') =>
  (await as(who)).closeShift({ id, body: { counts, tenant_id: 2 } });
const today = async () => (await ann.getShiftDay({})).day;
/** What the log has of each closing. */
const logged = async (fact: string) =>
  (await readAuditLog()).flatMap(({ call, after }) => (call === 'closeShift' ? [after?.[fact]] : []));

test.before.each(reset);
test.after.each(booksAddUpCounted);

test('a shift expects what was counted and what its cashier moved, and asks why something is missing', async () => {
  const [till, bank] = [await add('Till', { methods: ['cash'] }), await add('Bank')];
  const stock = await add('Stock', { kind: 'credits', methods: ['vblink'] });
  await settle(await purchase('7'));
  const shift = await open({ [till.id]: '100.50', [stock.id]: '1000' });
  const begun = [shift.cashier, shift.closed_at, pluck(shift.counts, 'opening')];
  assert.equal(begun, [people.ann.email, null, [100.5, 1000]]);
  await settle(await purchase('20.25'));
  await settle(await purchase('5'), undefined, 'sue');
  const reported = await purchase('3');
  await db.tx((tx) => settlePurchase(tx, { id: reported, tenant: 2, status: 'success', admin_id: null }));
  await settle(await purchase('4'), bank.id);
  await fund(pam, 'credit', '40');
  await settle(await deposit(pam, 'credit', '30'));
  const back = await giveBack(pam, '10.01');
  await settle(back);
  await ann.enterAccountMove({ body: { entry: 'moved', from_id: till.id, to_id: bank.id, amount: '50' } });
  const bought = { entry: 'bought', from_id: till.id, to_id: stock.id, amount: '2', credits: '9' } as const;
  await ann.enterAccountMove({ body: bought });
  const counts = [count(till.id, '66.75'), count(stock.id, '989.01')];
  await isRefused(close(shift.id, counts), 409, 'Till is off by -2.00. Give a reason');
  assert.equal(await refusal(close(shift.id, counts.slice(0, 1))), { status: 400, detail: 'Count Stock, too' });
  for (const wrong of [count(bank.id, '1'), counts[0]!])
    assert.is(await refused(close(shift.id, [...counts, wrong])), 400);
  const [first, second] = counts;
  const paper = await close(shift.id, [{ ...first!, reason: 'Taxi' }, second!]);
  const columns = ['name', 'opening', 'moved', 'expected', 'counted', 'difference', 'reason'] as const;
  assert.equal(table(paper.counts, ...columns), [
    ['Bank', null, 54, null, null, null, null],
    ['Till', 100.5, -31.75, 68.75, 66.75, -2, 'Taxi'],
    ['Stock', 1000, -10.99, 989.01, 989.01, 0, null],
  ]);
  assert.is(paper.closed_by, people.ann.email);
  assert.equal(await refusal(close(shift.id, counts)), { status: 409, detail: 'This shift is closed already' });
  await settle(await purchase('11'));
  assert.equal((await ann.getShift({ id: shift.id })).counts, paper.counts, 'nothing changes it');
  assert.equal(await logged('differences'), ['Till -2.00: Taxi']);
});

test('one shift is open for each cashier; another takes over; the day has them all, and so has its file', async () => {
  const till = await add('Till', { methods: ['cash'] });
  const first = await open({ [till.id]: '100' });
  assert.is(await refused(open({ [till.id]: '100' })), 409);
  assert.is(await refused(open({ [till.id + 1]: '100' }, 'sue')), 404);
  assert.is(await refused(open({ [till.id]: '1' }, 'sue', 99)), 404);
  const second = await open({ [till.id]: '100' }, 'sue', first.id);
  assert.is(second.relieved, people.ann.email);
  await settle(await purchase('20'));
  const fileOf = async (shift_id: number) => (await (await ann.exportShifts({ shift_id })).text()).trim().split('\r\n');
  assert.match((await fileOf(first.id))[1]!, /"Till","cash",100\.00,20\.00,120\.00,,,$/, 'as on its page');
  assert.is(await refused(ann.exportShifts({ shift_id: 99 })), 404);
  await close(first.id, [count(till.id, '119', 'A dollar fell')]);
  await sql`update admins set permissions = '{queue}' where id = ${people.ann.id}`;
  assert.is(await refused(close(second.id, [count(till.id, '100')])), 403);
  await sql`update admins set permissions = '{money,export}' where id = ${people.ann.id}`;
  await close(second.id, [count(till.id, '100.50', 'Tip')]);
  assert.equal(await logged('cashier'), [people.ann.email, people.sue.email]);
  const day = await ann.getShiftDay({});
  assert.equal(table(day.shifts, 'cashier', 'relieved', 'differences'), [
    [people.sue.email, people.ann.email, 1],
    [people.ann.email, null, 1],
  ]);
  assert.equal(table(day.sums, 'name', 'shifts', 'moved', 'difference'), [['Till', 2, 20, -0.5]]);
  assert.equal(day.own_id, null);
  assert.equal((await ann.getShiftDay({ day: '2020-01-01' })).shifts, []);
  const lines = await fileOf(first.id);
  assert.is(lines.length, 2);
  assert.match(lines[1]!, /"ann@acme\.test",.*"Till","cash",100\.00,20\.00,120\.00,119\.00,-1\.00,"A dollar fell"$/);
  assert.is((await (await ann.exportShifts({})).text()).trim().split('\r\n').length, 3);
});

test('where a shift is required, a person without one settles nothing that moves an account', async () => {
  const till = await add('Till', { methods: ['cash'] });
  await sue.changeShiftSettings({ body: { is_required: true, tenant_id: 2 } });
  const id = await purchase('20');
  assert.equal(await refusal(settle(id)), { status: 409, detail: 'Open your shift first: this moves an account' });
  await settle(await purchase('1', 'unknown'));
  const reported = await purchase('3');
  await db.tx((tx) => settlePurchase(tx, { id: reported, tenant: 2, status: 'success', admin_id: null }));
  await open({ [till.id]: '0' });
  await settle(id);
  assert.is((await ann.getShiftDay({})).is_required, true);
});

test('whoever settles, pays out or moves value has shifts, and nobody else', async () => {
  const till = await add('Till');
  await sue.changeShiftSettings({ body: { is_required: true, tenant_id: 2 } });
  const hold = (held: string[]) => sql`update admins set permissions = ${held} where id = ${people.ann.id}`;
  await hold(['support', 'export', 'import', 'settings', 'team']);
  const none = { status: 403, detail: 'You need the permission Queue or Payouts or Money for this' };
  assert.equal(await refusal(open({ [till.id]: '200' })), none);
  assert.equal(await refusal(close(1, [count(till.id, '200')])), none);
  for (const one of ['queue', 'money']) {
    await hold([one]);
    const { id } = await open({ [till.id]: '200' });
    await close(id, [count(till.id, '200')]);
  }
  await hold(['payouts']);
  const pay = async () => ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success', account_id: till.id } });
  assert.is((await refusal(pay())).detail, 'Open your shift first: this moves an account');
  const { id } = await open({ [till.id]: '200' });
  await pay();
  assert.is((await close(id, [count(till.id, '50')])).counts[0]?.moved, -150);
});

test('a payout of two people is in the shift of the first, and the second needs none', async () => {
  const till = await add('Till');
  await sql`update tenants set payout_approval_from = 100, needs_shift = true where id = 2`;
  const pay = async (who: 'ann' | 'sue') =>
    (await as(who)).changeRedeemStatus({ id: pam.redeem, body: { status: 'success', account_id: till.id } });
  const { id } = await open({ [till.id]: '200' });
  assert.is((await pay('ann')).status, 'pending');
  assert.is((await pay('sue')).status, 'success');
  assert.is((await close(id, [count(till.id, '50')])).counts[0]?.moved, -150);
});

test('what two people agree on is in the shift of whoever asked for it, if it is open', async () => {
  const till = await add('Till');
  await sql`update tenants set edit_approval_from = 100 where id = 2`;
  const ask = () =>
    ann.enterAccountMove({ body: { entry: 'corrected', to_id: till.id, amount: '100', reason: 'Counted' } });
  const agree = async () => {
    const [waiting] = await sue.listApprovals({ tenant_id: 2 });
    await sue.approveChange({ id: waiting!.id });
  };
  const shift = await open({ [till.id]: '0' });
  await open({ [till.id]: '0' }, 'sue');
  await ask();
  await agree();
  await ask();
  await close(shift.id, [count(till.id, '100')]);
  await agree();
  assert.equal(pluck(await sql`select shift_id from account_entries order by id`, 'shift_id'), [shift.id, null]);
});

test('of 1,000 settlements while a shift is closed each is in it or in none, and it expects what it has', async () => {
  const till = await add('Till', { methods: ['cash'] });
  const made = await sql<{ id: number }[]>`
    insert into transactions (tenant_id, player_id, transaction_type, amount, payment_method)
    select 2, ${pam.id}, 'TOP_UP', 1 + n / 100.0, 'cash' from generate_series(1, 1000) n returning id`;
  const ids = pluck(made, 'id');
  const shift = await open({ [till.id]: '10' });
  const by = { admin_id: people.ann.id };
  let done = 0;
  const settleNext = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const one = { id, tenant: 2, status: 'success', ...by, by } as const;
      await db.tx((tx) => settlePurchase(tx, one));
      done++;
    }
  };
  const closeInBetween = async () => {
    await eventually(() => done > 300);
    const { counts } = await ann.getShift({ id: shift.id });
    const counted = String(counts[0]?.expected ?? 0);
    const paper = await close(shift.id, [{ account_id: till.id, counted, reason: 'In between' }]);
    return { paper, doneBefore: done };
  };
  const [{ paper, doneBefore }] = await Promise.all([closeInBetween(), settleNext(), settleNext(), settleNext()]);
  assert.is(done, 1000);
  assert.ok(doneBefore < 1000, 'it was closed while they went on');
  const [entries] = await sql<{ inside: number; outside: number; moved: number }[]>`
    select count(shift_id)::int as inside, (count(*) - count(shift_id))::int as outside,
      sum(amount) filter (where shift_id is not null) as moved
    from transfers where account_id = ${till.id}`;
  assert.is(entries!.inside + entries!.outside, 1000);
  assert.ok(entries!.inside >= 300 && entries!.outside > 0, JSON.stringify(entries));
  assert.is(paper.counts[0]?.moved, entries!.moved);
  const [late] = await sql<{ count: number }[]>`
    select count(*)::int as count from transfers
    where shift_id = ${shift.id} and created_at > (select closed_at from shifts) + interval '5 seconds'`;
  assert.is(late?.count, 0);
});

test('whoever closes waits for what is being settled, and what waits for the closing is not in it', async () => {
  const till = await add('Till', { methods: ['cash'] });
  const shift = await open({ [till.id]: '0' });
  const [one, two] = [await purchase('5'), await purchase('6')];
  const by = { admin_id: people.ann.id };
  const settling = (id: number) => ({ id, tenant: 2, status: 'success', ...by, by }) as const;
  await whileHeld(
    (tx) => settlePurchase(tx, settling(one)),
    () => close(shift.id, [count(till.id, '5')]),
  );
  await db.tx((tx) => settlePurchase(tx, settling(two)));
  const moves = await sql`select money_id, shift_id from transfers where account_id = ${till.id} order by money_id`;
  assert.equal(table(moves, 'money_id', 'shift_id'), [
    [one, shift.id],
    [two, null],
  ]);
});

test('an import of old payments touches no closed shift', async () => {
  const till = await add('Till', { methods: ['cash'] });
  const shift = await open({ [till.id]: '0' });
  await settle(await purchase('5'));
  const paper = await close(shift.id, [count(till.id, '5')]);
  const text = [
    'source_id,user_email,transaction_type,status,amount,initiated_at,completed_at,payment_method',
    `T1,${pam.email},TOP_UP,success,33.00,${paper.opened_at},${paper.closed_at},cash`,
  ].join('\n');
  const { created } = await importFile(sue, 'transactions', text, { tenant_id: 2 });
  assert.is(created, 1);
  assert.equal((await ann.getShift({ id: shift.id })).counts, paper.counts);
  assert.is((await sql`select 1 from transfers where shift_id is not null`).length, 1);
});

test('the database and the check of the books hold a closed shift as it was', async () => {
  const [till, bank] = [await add('Till', { methods: ['cash'] }), await add('Bank')];
  const shift = await open({ [till.id]: '0' });
  await settle(await purchase('5'));
  await close(shift.id, [count(till.id, '5')]);
  for (const statement of [
    sql`update shift_counts set moved = 6, reason = 'x'`,
    sql`delete from shift_counts`,
    sql`update shifts set closed_at = null, closed_by = null`,
    sql`truncate shift_counts`,
    sql`truncate shifts cascade`,
    sql`insert into shift_counts (tenant_id, shift_id, account_id, opening) values (2, ${shift.id}, ${bank.id}, 1)`,
  ])
    assert.match((await catchError(statement)).message, 'a closed shift is never changed');
  await sql`alter table shift_counts disable trigger shift_counts_for_good`;
  await sql`update shift_counts set moved = 4, reason = 'x'`;
  const found = [`Shift ${shift.id} of tenant 2 has kept 4 of account ${till.id}, but its entries say 5.00.`];
  assert.equal(await verifyLedger(sql), found);
  await countAll();
  await checkEverything({ players: 1, days: 1, accounts: 1, shifts: 1, months: 1 });
  assert.equal(pluck(await sql`select sentence from book_differences`, 'sentence'), found);
  await sql`update shift_counts set moved = 5`;
  await sql`alter table shift_counts enable trigger shift_counts_for_good`;
});

test('the profit is what was paid less redeems, fees and credits, and is the same however it is parted', async () => {
  const till = await add('Till', { methods: ['cash'] });
  const stock = await add('Stock', { kind: 'credits', methods: ['vblink'], cost_per_credit: '0.5' });
  await settle(await purchase('100', 'cash', '97.10'));
  await settle(await deposit(pam, 'credit', '60'));
  await settle(await giveBack(pam, '10'));
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success', account_id: till.id } });
  const day = await today();
  const profit = (by: 'day' | 'platform' | 'account' | 'cashier') => ann.getProfit({ from: day, to: day, by });
  const total = { purchases: 100, redeems: 150, fees: 2.9, credits: 25, profit: -77.9, unpriced: 0 };
  assert.equal(await profit('day'), { lines: [{ name: day, ...total }], total });
  await ann.enterAccountMove({ body: { entry: 'bought', to_id: stock.id, amount: '20', credits: '100' } });
  const cheaper = { ...total, credits: 10, profit: -62.9 };
  assert.equal((await profit('account')).total, cheaper);
  assert.equal(table((await profit('account')).lines, 'name', 'profit'), [
    ['Stock', -10],
    ['Till', -52.9],
  ]);
  assert.equal((await profit('cashier')).lines, [{ name: people.ann.email, ...cheaper }]);
  const byPlatform = await profit('platform');
  assert.equal(byPlatform.total, cheaper);
  assert.is(byPlatform.lines.find(({ name }) => name === 'vblink')?.credits, 10);
  assert.is(await refused(ann.getProfit({ from: '2026-01-01', to: '2026-02-01', by: 'day' })), 400);
  assert.is(await refused(ann.getProfit({ from: '2026-01-02', to: '2026-01-01', by: 'day' })), 400);
  const none = { purchases: 0, redeems: 0, fees: 0, credits: 0, profit: 0, unpriced: 0 };
  assert.equal(await ann.getProfit({ from: '2020-01-01', to: '2020-01-31', by: 'day' }), { lines: [], total: none });
});

test('a row of the profit adds up to the cent, and credits without a known cost are counted', async () => {
  const stock = await add('Stock', { kind: 'credits', methods: ['vblink'] });
  await settle(await purchase('10'));
  await settle(await deposit(pam, 'credit', '1'));
  const day = await today();
  const profit = async () => (await ann.getProfit({ from: day, to: day, by: 'day' })).total;
  const unknown = { purchases: 10, redeems: 0, fees: 0, credits: 0, profit: 10, unpriced: 1 };
  assert.equal(await profit(), unknown);
  await ann.enterAccountMove({ body: { entry: 'bought', to_id: stock.id, amount: '0.01', credits: '2' } });
  assert.equal(await profit(), { ...unknown, credits: 0.01, profit: 9.99, unpriced: 0 });
  await ann.updateValueAccount({
    id: stock.id,
    body: { name: 'Stock', kind: 'credits', methods: [], is_active: true },
  });
  await settle(await deposit(pam, 'credit', '2'));
  assert.equal(await profit(), { ...unknown, credits: 0.01, profit: 9.99, unpriced: 2 }, 'of no stock');
});

test('a stock that is low rings once until it is filled, a difference above the amount once', async () => {
  const rung = async (kind: string) => {
    await look();
    return (await ann.listNotifications({})).filter((one) => one.kind === kind).map(({ title }) => title);
  };
  const [till, stock] = [await add('Till'), await add('Stock', { kind: 'credits' })];
  await add('Elsewhere', { kind: 'credits', is_active: false });
  assert.equal(await rung('low_stock'), [], 'it is off at first');
  await ann.saveNotificationRule({ body: { kind: 'low_stock', is_active: true, threshold: 500 } });
  const buy = { entry: 'bought', to_id: stock.id, amount: '50' } as const;
  await ann.enterAccountMove({ body: { ...buy, credits: '499.99' } });
  assert.equal(await rung('low_stock'), ['Stock has 499.99 credits left']);
  await ann.enterAccountMove({ body: { ...buy, credits: '0.01' } });
  assert.equal(await rung('low_stock'), ['Stock has 499.99 credits left']);
  const shift = await open({ [till.id]: '100', [stock.id]: '1000' });
  await close(shift.id, [count(till.id, '79.99', 'Stolen'), count(stock.id, '1020', 'Found')]);
  const said = [`Till was off by -$20.01 in the shift of ${people.ann.email}`];
  assert.equal(await rung('shift_difference'), said);
  assert.equal(await rung('shift_difference'), said);
  const who = { isSuper: true, hasView: true, hasOverview: true };
  for (const kind of ['low_stock', 'shift_difference'])
    assert.is(notificationAddress({ kind, object_id: '1', about_tenant_id: 2 }, who), toolAddress('Books', 2));
});

test.run();

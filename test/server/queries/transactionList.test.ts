import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import type { ListQuery } from '../../../src/contract/entities';
import type { TransactionSql } from '../../../src/server/db/open';
import { isRefused, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { addPlayer, deposit, fund, type Owner, redeem, topUp } from '../../seed';
import { db, pam, pastTriggers, pat, reset, sql } from '../../world';

const at = (text: string) => new Date(`${text}:00Z`);
/** Of Acme, all settled but two: purchases a to d, the oldest first. */
let a: number, b: number, c: number, d: number;
let pia: Owner & { email: string };

test.before.each(async () => {
  await reset();
  await sql`update transactions set initiated_at = '2026-01-01' where id = any (${[pam.purchase, pat.purchase]})`;
  pia = await addPlayer(2, { email: 'pia_100%@mail.test', credit: '900' });
  const made = (when: string, payment_method: string, more: object = {}) => ({
    ...{ initiated_at: at(`2026-03-${when}`), payment_method, ...more },
  });
  const first = { payment_reference: 'REF-Alpha', description: 'first' };
  a = await topUp(pam, '10', 'success', made('01T10:00', 'Card', first));
  b = await topUp(pia, '20.50', 'pending', made('02T10:00', 'Bitcoin', { payment_reference: 'REF-beta' }));
  c = await topUp(pam, '30', 'failed', made('03T23:30', 'card'));
  d = await topUp(pia, '40', 'pending', made('04T00:30', 'PayPal', { description: '50% off_today' }));
});

const found = async (query: ListQuery, of: Api = ann) =>
  (await of.listPurchases({ ...query, transaction_type: 'TOP_UP' })).map(({ id }) => id);
const total = async (query: ListQuery, of: Api = ann) => (await of.countListed({ ...query, list: 'purchases' })).total;

test('what waits comes first and the oldest of it first; what is settled follows, the newest first', async () => {
  assert.equal(await found({ order: 'pending_first' }), [pam.purchase, b, d, c, a]);
  assert.equal(await found({}), [d, c, b, a, pam.purchase]);
  assert.equal(await found({ order: 'newest' }), [d, c, b, a, pam.purchase]);
});

test('pages follow each other without a gap in either order, and beyond the end there is nothing', async () => {
  for (const order of ['pending_first', 'newest'] as const) {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => found({ order, page, limit: 2 })));
    assert.equal(pages.flat(), await found({ order }));
    assert.equal(pluck(pages, 'length'), [2, 2, 1, 0]);
  }
});

test('each filter shows its rows, and the count agrees', async () => {
  const cases: [ListQuery, number[]][] = [
    [{ status: 'pending' }, [d, b, pam.purchase]],
    [{ status: 'success' }, [a]],
    [{ status: 'failed', order: 'pending_first' }, [c]],
    [{ status: 'pending', order: 'pending_first' }, [pam.purchase, b, d]],
    [{ method: 'CARD' }, [c, a, pam.purchase]],
    [{ method: 'ar' }, [c, a, pam.purchase]],
    [{ method: '%' }, []],
    [{ min_amount: '20.50', max_amount: '30' }, [c, b]],
    [{ max_amount: 10 }, [a]],
    [{ from_date: '2026-03-02', to_date: '2026-03-03' }, [c, b]],
    [{ from_date: '2026-03-04' }, [d]],
    [{ to_date: '2026-01-01' }, [pam.purchase]],
    [{ text: 'ref-' }, [b, a, pam.purchase]],
    [{ text: 'FIRST' }, [a]],
    [{ text: 'Pia' }, [d, b]],
    [{ text: 'pam@mail' }, [c, a, pam.purchase]],
    [{ text: '100%' }, [d, b]],
    [{ text: '0% off_' }, [d]],
    [{ text: '_off' }, []],
    [{ text: 'alphafirst' }, []],
    [{ text: 'Poe' }, [c, a, pam.purchase]],
    [{ text: ' poe PÁM' }, [c, a, pam.purchase]],
    [{ text: 'pam pia' }, []],
    [{ text: String(c) }, [c]],
    [{ text: `#${d}` }, [d]],
    [{ text: '40.00' }, [d]],
    [{ text: '$20.50' }, [b]],
    [{ text: '30.00' }, [c]], // failed
    [{ text: 'ref', status: 'pending', min_amount: '50' }, [pam.purchase]],
    [{ text: 'ref', order: 'pending_first' }, [pam.purchase, b, a]],
  ];
  for (const [query, ids] of cases) {
    assert.equal(await found(query), ids, JSON.stringify(query));
    assert.is(await total(query), ids.length, JSON.stringify(query));
  }
});

test("days are the business days of each row's own tenant", async () => {
  await sql`update tenants set time_zone = 'America/New_York' where id = 3`;
  const evening = at('2026-03-04T03:00'); // of the 3rd in New York
  const late = await topUp(pat, '5', 'success', { initiated_at: evening });
  assert.equal(await found({ from_date: '2026-03-03', to_date: '2026-03-03' }, ben), [late]);
  assert.equal(await found({ from_date: '2026-03-04', to_date: '2026-03-04' }, ben), []);
  assert.equal(await found({ from_date: '2026-03-03', to_date: '2026-03-03' }, sue), [late, c]);
  await sql`update tenants set time_zone = 'Pacific/Kiritimati' where id = 3`; // there it is the afternoon of the 4th
  assert.equal(await found({ from_date: '2026-03-04' }, ben), [late]);
});

test('deposits are filtered by the balance that paid and by platform', async () => {
  await fund(pam, 'bonus', '50');
  const credit = await deposit(pam, 'credit', '20'),
    bonus = await deposit(pam, 'bonus', '30', 'success');
  const ids = async (query: ListQuery) => (await ann.listDeposits(query)).map(({ id }) => id);
  assert.equal(await ids({ method: 'bonus' }), [bonus]);
  assert.equal(await ids({ platform: 'VBLINK', order: 'pending_first' }), [credit, bonus]);
  assert.equal(await ids({ platform: 'yolo' }), []);
  assert.is((await ann.countListed({ list: 'deposits', method: 'credit' })).total, 1);
  const ofBoth = await ann.listPurchases({ order: 'pending_first', status: 'success' });
  assert.equal(pluck(ofBoth, 'id'), [bonus, a], 'without a kind named');
});

test('a text that is nearly everywhere finds what a rare one would', async () => {
  await db.tx(async (tx) => {
    await tx`set local statement_timeout = '60s'`; // on Citus the triggers of each row take a millisecond
    await tx`
      insert into transactions
        (tenant_id, player_id, transaction_type, amount, status, completed_at, initiated_at, payment_reference)
      select 2, ${pam.id}, 'TOP_UP', 40 + n, 'failed', now(), '2025-01-01', 'bulk ' || n
        from generate_series(1, 10050) n`;
  });
  await sql`analyze transactions`; // as the database does by itself, a little later
  for (const text of ['ulk', 'PAM@mail']) {
    const all = await total({ text });
    assert.ok(all > 10_000);
    const page = await ann.listPurchases({ text, transaction_type: 'TOP_UP', order: 'pending_first', limit: 200 });
    const has = (row: (typeof page)[number]) =>
      text === 'ulk' ? row.payment_reference?.includes('ulk') : row.user_email === pam.email;
    assert.ok(page.every(has));
    assert.is(page.length, 200);
    const last = await found({ text, order: 'pending_first', limit: 1000, page: Math.ceil(all / 1000) });
    assert.is(last.length, all % 1000);
  }
  assert.equal(await found({ text: 'PAM@mail', limit: 3 }), [c, a, pam.purchase]);
  assert.equal(await found({ text: 'PAM@mail', order: 'pending_first', limit: 2 }), [pam.purchase, c]);
  for (const of of [ann, sue]) {
    const [first] = await of.listPurchases({ text: 'ulk', sort_by: 'amount', sort_order: 'desc', limit: 1 });
    assert.is(first?.amount, 10_090);
    assert.equal(await found({ text: 'PAM@mail', sort_by: 'amount', limit: 1 }, of), [a]);
  }
  const amount = 10_050 * 40 + (10_050 * 10_051) / 2;
  const { failed } = await ann.sumListed({ list: 'purchases', text: 'ulk' });
  assert.equal(failed, { total: 10_050, amount, net_amount: amount });
});

test('redeems are filtered by platform, payout method and address', async () => {
  const paid = await redeem(pia, '60', 'success');
  const ids = async (query: ListQuery) => (await ann.listRedeems(query)).map(({ id }) => id);
  assert.equal(await ids({ order: 'pending_first' }), [pam.redeem, paid]);
  assert.equal(await ids({ platform: 'yolo' }), [paid]);
  assert.equal(await ids({ method: 'cash tag' }), [pam.redeem]);
  assert.equal(await ids({ text: '$TAG' }), [pam.redeem]);
  assert.equal(await ids({ limit: 1, page: 2 }), [pam.redeem]);
  assert.is((await ann.countListed({ list: 'redeems', text: 'pia_' })).total, 1);
});

test('the specified list of redeems carries nothing more', async () => {
  const [row] = await ann.listRedeems();
  assert.not.ok(row && 'risks' in row);
});

test('what is pending is counted for each list', async () => {
  await deposit(pam, 'credit', '20');
  await deposit(pam, 'credit', '20', 'failed');
  assert.equal(await ann.countPending(), { purchases: 3, deposits: 1, returns: 0, redeems: 1 });
  assert.equal(await ben.countPending(), { purchases: 1, deposits: 0, returns: 0, redeems: 1 });
  assert.equal(await sue.countPending(), { purchases: 4, deposits: 1, returns: 0, redeems: 2 });
  assert.equal(await sue.countPending({ tenant_id: 3 }), { purchases: 1, deposits: 0, returns: 0, redeems: 1 });
});

test('rows say whose they are', async () => {
  const whose = (rows: { user_email: string; tenant_id?: number }[]) =>
    [...new Set(rows.map(({ user_email, tenant_id }) => `${user_email} ${tenant_id}`))].sort();
  const all = [`${pam.email} 2`, `${pat.email} 3`, `${pia.email} 2`];
  assert.equal(whose(await sue.listPurchases()), all);
  assert.equal(whose(await sue.listPurchases({ order: 'pending_first' })), all);
  assert.equal(whose(await sue.listRedeems()), all.slice(0, 2));
  assert.equal(whose(await sue.listRedeems({ order: 'pending_first' })), all.slice(0, 2));
  await deposit(pat, 'credit', '5');
  assert.equal(whose(await sue.listDeposits({ tenant_id: 3 })), [`${pat.email} 3`]);
  const today = [...(await sue.listNewPlayersToday()), ...(await sue.listFirstPurchasesToday())];
  assert.equal([...new Set(today.map(({ tenant_id }) => tenant_id))].sort(), [2, 3]);
});

test('what came in after a list was loaded is counted, under its filters and within the tenant', async () => {
  const query = { list: 'purchases', text: 'pia_' } as const;
  const { last_id: after_id = 0 } = await ann.countListed(query);
  assert.ok(after_id >= d);
  const count = async (of: Api, more: ListQuery = {}) => (await of.countNew({ ...query, ...more, after_id })).total;
  assert.is(await count(ann), 0);
  await topUp(pia, '11', 'pending');
  await topUp(pia, '12', 'success');
  await topUp(pam, '13', 'pending'); // of somebody else
  await topUp(pat, '14', 'pending'); // of another tenant
  assert.is(await count(ann), 2);
  assert.is(await count(ann, { status: 'pending' }), 1);
  assert.is(await count(ann, { text: '' }), 3);
  assert.equal([await count(ben, { text: '' }), await count(sue, { text: '' })], [1, 4]);
  assert.is((await ann.countListed({ list: 'redeems' })).last_id, pam.redeem);
  assert.is((await ben.countListed({ list: 'deposits', tenant_id: 3 })).total, 0);
  await isRefused(ann.countNew({ list: 'redeems' } as never), 422);
});

test('Ben can neither list nor count Acme, whatever he filters by', async () => {
  const queries = [{ text: 'pam' }, { order: 'pending_first' as const }, { text: 'ref-alpha' }, { min_amount: 10 }];
  for (const query of queries) {
    assert.not((await found(query, ben)).some((id) => [a, b, c, d, pam.purchase].includes(id)));
    assert.ok((await total(query, ben)) <= 1);
  }
});

test('filters that make no sense are refused by name [ASVS 2.2.3]', async () => {
  const cases: [object, RegExp][] = [
    [{ status: 'paid' }, /^query\.status: expected one of/],
    [{ from_date: '2026-02-30' }, /^query\.from_date/],
    [{ to_date: 'soon' }, /^query\.to_date/],
    [{ from_date: '2026-03-02', to_date: '2026-03-01' }, /from_date: is after to_date/],
    [{ min_amount: '-1' }, /^query\.min_amount/],
    [{ max_amount: '1.234' }, /^query\.max_amount/],
    [{ min_amount: '2', max_amount: '1.99' }, /min_amount: is above max_amount/],
    [{ text: 'x'.repeat(101) }, /^query\.text: at most 100/],
    [{ order: 'oldest' }, /^query\.order/],
    [{ page: 0 }, /^query\.page/],
    [{ limit: 1001 }, /^query\.limit/],
  ];
  for (const [query, words] of cases)
    for (const list of [ann.listPurchases, ann.listDeposits, ann.listRedeems]) await isRefused(list(query), 422, words);
  await isRefused(ann.countListed({ list: 'users' as never }), 422);
});

test('blank filters are filters left out', async () => {
  const { length } = await found({});
  assert.is(await total({ text: '', method: '', from_date: '', min_amount: '' }), length);
});

const selectRisks = async (id: number) =>
  (await ann.listRedeems({ order: 'pending_first' })).find((row) => row.id === id)?.risks;
/** A player of long standing, nothing remarkable about them. */
async function oldHand(email: string, credit = '5000'): Promise<Owner> {
  const player = await addPlayer(2, { email, credit, created_at: at('2025-01-01T00:00') });
  const since = (tx: TransactionSql) =>
    tx`update transfers set created_at = '2025-01-01' where player_id = ${player.id}`;
  await pastTriggers(['transfers'], since);
  const [second, third] = [at('2025-01-02T00:00'), at('2025-01-03T00:00')];
  await topUp(player, '4000', 'success', { initiated_at: second, completed_at: second });
  await redeem(player, '100', 'success', { initiated_at: third, completed_at: third });
  return player;
}
const address = (id: number, text: string) => sql`update redeems set payout_address = ${text} where id = ${id}`;

test('a redeem without anything remarkable has no risks, and a settled one has none either', async () => {
  const player = await oldHand('old@mail.test');
  const id = await redeem(player, '100');
  assert.equal(await selectRisks(id), []);
  const settled = await redeem(pia, '850', 'success');
  assert.equal(await selectRisks(settled), []);
});

test('the first redeem of a player says so; a failed one before does not count', async () => {
  const player = await oldHand('old@mail.test');
  await sql`update redeems set status = 'failed' where player_id = ${player.id}`;
  const first = await redeem(player, '100'),
    second = await redeem(player, '100');
  assert.equal(await selectRisks(first), ['first_redeem']);
  assert.equal(await selectRisks(second), []);
});

test('an address paid to two players of a tenant is a risk in any spelling; one in another tenant is not', async () => {
  const [one, other] = [await oldHand('one@mail.test'), await oldHand('other@mail.test')];
  const first = await redeem(one, '100'),
    again = await redeem(one, '100'),
    theirs = await redeem(other, '100');
  for (const id of [first, again]) await address(id, 'bc1QXY ');
  assert.equal(await selectRisks(first), []);
  await address(pat.redeem, 'bc1qxy');
  assert.equal(await selectRisks(first), []);
  await address(theirs, ' BC1qxy');
  for (const id of [first, again, theirs]) assert.equal(await selectRisks(id), ['shared_address']);
  for (const id of [first, theirs]) await address(id, ' ');
  assert.equal(await selectRisks(first), []);
});

test('an account younger than a day, an edited balance, a day near its limit and negative GGR are risks', async () => {
  const young = await oldHand('young@mail.test');
  await sql`update players set created_at = now() - interval '23 hours' where id = ${young.id}`;
  assert.equal(await selectRisks(await redeem(young, '100')), ['new_account']);

  const adjusted = await oldHand('adjusted@mail.test');
  const before = await redeem(adjusted, '100');
  await fund(adjusted, 'bonus', '5');
  assert.equal(await selectRisks(before), ['adjusted']);

  const eager = await oldHand('eager@mail.test');
  const one = await redeem(eager, '400');
  await redeem(eager, '399.99', 'failed');
  const two = await redeem(eager, '399.99');
  assert.equal([await selectRisks(one), await selectRisks(two)], [[], []]);
  await redeem(eager, '0.01', 'success');
  assert.equal([await selectRisks(one), await selectRisks(two)], [['near_limit'], ['near_limit']]);

  const lucky = await oldHand('lucky@mail.test');
  await redeem(lucky, '3900.01', 'success', { initiated_at: at('2025-02-01T00:00') });
  assert.equal(await selectRisks(await redeem(lucky, '100')), ['negative_ggr']);
});

test.run();

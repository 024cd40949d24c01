/** Purchases, deposits and redeems sorted by a column, and the sums of a list. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { moneySorts } from '../../../src/contract/constants';
import type { ListQuery } from '../../../src/contract/entities';
import { isRefused, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { addPlayer, deposit, fund, type Owner, redeem, topUp } from '../../seed';
import { pam, pat, reset, sql } from '../../world';

let zoe: Owner & { email: string };
/** Purchases by name; those called p are Pam's and those called z Zoe's, x is in another tenant. */
let p10: number, p30: number, z20: number, z20b: number, x15: number;

test.before.each(async () => {
  await reset();
  await sql`delete from transactions where id = any (${[pam.purchase, pat.purchase]})`;
  zoe = await addPlayer(2, { email: 'ZOE@mail.test', credit: '900' });
  await sql`update players set first_name = 'Zoe', last_name = null where id = ${zoe.id}`;
  const at = (day: number) => ({ initiated_at: new Date(`2026-03-0${day}T10:00:00Z`) });
  p10 = await topUp(pam, '10', 'success', { ...at(1), payment_method: 'Card' });
  z20 = await topUp(zoe, '20', 'pending', { ...at(4), payment_reference: 'REF-z' });
  p30 = await topUp(pam, '30.10', 'failed', at(3));
  z20b = await topUp(zoe, '20', 'pending', { ...at(2), payment_method: 'Gift card' });
  x15 = await topUp(pat, '15', 'pending', at(2));
});

const found = async (query: ListQuery, of: Api = ann) =>
  (await of.listPurchases({ ...query, transaction_type: 'TOP_UP' })).map(({ id }) => id);

test('a list is sorted by amount, date or player in either direction', async () => {
  const cases: [ListQuery, number[]][] = [
    [{ sort_by: 'amount' }, [p10, z20, z20b, p30]],
    [{ sort_by: 'amount', sort_order: 'desc' }, [p30, z20b, z20, p10]],
    [{ sort_by: 'initiated_at', sort_order: 'asc' }, [p10, z20b, p30, z20]],
    [{ sort_by: 'initiated_at', sort_order: 'desc' }, [z20, p30, z20b, p10]],
    [{ sort_by: 'player' }, [p30, p10, z20b, z20]],
    [{ sort_by: 'player', sort_order: 'desc' }, [z20b, z20, p30, p10]],
    [{ sort_by: 'amount', status: 'pending' }, [z20, z20b]],
    [{ sort_by: 'amount', method: 'CARD', sort_order: 'desc' }, [z20b, p10]],
    [{ sort_by: 'amount', text: 'mail', sort_order: 'desc' }, [p30, z20b, z20, p10]],
    [{ sort_by: 'player', text: 'ref-' }, [z20]],
    [{ sort_by: 'player', from_date: '2026-03-02', to_date: '2026-03-03' }, [p30, z20b]],
    [{ sort_by: 'amount', sort_order: '' as never }, [p10, z20, z20b, p30]],
  ];
  for (const [query, ids] of cases) assert.equal(await found(query), ids, JSON.stringify(query));
});

test('a list of all tenants is sorted over all of them', async () => {
  assert.equal(await found({ sort_by: 'amount' }, sue), [p10, x15, z20, z20b, p30]);
  assert.equal(await found({ sort_by: 'amount', sort_order: 'desc', limit: 2, page: 2 }, sue), [z20, x15]);
  assert.equal(await found({ sort_by: 'player' }, sue), [p30, p10, x15, z20b, z20]);
  assert.equal(await found({ sort_by: 'player', text: 'mail' }, sue), [p30, p10, x15, z20b, z20]);
  assert.equal(await found({ sort_by: 'initiated_at' }, sue), [p10, z20b, x15, p30, z20]);
  assert.equal(await found({ sort_by: 'amount', tenant_id: 3 }, sue), [x15]);
  assert.equal(await found({ sort_by: 'amount' }, ben), [x15]);
});

test('pages of every order follow each other without a gap', async () => {
  for (const sort_by of moneySorts)
    for (const sort_order of ['asc', 'desc'] as const) {
      const query = { sort_by, sort_order };
      const pages = await Promise.all([1, 2, 3].map((page) => found({ ...query, page, limit: 2 }, sue)));
      assert.equal(pages.flat(), await found(query, sue), JSON.stringify(query));
      assert.is(pages.flat().length, 5);
    }
});

test('purchases and deposits together, and redeems, are sorted the same way', async () => {
  const small = await deposit(zoe, 'credit', '5'),
    large = await deposit(pam, 'credit', '70');
  const both = await ann.listPurchases({ sort_by: 'amount' });
  assert.equal(pluck(both, 'id'), [small, p10, z20, z20b, p30, large]);
  assert.equal(pluck(await ann.listDeposits({ sort_by: 'player' }), 'id'), [large, small]);
  const more = await redeem(zoe, '600');
  const redeems = await ann.listRedeems({ sort_by: 'amount', sort_order: 'desc' });
  assert.equal(pluck(redeems, 'id'), [more, pam.redeem]);
  assert.equal(redeems[0]?.risks, ['first_redeem', 'new_account', 'adjusted'], 'as in the queue');
});

test('a file has the order of the screen', async () => {
  const lines = async (query: ListQuery, of: Api) =>
    (await (await of.exportPurchases({ ...query, transaction_type: 'TOP_UP' })).text())
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => Number.parseInt(line, 10));
  for (const query of [{ sort_by: 'amount', sort_order: 'desc' }, { sort_by: 'player' }] as const)
    for (const of of [ann, sue]) assert.equal(await lines(query, of), await found(query, of));
});

test('the names of players stand beside their e-mails', async () => {
  const rows = await ann.listPurchases({ order: 'pending_first' });
  assert.equal(pluck(rows, 'user_name'), ['Zoe', 'Zoe', 'Pam Poe', 'Pam Poe']);
  assert.is((await ann.listRedeems({ sort_by: 'amount' }))[0]?.user_name, 'Pam Poe');
});

test('orders that make no sense are refused by name', async () => {
  const cases: [object, RegExp][] = [
    [{ sort_by: 'status' }, /^query\.sort_by: expected one of amount, initiated_at, player/],
    [{ sort_by: 'amount', sort_order: 'down' }, /^query\.sort_order/],
    [{ sort_order: 'asc' }, /^query\.sort_order: only together with sort_by/],
    [{ sort_by: 'amount', order: 'pending_first' }, /^query\.order: not together with sort_by/],
  ];
  for (const [query, words] of cases)
    for (const list of [ann.listPurchases, ann.listDeposits, ann.listRedeems, ann.exportPurchases, ann.exportRedeems])
      await isRefused(list(query as ListQuery), 422, words);
});

/** Without a net amount a purchase counts whole. */
const whole = (total: number, amount: number) => ({ total, amount, net_amount: amount });
test('what matches is summed by status, to the cent', async () => {
  const none = whole(0, 0);
  const all = { pending: whole(2, 40), success: whole(1, 10), failed: whole(1, 30.1), is_complete: true };
  assert.equal(await ann.sumListed({ list: 'purchases' }), all);
  const waiting = { pending: whole(1, 20), success: none, failed: none, is_complete: true };
  assert.equal(await ann.sumListed({ list: 'purchases', status: 'pending', text: 'ref' }), waiting);
  assert.equal((await sue.sumListed({ list: 'purchases' })).pending, whole(3, 55));
  assert.equal((await sue.sumListed({ list: 'purchases', tenant_id: 3 })).pending, whole(1, 15));
  await topUp(pam, '0.10', 'pending');
  await topUp(pam, '0.20', 'pending', { net_amount: '0.15' });
  const { pending } = await ann.sumListed({ list: 'purchases', max_amount: '1' });
  assert.equal(pending, { total: 2, amount: 0.3, net_amount: 0.25 });
  await fund(pam, 'bonus', '50');
  await deposit(pam, 'bonus', '12.34');
  assert.equal((await ann.sumListed({ list: 'deposits', method: 'bonus' })).pending, { total: 1, amount: 12.34 });
  assert.equal((await ben.sumListed({ list: 'redeems' })).pending.total, 1);
});

test.run();

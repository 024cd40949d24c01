/** Nothing changes a closed month: every door through which a date of the past could come, and the database itself. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lockImports } from '../../../src/server/books/closedMonths';
import { verifyLedger } from '../../../src/server/books/verify';
import { isRefused, lines } from '../../answers';
import { moveBack } from '../../books';
import { ann, sue } from '../../callers';
import { readDays } from '../../facts';
import { imported, importFile } from '../../importFile';
import { addApex, deliver, newKey, withKey } from '../../integrations';
import { redeem, topUp } from '../../seed';
import { db, pam, reset, sql, whileHeld } from '../../world';
import { catchError } from '../catchError';

const MONTH = '2025-09';
const header = 'source_id,user_email,type,status,amount,initiated_at,completed_at,platform';
const row = (id: string, status: string, from: string, to = '', type = 'TOP_UP') =>
  `${id},${pam.email},${type},${status},10,${from},${to},yolo`;
const REFUSED = 'is in a month whose books are closed';

const statement = async () => (await ann.getStatement({ tenant_id: 2, month: MONTH })).accounts;
const days = async () => (await readDays(2)).filter(({ day }) => day < '2025-10-01');
/** Ids of September: a success purchase, a pending one and a success redeem. */
let paid = 0,
  waiting = 0,
  redeemed = 0;

test.before.each(async () => {
  await reset();
  paid = await topUp(pam, '200', 'success');
  waiting = await topUp(pam, '70');
  redeemed = await redeem(pam, '40', 'success');
  await importFile(ann, 'transactions', [header, row('old', 'success', '2025-09-03', '2025-09-04')].join('\n'));
  await moveBack(2, '2025-09-15T12:00:00Z');
});

/** Closes September, lets something happen, and shows that September is as it was. */
async function afterClosing(work: () => Promise<unknown>): Promise<void> {
  await ann.closeMonth({ body: { tenant_id: 2, month: MONTH } });
  const before = [await statement(), await days()];
  await work();
  assert.equal([await statement(), await days()], before);
  assert.equal(await db.tx(verifyLedger), []);
}

test('an import has no date of a closed month, settled or pending; what was imported before stays', () =>
  afterClosing(async () => {
    const file = [
      header,
      row('old', 'success', '2025-09-03', '2025-09-04'),
      row('late', 'success', '2025-09-03', '2025-09-04'),
      row('early', 'failed', '2025-08-03', '2025-08-03'),
      row('across', 'success', '2025-09-30', '2025-10-01'),
      row('waiting', 'pending', '2025-09-30', '', 'DEPOSIT'),
      row('out', 'success', '2025-09-30T23:59:59Z', '2025-09-30T23:59:59Z', 'REDEEM'),
      row('open', 'success', '2025-10-01', '2025-10-01'),
    ].join('\n');
    const rejects = ['3 completed_at', '4 completed_at', '5 initiated_at', '7 completed_at'].map(
      (place) => `${place}: ${REFUSED}`,
    );
    const expected = [1, 1, ...rejects.toSpliced(3, 0, '6 deposit_type: is required for a deposit')];
    assert.equal(await imported(ann, 'transactions', file, { isCheck: true }), expected);
    assert.equal(await imported(ann, 'transactions', file), expected);
  }));

test('a pending row of a closed month cannot be imported either', () =>
  afterClosing(async () => {
    const file = [header, row('new', 'pending', '2025-09-30', '', 'REDEEM')].join('\n');
    assert.equal(await imported(ann, 'transactions', file), [0, 0, `2 initiated_at: ${REFUSED}`]);
  }));

test('an import that is under way when a month is closed is finished before', async () => {
  let isClosed = false;
  const close = async () => {
    await ann.closeMonth({ body: { tenant_id: 2, month: MONTH } });
    isClosed = true;
  };
  await whileHeld(
    (tx) => lockImports(tx, 2),
    close,
    async () => assert.is(isClosed, false),
  );
  assert.is(isClosed, true);
});

test('the time zone, which would move days between months, stays once a month is closed', () =>
  afterClosing(async () => {
    const change = sue.updateTenant({ id: 2, body: { name: 'Acme', time_zone: 'Asia/Tokyo' } });
    await isRefused(change, 409, 'The time zone cannot change once a month of the books is closed');
    await sue.updateTenant({ id: 2, body: { name: 'Acme 2', time_zone: 'UTC' } });
  }));

test('a pending purchase of a closed month is settled now, and belongs to the open one', () =>
  afterClosing(async () => {
    await ann.changePurchaseStatus({ id: waiting, body: { status: 'success' } });
    await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
    const now = new Date().toISOString().slice(0, 7);
    const { kinds } = await ann.getStatement({ tenant_id: 2, month: now });
    assert.equal(lines(kinds, 'kind', 'amount'), ['purchases 70', 'returned 150']);
  }));

test('what is settled in a closed month is neither settled again nor reopened', () =>
  afterClosing(async () => {
    for (const status of ['failed', 'pending', 'success'] as const) {
      await isRefused(ann.changePurchaseStatus({ id: paid, body: { status } }), 409);
      await isRefused(ann.changeRedeemStatus({ id: redeemed, body: { status } }), 409);
    }
  }));

test('a late event of a payment processor counts in the open month', () =>
  afterClosing(async () => {
    const secret = await addApex();
    const { path } = await sue.getWebhook({ tenant_id: 2, platform: 'apex' });
    const event = { id: 'evt_1', type: 'payment.succeeded', reference: 'late', amount: '12.00', user_id: pam.id };
    const { status, body } = await deliver(path, secret, { ...event, occurred_at: new Date().toISOString() });
    assert.equal([status, body.outcome], [200, 'applied']);
  }));

test('what a system of the tenant pushes late counts in the open month', () =>
  afterClosing(async () => {
    const { key } = await newKey();
    const shop = withKey(key);
    await shop.pushStatus({ id: waiting, body: { status: 'success' } });
    const pushed = { user_id: pam.id, amount: '9', payment_reference: 'late', initiated_at: '2025-09-20T00:00:00Z' };
    const { initiated_at } = await shop.pushTopUp({ body: { ...pushed, payment_method: 'cash' } as never });
    assert.ok(initiated_at > '2025-10', initiated_at);
  }));

test('the database refuses what would change a closed month past the server', () =>
  afterClosing(async () => {
    const closed = /the books of tenant 2 are closed until 2025-10-01/;
    for (const [what, work] of Object.entries({
      amount: sql`update transactions set amount = 1 where id = ${paid}`,
      status: sql`update transactions set status = 'failed' where id = ${paid}`,
      reopened: sql`update redeems set status = 'pending', completed_at = null where id = ${redeemed}`,
      moved: sql`update redeems set completed_at = now() where id = ${redeemed}`,
      'moved in': sql`update transactions set status = 'success', completed_at = '2025-09-30' where id = ${waiting}`,
      deleted: sql`delete from transactions where id = ${paid}`,
      'deleted redeem': sql`delete from redeems where id = ${redeemed}`,
      'dated back': sql`
        insert into transactions (tenant_id, player_id, transaction_type, amount, initiated_at)
        values (2, ${pam.id}, 'TOP_UP', 1, '2025-09-30T23:59:59Z')`,
      'redeem dated back': sql`
        insert into redeems (tenant_id, player_id, platform, amount, status, business_day, initiated_at, completed_at)
        values (2, ${pam.id}, 'yolo', 1, 'success', '2025-10-01', '2025-10-01', '2025-09-30T23:59:59Z')`,
      transfer: sql`
        insert into transfers (tenant_id, player_id, from_account, to_account, amount, created_at)
        values (2, ${pam.id}, 'adjustment', 'credit', 1, '2025-09-30T23:59:59Z')`,
    }))
      assert.match((await catchError(work)).message, closed, what);
    for (const table of ['closed_months', 'statement_lines'])
      for (const work of [sql`delete from ${sql(table)}`, sql`truncate ${sql(table)} cascade`])
        assert.match((await catchError(work)).message, /never reopened/, table);
  }));

test('what belongs to the open months, or to another tenant, the database lets be', () =>
  afterClosing(async () => {
    const undone = db.tx(async (tx) => {
      await tx`
        insert into transactions (tenant_id, player_id, transaction_type, amount, initiated_at)
        values (2, ${pam.id}, 'TOP_UP', 1, '2025-10-01'), (3, 2, 'TOP_UP', 1, '2025-09-01')`;
      await tx`update transactions set description = 'a word' where id = ${paid}`;
      throw new Error('undo');
    });
    assert.is((await catchError(undone)).message, 'undo');
  }));

test.run();

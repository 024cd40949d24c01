/** The books: closed months and statements (docs/extras/books.md, "Books"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { MonthStatement } from '../../../src/contract/entities';
import { verifyClosedMonths } from '../../../src/server/books/closedMonthCheck';
import { verifyLedger } from '../../../src/server/books/verify';
import type { TransactionSql } from '../../../src/server/db/open';
import { isRefused, table } from '../../answers';
import { checkEverything, moveBack } from '../../books';
import { ann, ben, sue } from '../../callers';
import { readDays } from '../../facts';
import { deposit, redeem, topUp } from '../../seed';
import { db, pam, pastTriggers, people, reset, sql } from '../../world';

test.before.each(reset);

/** A month that ended long ago, and the one after it. */
const SEPTEMBER = '2025-09',
  OCTOBER = '2025-10';

/** Money of September: 500 by hand, a pending redeem of 150, a purchase of 200, a deposit of 30, a redeem of 40. */
async function bookSeptember(): Promise<void> {
  await topUp(pam, '200', 'success');
  await deposit(pam, 'credit', '30', 'success');
  await redeem(pam, '40', 'success');
  await deposit(pam, 'credit', '10', 'failed');
  await moveBack(2, '2025-09-15T12:00:00Z');
}
const line = ({ accounts }: MonthStatement, account: string) => {
  const { account: _, ...amounts } = accounts.find((one) => one.account === account)!;
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));
};

test('the books are not yet verified, then they are, and off by nothing', async () => {
  const before = await ann.getBooks({});
  assert.equal([before.verified_at, before.is_checking, before.differences], [null, false, 0]);
  await ann.verifyBooks({ body: {} });
  assert.is((await ann.getBooks({})).is_checking, true);
  await checkEverything();
  const after = await ann.getBooks({});
  assert.ok(after.verified_at);
  assert.equal([after.differences, after.off_by, after.is_checking, after.progress], [0, 0, false, 100]);
});

test('what does not add up is on the card, of the own tenant alone', async () => {
  await sql`update wallets set credit_balance = credit_balance + 2.5 where player_id = ${pam.id}`;
  await checkEverything();
  const { off_by, differences, findings } = await ann.getBooks({});
  assert.equal([off_by, differences], [2.5, 1]);
  assert.match(findings[0] ?? '', `Player ${pam.id} of tenant 2 has 352.50 credit`);
  assert.is((await ben.getBooks({})).off_by, 0);
  assert.equal((await ben.getBooks({})).findings, []);
  assert.is((await sue.getBooks({})).off_by, 2.5);
  assert.is((await sue.getBooks({ tenant_id: 3 })).off_by, 0);
});

test('a month has a statement: opening, movements by kind, closing, of each account', async () => {
  await bookSeptember();
  await topUp(pam, '60', 'success');
  await moveBack(2, '2025-10-02T12:00:00Z');
  const september = await ann.getStatement({ tenant_id: 2, month: SEPTEMBER });
  assert.equal(line(september, 'credit'), { purchases: 200, held: -230, returned: 10, added: 500, closing: 480 });
  assert.equal(line(september, 'held'), { deposits: -30, redeems: -40, held: 230, returned: -10, closing: 150 });
  assert.equal(line(september, 'cash_in'), { purchases: -200, closing: -200 });
  assert.equal(line(september, 'cash_out'), { redeems: 40, closing: 40 });
  assert.equal(line(september, 'platform'), { deposits: 30, closing: 30 });
  assert.equal(line(september, 'adjustment'), { added: -500, closing: -500 });
  const october = await ann.getStatement({ tenant_id: 2, month: OCTOBER });
  assert.equal(line(october, 'credit'), { opening: 480, purchases: 60, closing: 540 });
  assert.equal(october.kinds, [{ kind: 'purchases', transfers: 1, amount: 60 }]);
});

/** The closing of each account, from the transfers alone. */
const ledgerUpTo = async (end: string): Promise<Record<string, number>> => {
  const rows = await sql<{ account: string; sum: number }[]>`
    select account, sum(amount) as sum from (
      select from_account as account, -amount as amount, created_at from transfers where tenant_id = 2
      union all select to_account, amount, created_at from transfers where tenant_id = 2
    ) posting where created_at < ${end}::timestamptz group by 1`;
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
};

for (const zone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu'])
  test(`a statement equals the ledger to the cent where months begin in ${zone}`, async () => {
    await sql`update tenants set time_zone = ${zone} where id = 2`;
    // A cent and more around each midnight that could be the end of September.
    for (const [n, hour] of [-14, -13, -8, -7, -6, -1, 0, 1, 6, 7, 8, 13, 14].entries()) {
      await topUp(pam, (n + 0.01).toFixed(2).replace(/^0\.01$/, '0.10'), 'success');
      await moveBack(2, new Date(Date.UTC(2025, 9, 1) + hour * 3_600_000 + 1).toISOString());
    }
    for (const month of ['2025-09', '2025-10']) {
      const statement = await ann.getStatement({ tenant_id: 2, month });
      const ledger = await ledgerUpTo(statement.ends_at);
      for (const { account, closing } of statement.accounts)
        assert.is(closing.toFixed(2), (ledger[account] ?? 0).toFixed(2), `${month} ${account}`);
    }
    const { kinds } = await ann.getStatement({ tenant_id: 2, month: '2025-10' });
    const october = (await readDays(2)).filter(({ day }) => day >= '2025-10-01');
    const sum = october.reduce((cents, { purchases }) => cents + Math.round(purchases * 100), 0) / 100;
    assert.is(kinds.find(({ kind }) => kind === 'purchases')?.amount, sum, 'as in every other report');
    assert.equal(await db.tx(verifyLedger), []);
  });

test('a statement is a CSV file too', async () => {
  await bookSeptember();
  const text = await (await ann.exportStatement({ tenant_id: 2, month: SEPTEMBER })).text();
  const [head, first, ...more] = text.replace('\uFEFF', '').trim().split('\r\n');
  assert.is(
    head,
    '"Account","Opening","Purchases","Deposits","From games","Redeems","Held","Returned","Added by hand","Removed by hand",' +
      '"Brought in","Closing"',
  );
  assert.is(first, '"Credit",0.00,200.00,0.00,0.00,0.00,-230.00,10.00,500.00,0.00,0.00,480.00');
  assert.is(more.length, 9);
});

test('a month that was closed keeps its statement, and verify compares it', async () => {
  await bookSeptember();
  const open = await ann.getStatement({ tenant_id: 2, month: SEPTEMBER });
  assert.equal(await ann.closeMonth({ body: { tenant_id: 2, month: SEPTEMBER } }), { closed: [SEPTEMBER] });
  const closed = await ann.getStatement({ tenant_id: 2, month: SEPTEMBER });
  assert.equal(closed.accounts, open.accounts);
  assert.ok(closed.closed_at);
  assert.is(closed.closed_by, people.ann.email);
  assert.equal(await db.tx(verifyClosedMonths), []);
  await checkEverything();
  assert.is((await ann.getBooks({})).differences, 0);

  const change = (tx: TransactionSql) => tx`
    update statement_lines set amount = amount + 0.01 where from_account = 'cash_in'`;
  await pastTriggers(['statement_lines'], change);
  const said =
    'The closed month 2025-09 of tenant 2 has 200.01 in 1 movements from cash_in to credit, ' +
    'but the ledger says 200.00 in 1.';
  assert.equal(await db.tx(verifyClosedMonths), [said]);
  await ann.verifyBooks({ body: {} });
  await checkEverything();
  const { findings, off_by } = await ann.getBooks({});
  assert.equal([findings, off_by], [[said], 0.01]);
});

test('a month closes every open one before it, and months are listed with who closed them', async () => {
  await bookSeptember();
  await topUp(pam, '5', 'success');
  await moveBack(2, '2025-11-02T12:00:00Z');
  const { closed } = await ann.closeMonth({ body: { tenant_id: 2, month: '2025-11' } });
  assert.equal(closed, ['2025-09', '2025-10', '2025-11']);
  await redeem(pam, '3', 'success');
  const months = await ann.listBookMonths({ tenant_id: 2 });
  for (const { month, purchases, redeems, closed_at } of months) {
    const { kinds } = await ann.getStatement({ tenant_id: 2, month });
    const said = ['purchases', 'redeems'].map((kind) => kinds.find((one) => one.kind === kind)?.amount ?? 0);
    // A month that is left open is not counted with each look at the list.
    const isKnown = closed_at !== null || month >= months[1]!.month;
    assert.equal([purchases, redeems], isKnown ? said : [null, null], month);
  }
  assert.equal(table([months[0]!, months.at(-1)!], 'purchases', 'redeems'), [
    [0, 3],
    [200, 40],
  ]);
  assert.equal(table(months.slice(-4), 'month', 'closed_by', 'can_close'), [
    ['2025-12', null, true],
    ['2025-11', people.ann.email, false],
    ['2025-10', people.ann.email, false],
    ['2025-09', people.ann.email, false],
  ]);
  assert.is(months[0]?.can_close, false, 'this month has not ended');
  const { entries } = await ann.getAudit({ kind: 'books' });
  assert.equal(table(entries, 'call', 'object_id', 'after'), [
    ['closeMonth', '2025-11', { closed: '2025-09, 2025-10, 2025-11', lines_sha256: entries[0]?.after?.lines_sha256 }],
  ]);
  assert.match(String(entries[0]?.after?.lines_sha256), /^[0-9a-f]{64}$/);
});

test('a month that is closed, has not ended or has nothing in it is not closed', async () => {
  await bookSeptember();
  const close = (month: string, by = ann, tenant_id = 2) => by.closeMonth({ body: { tenant_id, month } });
  await close(SEPTEMBER);
  await isRefused(close(SEPTEMBER), 409, 'September 2025 is already closed');
  await isRefused(close('2025-08'), 409, 'August 2025 is already closed');
  await isRefused(close(new Date().toISOString().slice(0, 7)), 409, /has not ended yet/);
  await isRefused(close(OCTOBER, ben), 403);
  await isRefused(close(SEPTEMBER, ben, 3), 409, /Nothing was booked/);
});

test.run();

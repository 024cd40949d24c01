import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { Problem } from '../../../src/server/core/problem';
import { adjustBalances, type BalanceChange, closeWallet, openWallet } from '../../../src/server/ledger/adjust';
import { createTopUp } from '../../../src/server/ledger/create';
import { postMovement } from '../../../src/server/ledger/post';
import { settlePurchase } from '../../../src/server/ledger/settle';
import { lines } from '../../answers';
import { countAll } from '../../facts';
import { addPlayer, deposit, fund, redeem, topUp } from '../../seed';
import { db, pam, pat, people, reset, sql, whileHeld } from '../../world';
import { catchError } from '../catchError';

const wallet = ({ tenant_id, id }: { tenant_id: number; id: number }) =>
  sql`
  select credit_balance as credit, bonus_balance as bonus, vip_balance as vip, loyalty_balance as loyalty,
    held_balance as held, individual_ggr as ggr, first_purchase_id as first
  from wallets where tenant_id = ${tenant_id} and player_id = ${id}`.one();
const adjust = (...changes: BalanceChange[]) =>
  db.tx((tx) => adjustBalances(tx, { tenant_id: 2, player_id: pam.id, admin_id: people.ann.id, changes }));
const settle = (id: number, status: 'success' | 'failed') =>
  db.tx((tx) => settlePurchase(tx, { id, tenant: null, status, admin_id: people.sue.id }));
/** What a verb that is called directly was refused with: '409 words', or the database's own words. */
const problem = (work: PromiseLike<unknown>): Promise<string> =>
  catchError(work).then((error) => (error instanceof Problem ? `${error.status} ${error.message}` : error.message));
const hours = (n: number) => new Date(Date.now() - n * 3_600_000);

test.before.each(reset);
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

test('a removal beyond a balance is refused, naming the balance and what is in it', async () => {
  await fund(pam, 'bonus', '7.5');
  for (const [kind, amount, words] of [
    ['credit', '350.01', 'credit balance: $350.00'],
    ['bonus', '7.51', 'bonus balance: $7.50'],
    ['vip', '1', 'vip balance: $0.00'],
  ] as const) {
    assert.is(await problem(adjust({ kind, operation: 'remove', amount })), `400 Insufficient ${words} available`);
  }
});

test('when one of four changes is refused, none of them happens', async () => {
  const before = await wallet(pam);
  await problem(
    adjust(
      { kind: 'credit', operation: 'add', amount: '10' },
      { kind: 'bonus', operation: 'add', amount: '10' },
      { kind: 'vip', operation: 'add', amount: '10' },
      { kind: 'loyalty', operation: 'remove', amount: '0.01' },
    ),
  );
  assert.equal(await wallet(pam), before);
});

test('four changes at once are exact to the cent, and each leaves its transfer', async () => {
  await fund(pam, 'loyalty', '1');
  await adjust(
    { kind: 'credit', operation: 'remove', amount: '0.1' },
    { kind: 'bonus', operation: 'add', amount: '0.2' },
    { kind: 'vip', operation: 'add', amount: '99999999.99' },
    { kind: 'loyalty', operation: 'remove', amount: '1.00' },
  );
  const { credit, bonus, vip, loyalty } = await wallet(pam);
  assert.equal({ credit, bonus, vip, loyalty }, { credit: 349.9, bonus: 0.2, vip: 99999999.99, loyalty: 0 });
  const rows = await sql`
    select from_account, to_account, amount, admin_id from transfers
    where player_id = ${pam.id} order by id desc limit 4`;
  assert.equal(lines(rows, 'from_account', 'to_account', 'amount', 'admin_id').reverse(), [
    ...['credit adjustment 0.1 2', 'adjustment bonus 0.2 2', 'adjustment vip 99999999.99 2', 'loyalty adjustment 1 2'],
  ]);
});

test('a balance that would outgrow its column is refused, not a crash', async () => {
  const most = '99999999999.99';
  for (let i = 0; i < 10; i++) await fund(pam, 'vip', most);
  assert.is(await problem(fund(pam, 'vip', most)), '400 The balance would become too large');
});

test('an adjustment of a player under another tenant finds no wallet', async () => {
  assert.is(await problem(fund({ tenant_id: 3, id: pam.id }, 'credit', '5')), '404 User not found');
});

test('opening a wallet again leaves what is in it', async () => {
  await openWallet(sql, pam.tenant_id, pam.id);
  assert.is((await wallet(pam)).credit, 350);
});

test('a purchase credits its amount when it succeeds, and nothing when it fails', async () => {
  await topUp(pam, '20.25', 'success');
  await topUp(pam, '1000', 'failed');
  const { credit, held, ggr } = await wallet(pam);
  assert.equal({ credit, held, ggr }, { credit: 370.25, held: 150, ggr: 20.25 });
});

for (const kind of ['credit', 'bonus', 'vip', 'loyalty'] as const) {
  test(`a pending deposit is held from ${kind}; success spends it, failure gives it back`, async () => {
    await fund(pam, kind, '100');
    const start = await wallet(pam);
    await deposit(pam, kind, '30', 'success');
    await deposit(pam, kind, '20', 'failed');
    await deposit(pam, kind, '10');
    const now = await wallet(pam);
    assert.is(now[kind], start[kind] - 40);
    assert.is(now['held'], start['held'] + 10);
    assert.is(now['ggr'], 0, 'a deposit is not revenue');
  });
}

test('a deposit beyond the balance that pays is refused and leaves no row', async () => {
  assert.is(await problem(deposit(pam, 'bonus', '1')), '400 Insufficient bonus balance: $0.00 available');
  assert.is((await sql`select 1 from transactions where transaction_type = 'DEPOSIT'`).length, 0);
});

test('a redeem is held when asked for, leaves when it succeeds and comes back when it fails', async () => {
  await redeem(pam, '50', 'success');
  await redeem(pam, '60', 'failed');
  await redeem(pam, '70');
  const { credit, held, ggr } = await wallet(pam);
  assert.equal({ credit, held, ggr }, { credit: 230, held: 220, ggr: -50 });
});

test('the first purchase is the earliest that has not failed, whatever order they were brought in', async () => {
  const later = await topUp(pat, '10', 'success', { initiated_at: hours(5) });
  const earlier = await topUp(pat, '10', 'pending', { initiated_at: hours(9) });
  assert.is((await wallet(pat))['first'], earlier);
  await settle(earlier, 'failed');
  assert.is((await wallet(pat))['first'], later);
  await settle(pat.purchase, 'failed');
  assert.is((await wallet(pat))['first'], later, 'a later one that fails changes nothing');
});

test('a player whose every purchase failed has no first purchase', async () => {
  await settle(pat.purchase, 'failed');
  assert.is((await wallet(pat))['first'], null);
});

test('of two purchases at the same moment the first is the one with the lower id', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test' }),
    at = hours(1);
  const one = await topUp(someone, '1', 'pending', { initiated_at: at }),
    two = await topUp(someone, '1', 'pending', { initiated_at: at });
  assert.is((await wallet(someone))['first'], one);
  await settle(one, 'failed');
  assert.is((await wallet(someone))['first'], two);
});

test('a first purchase that fails while another is being made is replaced by that one', async () => {
  let id = 0;
  await whileHeld(
    async (tx) => {
      id = await createTopUp(tx, { tenant_id: 3, player_id: pat.id, amount: '5' });
    },
    () => settle(pat.purchase, 'failed'),
  );
  assert.is((await wallet(pat))['first'], id);
});

test('a purchase that is made while the first one fails becomes the first', async () => {
  const id = await whileHeld(
    (tx) => settlePurchase(tx, { id: pat.purchase, tenant: null, status: 'failed', admin_id: people.sue.id }),
    () => topUp(pat, '5'),
  );
  assert.is((await wallet(pat))['first'], id);
});

test('money that arrives while a deposit or redeem waits for it can be spent by it', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test' });
  const add: BalanceChange = { kind: 'credit', operation: 'add', amount: '60' };
  for (const spend of [() => deposit(someone, 'credit', '60'), () => redeem(someone, '40')]) {
    await whileHeld(
      (tx) => adjustBalances(tx, { tenant_id: 2, player_id: someone.id, admin_id: people.ann.id, changes: [add] }),
      spend,
    );
  }
  const { credit, held } = await wallet(someone);
  assert.equal({ credit, held }, { credit: 20, held: 100 });
});

test('a wallet with something pending does not close', async () => {
  assert.is(await problem(db.tx((tx) => closeWallet(tx, 2, pam.id))), '409 The user has pending transactions');
});

test('for a closed wallet nothing can be made and nothing changed', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test', credit: '100' });
  await db.tx((tx) => closeWallet(tx, 2, someone.id));
  const works = [
    () => topUp(someone, '1'),
    () => deposit(someone, 'credit', '1'),
    () => redeem(someone, '1'),
    () => fund(someone, 'credit', '1'),
  ];
  for (const work of works) assert.is(await problem(work()), '404 User not found');
  assert.is((await wallet(someone))['credit'], 100);
});

test('a redeem asked for while the wallet closes is either there before or refused', async () => {
  for (let i = 0; i < 10; i++) {
    const someone = await addPlayer(2, { email: `someone${i}@mail.test`, credit: '100' });
    const [closed, asked] = await Promise.allSettled([
      db.tx((tx) => closeWallet(tx, 2, someone.id)),
      redeem(someone, '10'),
    ]);
    assert.is.not(closed.status, asked.status, 'exactly one of them succeeds');
  }
});

test('the ledger refuses an update, a delete and a truncate', async () => {
  for (const words of ['update transfers set amount = 1', 'delete from transfers', 'truncate transfers cascade']) {
    assert.match(await problem(sql.unsafe(words)), 'append-only', words);
  }
});

test('no balance can be written below zero, by whoever tries', async () => {
  for (const column of ['credit', 'bonus', 'vip', 'loyalty', 'held']) {
    const write = sql`update wallets set ${sql(`${column}_balance`)} = -0.01 where player_id = ${pam.id}`;
    assert.match(await problem(write), 'check constraint', column);
  }
});

/** Something somebody might do to the books behind the ledger's back, and what the verifier then says. */
const lies: Record<string, [string, RegExp]> = {
  'a changed balance': [
    `update wallets set credit_balance = credit_balance + 0.01 where player_id = 1`,
    /has 350.01 credit, but the transfers sum to 350.00/,
  ],
  'a changed hold': [`update wallets set held_balance = 0 where player_id = 1`, /has 0.00 held, but 150.00 is pending/],
  'a changed GGR': [`update wallets set individual_ggr = 1 where player_id = 1`, /individual GGR of 1.00/],
  'a changed first purchase': [
    `update wallets set first_purchase_id = null, first_purchase_at = null where player_id = 1`,
    /has none recorded as first purchase, but it is 3/,
  ],
  'a changed fact': [
    `update facts set count_out = 2 where dimension = 'method' and unit = 'day' and tenant_id = 3`,
    /The facts of tenant 3 for the day of .* by method '' are 20, 0, 1, 2, but the rows say 20, 0, 1, 0/,
  ],
  'a changed fact of a month': [
    `update facts set amount_in = amount_in + 1 where dimension = 'total' and unit = 'month' and tenant_id = 3`,
    /The facts of tenant 3 for the month of .* by total '' are 21, 0, 1, 0, but the rows say 20, 0, 1, 0/,
  ],
  'a missing fact': [`delete from facts where dimension = 'held'`, /by held 'credit' are 0, 0, 0, 0, but/],
  'a changed fact of a player': [
    `update player_facts set redeems = 5 where unit = 'week'`,
    /The facts of player 2 of tenant 3 for the week of .* are 20, 5, 1, 0, but the rows say 20, 0, 1, 0/,
  ],
  'a payment that was counted and is missing': [
    `update facts_until set until = (until at time zone 'UTC' - interval '1 hour') at time zone 'UTC'
     where tenant_id = 3`,
    /The facts of player 2 of tenant 3 for the day of .* are 20, 0, 1, 0, but the rows say 0, 0, 0, 0/,
  ],
  'a purchase succeeded by hand': [
    `update transactions set status = 'success', completed_at = now() where id = 3`,
    /Transaction 3 of tenant 2 is missing its transfer of 80.00 from cash_in to credit/,
  ],
  'a transfer without a reason': [
    `insert into transfers (tenant_id, player_id, from_account, to_account, amount, money_id)
     values (2, 1, 'cash_in', 'credit', 5, 3)`,
    /Transaction 3 of tenant 2 has a transfer of 5.00 from cash_in to credit that it should not have/,
  ],
  'a redeem that vanished': [
    `delete from redeems where id = 1`,
    /Transaction 1 of tenant 2 has a transfer of 150.00 from credit to held that it should not have/,
  ],
  'a deleted player with money under way': [
    `update wallets set closed_at = now() where player_id = 1`,
    /is deleted, but 2 of its transactions are pending/,
  ],
};
for (const [lie, [words, sentence]] of Object.entries(lies)) {
  test(`the verifier finds ${lie}`, async () => {
    await topUp(pat, '20', 'success');
    await countAll();
    let found: string[] = [];
    const undone = db.tx(async (tx) => {
      await tx.unsafe(words);
      found = await verifyLedger(tx);
      throw new Error('undo');
    });
    assert.is((await catchError(undone)).message, 'undo');
    const isFound = found.some((line) => sentence.test(line));
    assert.ok(isFound, `${sentence} in:\n${found.join('\n')}`);
  });
}

test('money does not move to a player without a wallet', async () => {
  const error = await catchError(
    db.tx(async (tx) => {
      await tx`delete from wallets where tenant_id = ${pam.tenant_id} and player_id = ${pam.id}`;
      const owner = { tenant_id: pam.tenant_id, player_id: pam.id, money_id: null, admin_id: null };
      await postMovement(tx, { ...owner, from_account: 'adjustment', to_account: 'credit', amount: '1.00' });
    }),
  );
  assert.match(error.message, /has no wallet/);
});

test.run();

/**
 * Money against the audit log, entry by entry: nothing that the calls do differs, and what somebody wrote past them
 * does, also when the books agree with each other.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { verifyEvidence } from '../../../src/server/books/verifyEvidence';
import { recordLedger } from '../../../src/server/commands/setup';
import type { TransactionSql } from '../../../src/server/db/open';
import { sealPendingRedeems } from '../../../src/server/ledger/payoutSeal';
import { ann, sue } from '../../callers';
import { importFile } from '../../importFile';
import { addApex, deliver, newKey, withKey } from '../../integrations';
import { db, pam, pat, people, refused, reset, runEach, services, sql, withCookie } from '../../world';

test.before.each(async () => {
  await reset();
  await db.tx((tx) => recordLedger(tx, services.secrets));
});

const compare = () => verifyEvidence(db, services.secrets);
const pastTheServer = (work: (tx: TransactionSql) => Promise<unknown>) =>
  db.tx(async (tx) => {
    await runEach(tx, 'alter table transfers disable trigger user; alter table audit_log disable trigger user');
    await work(tx);
    await runEach(tx, 'alter table transfers enable trigger user; alter table audit_log enable trigger user');
  });

const PLAYERS = 'source_id,email,credit_balance,bonus_balance\ns-1,new@mail.test,300,20\ns-2,none@mail.test,0,0';
const MONEY = [
  'source_id,user_email,type,status,amount,initiated_at,completed_at,platform,payment_method,deposit_type,description',
  'm-1,new@mail.test,TOP_UP,success,70,2026-01-01,2026-01-02,,Card,,m-1',
  'm-2,new@mail.test,REDEEM,success,20,2026-01-01,2026-01-03,yolo,,,m-2',
  'm-3,new@mail.test,TOP_UP,failed,10,2026-01-01,2026-01-04,,Card,,m-3',
  'm-4,new@mail.test,DEPOSIT,success,5,2026-01-01,2026-01-05,yolo,,CREDIT,m-4',
  'm-5,new@mail.test,REDEEM,pending,30,2026-01-06,,yolo,,,m-5',
  'm-6,new@mail.test,DEPOSIT,pending,5,2026-01-06,,yolo,,BONUS,m-6',
  'm-7,new@mail.test,TOP_UP,pending,40,2026-01-06,,,Card,,m-7',
].join('\n');

/** Every way in which money comes in, moves and goes out. */
async function liveADay(): Promise<void> {
  const shop = withKey((await newKey()).key);
  await ann.adjustBalances({ id: pam.id, body: { credit: '250.10', bonus: 3, vip: 0.01, loyalty: '7' } });
  await ann.adjustBalances({ id: pam.id, body: { credit: 0.1, credit_op: 'remove', bonus: 3, bonus_op: 'remove' } });
  await sue.adjustBalances({ id: pat.id, body: { loyalty: 1 } });
  assert.is(await refused(ann.adjustBalances({ id: pam.id, body: { vip: 50, vip_op: 'remove' } })), 400);
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'success', note: 'fine' } });
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'pending' } }).catch(() => {});
  await sue.changePurchaseStatus({ id: pat.purchase, body: { status: 'failed' } });
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  const wish = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'pam@pay.test' } as const;
  const redeem = (amount: number) =>
    ann.createManualRedeem({ body: { ...wish, user_email: pam.email, amount, description: '' } });
  await ann.changeRedeemStatus({ id: (await redeem(20.5)).id, body: { status: 'failed' } });
  await redeem(20.5);
  const money = { user_id: pam.id, payment_reference: 'r-1', payment_method: 'Card', platform: 'yolo' };
  const { id } = await shop.pushTopUp({ body: { ...money, amount: 12.5 } });
  await shop.pushStatus({ id, body: { status: 'success' } });
  await shop.pushTopUp({ body: { ...money, payment_reference: 'r-2', amount: 5 } });
  const deposit = await shop.pushDeposit({ body: { ...money, amount: 10 } });
  await shop.pushStatus({ id: deposit.id, body: { status: 'failed' } });
  const other = await shop.pushDeposit({ body: { ...money, payment_reference: 'r-2', amount: 10 } });
  await ann.changePurchaseStatus({ id: other.id, body: { status: 'success' } });
  const pushed = await shop.pushRedeem({ body: { ...money, amount: 100 } });
  await ann.changeRedeemStatus({ id: pushed.id, body: { status: 'success' } });

  const secret = await addApex();
  const { path } = await sue.getWebhook({ tenant_id: 2, platform: 'apex' });
  const event = { amount: 25, currency: 'USD', email: pam.email };
  for (const [n, type, reference] of [
    [1, 'payment.succeeded', 'w-1'],
    [2, 'payment.pending', 'w-2'],
    [3, 'payment.succeeded', 'w-2'],
    [4, 'payment.failed', 'w-3'],
    [5, 'payment.failed', 'w-1'],
  ] as const)
    await deliver(path, secret, { ...event, id: `evt-${n}`, type, reference });

  await importFile(ann, 'players', PLAYERS);
  await importFile(ann, 'transactions', MONEY);
  await importFile(ann, 'transactions', MONEY);
  for (const { id, type } of await sql<{ id: number; type: string }[]>`
    select id, transaction_type as type from transactions where status = 'pending' and tenant_id = 2
    union all select id, 'REDEEM' from redeems where status = 'pending' and tenant_id = 2`)
    await (type === 'REDEEM'
      ? ann.changeRedeemStatus({ id, body: { status: 'success' } })
      : ann.changePurchaseStatus({ id, body: { status: 'success' } }));
  const [someone] = await sql<{ id: number }[]>`select id from players where email = 'none@mail.test'`;
  await ann.deletePlayer({ id: someone!.id });
  await ann.deletePlayer({ id: pam.id });
  await sql`insert into players (tenant_id, email) values (2, ${people.ann.email})`;
  await sql`insert into wallets (tenant_id, player_id) select 2, id from players where email = ${people.ann.email}`;
  const [self] = await sql<{ id: number }[]>`select id from players where email = ${people.ann.email}`;
  await ann.adjustBalances({ id: self!.id, body: { credit: 300 } });
  await (await withCookie('ann')).submitRedeem({ body: { platform_name: 'yolo', amount: 100 } });
}

test('whatever the calls do, money and the audit log agree', async () => {
  await liveADay();
  assert.equal(await verifyLedger(sql), []);
  assert.equal(await compare(), []);
  const [kinds] = await sql<{ made: number }[]>`select count(*)::int as made from transfers where id > 4`;
  assert.ok(kinds!.made > 30);
});

type Attack = (tx: TransactionSql) => Promise<unknown>;
/** 5,000 of credit for Pam, out of an account. */
const credit = (from: string, admin: number | null) => async (tx: TransactionSql) => {
  await tx`
    insert into transfers (tenant_id, player_id, from_account, to_account, amount, admin_id)
    values (2, ${pam.id}, ${from}, 'credit', 5000, ${admin})`;
  await tx`update wallets set credit_balance = credit_balance + 5000 where player_id = ${pam.id}`;
};
/** Statements, one after another. */
const run =
  (...statements: string[]): Attack =>
  (tx) =>
    runEach(tx, statements.join(';'));
/** Each leaves books that agree with each other, unless they show it as well. */
const attacks: [name: string, attack: Attack, finds: RegExp, isInBooks?: true][] = [
  [
    'a balance edit that nobody made',
    credit('adjustment', people.ann.id),
    /^A transfer of tenant 2 \(5000\.00 from adjustment to credit of player 1 by admin 2\) has no entry/,
  ],
  [
    'money out of nowhere that is called neither an edit nor a purchase',
    credit('cash_in', null),
    /^A transfer of tenant 2 \(5000\.00 from cash_in to credit of player 1\) has no entry/,
  ],
  [
    'an opening balance without an import',
    credit('opening', null),
    /^Transfer \d+ of tenant 2 \(5000\.00 opening balance of player 1\) has no entry/,
  ],
  [
    'a larger opening balance of an imported player',
    run(
      `update transfers set amount = 3000 where from_account = 'opening' and to_account = 'credit'`,
      `update wallets set credit_balance = credit_balance + 2700
        where player_id = (select id from players where email = 'new@mail.test')`,
    ),
    /^Import batch 1 of tenant 2 is not what the audit log says: 2 rows instead of 2, with other contents\.$/,
  ],
  [
    'a purchase that was settled by nobody',
    run(
      `update transactions set status = 'success', completed_at = '2026-01-01' where id = ${pat.purchase}`,
      `insert into transfers (tenant_id, player_id, from_account, to_account, amount, money_id)
        values (3, ${pat.id}, 'cash_in', 'credit', 80, ${pat.purchase})`,
      `update wallets set credit_balance = credit_balance + 80, individual_ggr = 80, last_purchase_at = '2026-01-01'
        where player_id = ${pat.id}`,
    ),
    /^Transfer \d+ of tenant 3 \(80\.00 from cash_in to credit of player 2\) has no entry/,
  ],
  [
    'the amount of a pending purchase that nobody has settled yet',
    run(`update transactions set amount = 8000 where id = ${pat.purchase}`),
    /^The transactions up to 4 are not those that the audit log recorded at .*, with other contents\.$/,
  ],
  [
    'the amount of a pending purchase that another system reported',
    run(`update transactions set amount = 500 where payment_reference = 'r-open'`),
    /^Purchase \d+ of tenant 2 \(500\.00 of player 1\) has no entry in the audit log\.$/,
  ],
  [
    'a redeem that was paid out and is pending again',
    run(
      `delete from transfers where money_id = ${pam.redeem} and to_account = 'cash_out'`,
      `update redeems set status = 'pending', completed_at = null where id = ${pam.redeem}`,
      `update wallets set held_balance = held_balance + 150, individual_ggr = individual_ggr + 150
        where player_id = ${pam.id}`,
    ),
    new RegExp(`^The audit log says that redeem ${pam.redeem} of tenant 2 became success, but the database does`),
  ],
  [
    'a payout that was moved to another day',
    run(
      `update redeems set completed_at = (completed_at at time zone 'UTC' - interval '40 days') at time zone 'UTC'
        where id = ${pam.redeem}`,
    ),
    new RegExp(`^Redeem ${pam.redeem} of tenant 2 was completed at .*, but the audit log says `),
  ],
  [
    'a transfer that another admin is to have made',
    run(`update transfers set admin_id = ${people.ben.id} where money_id = ${pam.redeem} and to_account = 'cash_out'`),
    /^Transfer \d+ of tenant 2 \(150\.00 from held to cash_out of player 1\) has no entry/,
  ],
  [
    'the amount of a transfer from before the record, with its wallet',
    run(
      `update transfers set amount = 5500 where id = 1`,
      `update wallets set credit_balance = credit_balance + 5000 where player_id = ${pam.id}`,
    ),
    /^The transfers up to 4 are not those that the audit log recorded at .*: 4 rows instead of 4, with other con/,
  ],
  [
    'an imported purchase too many',
    run(
      `insert into transactions (tenant_id, player_id, transaction_type, status, amount, initiated_at, completed_at,
        is_history) values (2, ${pam.id}, 'TOP_UP', 'failed', 9, '2026-01-01', '2026-01-02', true)`,
      `insert into imported (tenant_id, kind, object_id, key, prints, batch)
        select 2, 'transactions', max(id), 'x', 'x', 2 from transactions`,
    ),
    /^Import batch 2 of tenant 2 is not what the audit log says: 8 rows instead of 7\.$/,
  ],
  [
    'the payout address of a redeem that was paid out',
    run(`update redeems set payout_address = 'bc1-mallory' where id = ${pam.redeem}`),
    new RegExp(`^Redeem ${pam.redeem} of tenant 2 is not as it was entered`),
  ],
  [
    'the same, with a wallet that looks like that of a deleted player',
    run(
      `update redeems set payout_address = 'bc1-mallory' where id = ${pam.redeem}`,
      `update wallets set closed_at = now() where player_id = ${pam.id}`,
    ),
    new RegExp(`^Redeem ${pam.redeem} of tenant 2 is not as it was entered`),
    true,
  ],
  [
    'a seal that was removed together with the change',
    run(`update redeems set payout_address = 'bc1-mallory', payout_seal = null where id = ${pat.redeem}`),
    new RegExp(`^Redeem ${pat.redeem} of tenant 3 is not as it was entered`),
  ],
  [
    'a deposit that was paid from credit, paid from bonus instead',
    async (tx) => {
      const [paid] = await tx<{ id: number }[]>`select id from transactions where payment_reference = 'd-paid'`;
      await tx`update transfers set from_account = 'bonus' where money_id = ${paid!.id} and from_account = 'credit'`;
      await tx`update transactions set payment_metadata = '{"type":"BONUS"}' where id = ${paid!.id}`;
      await tx`
        update wallets set credit_balance = credit_balance + 30, bonus_balance = bonus_balance - 30
        where player_id = ${pam.id}`;
    },
    /^Deposit \d+ of tenant 2 goes from bonus to yolo, but the audit log says from credit to yolo\.$/,
  ],
  [
    'the platform of a pending deposit',
    run(`update transactions set platform = 'vblink' where payment_reference = 'd-open'`),
    /^Deposit \d+ of tenant 2 goes from bonus to vblink, but the audit log says from bonus to yolo\.$/,
  ],
  [
    'the method of a purchase that another system reported',
    run(`update transactions set payment_method = 'Wire' where payment_reference = 'r-open'`),
    /^Purchase \d+ of tenant 2 was made by Wire with a net amount of nothing, but the audit log says by Card /,
  ],
  [
    'the net amount of a purchase that another system reported',
    run(`update transactions set net_amount = 4 where payment_reference = 'r-open'`),
    /^Purchase \d+ of tenant 2 was made by Card with a net amount of 4\.00, but .* by Card with nothing\.$/,
  ],
  [
    'a redeem that counts towards another day, so that more can be requested today',
    run(`update redeems set business_day = business_day - 9 where id = ${pam.redeem}`),
    new RegExp(`^Redeem ${pam.redeem} of tenant 2 counts towards .*, but was requested on `),
  ],
  [
    'a deposit that was requested on another day',
    run(
      `update transactions set initiated_at = (initiated_at at time zone 'UTC' - interval '9 days') at time zone 'UTC'
        where payment_reference = 'd-open'`,
    ),
    /^Deposit \d+ of tenant 2 was initiated at .*, but the audit log says /,
  ],
  ...(
    [
      ['the balance that paid for an imported deposit', `payment_metadata = '{"type":"VIP"}'`, 'm-4'],
      ['the platform of an imported deposit', `platform = 'vblink'`, 'm-4'],
      ['the platform of an imported deposit that is pending', `platform = 'vblink'`, 'm-6'],
      ['the net amount of an imported purchase', 'net_amount = 1', 'm-7'],
      [
        'the day of an imported deposit',
        `completed_at = (completed_at at time zone 'UTC' + interval '1 day') at time zone 'UTC'`,
        'm-4',
      ],
    ] as const
  ).map(([name, change, source]): [string, Attack, RegExp] => [
    name,
    run(`update transactions set ${change} where description = '${source}'`),
    /^Import batch 2 of tenant 2 is not what the audit log says: 7 rows instead of 7, with other contents\.$/,
  ]),
  [
    'the method of a purchase from before the record',
    run(`update transactions set payment_method = 'Wire' where id = ${pam.purchase}`),
    /^The balances, platforms, methods and times of the transactions up to 4 are not those that the audit log/,
  ],
];
for (const [name, attack, finds, isInBooks] of attacks) {
  test(`found: ${name}`, async () => {
    const shop = withKey((await newKey()).key);
    await ann.adjustBalances({ id: pam.id, body: { credit: 50, bonus: 50 } });
    const deposit = { user_id: pam.id, platform: 'yolo', amount: 30 };
    const { id } = await shop.pushDeposit({ body: { ...deposit, payment_reference: 'd-paid' } });
    await shop.pushStatus({ id, body: { status: 'success' } });
    await shop.pushDeposit({ body: { ...deposit, amount: 10, balance: 'bonus', payment_reference: 'd-open' } });
    await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
    const open = { payment_reference: 'r-open', payment_method: 'Card', amount: 5 };
    await shop.pushTopUp({ body: { user_id: pam.id, ...open } });
    await importFile(ann, 'players', PLAYERS);
    await importFile(ann, 'transactions', MONEY);
    assert.equal(await compare(), []);
    await pastTheServer(attack);
    if (!isInBooks) assert.equal(await verifyLedger(sql), [], 'the books agree with each other');
    const sentences = await compare();
    const isFound = sentences.some((sentence) => finds.test(sentence));
    assert.ok(isFound, sentences.join('\n') || 'nothing was found');
  });
}

test('pending redeems without a seal are sealed by the setup, so that they can be paid out', async () => {
  await sql`update redeems set payout_seal = null`;
  assert.is((await compare()).length, 2);
  assert.is(await refused(ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } })), 409);
  await db.tx((tx) => sealPendingRedeems(tx, services.secrets));
  assert.equal(await compare(), []);
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  assert.equal(await compare(), []);
});

test('what 0.1.0 wrote is no difference', async () => {
  await importFile(ann, 'players', PLAYERS);
  await importFile(ann, 'transactions', MONEY);
  await ann.adjustBalances({ id: pam.id, body: { credit: 50, bonus: 50 } });
  const old = { user_id: pam.id, platform: 'yolo', amount: 30, payment_reference: 'd-old' };
  await withKey((await newKey()).key).pushDeposit({ body: old });
  // Entries as that version wrote them: no terms in the record, the deposit and the digest of the batch.
  const [batch] = await sql<{ digest: string }[]>`
    select encode(sha256(convert_to(string_agg(concat_ws('|', i.kind, i.object_id, t.player_id, t.transaction_type,
      t.amount, case when t.is_history then t.status end, r.player_id, r.amount,
      case when r.is_history then r.status end), E'\n' order by i.object_id), 'UTF8')), 'hex') as digest
    from imported i left join transactions t on t.tenant_id = i.tenant_id and t.id = i.object_id
      left join redeems r on r.tenant_id = i.tenant_id and r.id = i.object_id
    where i.tenant_id = 2 and i.batch = 2`;
  await pastTheServer(async (tx) => {
    await tx`
      update audit_log set after = (after::jsonb - 'balance' - 'platform' || '{"method":"yolo"}')::json
      where call = 'pushDeposit'`;
    await tx`
      update audit_log set
        after = (after::jsonb - 'digest' || jsonb_build_object('rows_sha256', ${batch!.digest}::text))::json
      where call = 'importRows' and after ->> 'batch' = '2'`;
  });
  assert.equal(await compare(), []);
});

test('a redeem that was changed past the server can still be refused, which pays out nothing', async () => {
  const { key } = await newKey();
  await sql`update redeems set payout_address = 'bc1-mallory'`;
  const shop = withKey(key);
  assert.is(await refused(shop.pushStatus({ id: pam.redeem, body: { status: 'success' } })), 409);
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  const [wallet] = await sql`select credit_balance, held_balance from wallets where player_id = ${pam.id}`;
  assert.equal({ ...wallet }, { credit_balance: 500, held_balance: 0 });
});

test.run();

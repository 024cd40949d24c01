import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { verifyLedger } from '../../../src/server/books/verify';
import { lines, pluck, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { readDays } from '../../facts';
import { imported, importFile } from '../../importFile';
import { addPlayer, deposit, topUp } from '../../seed';
import { setZone } from '../../timestamps';
import { pam, reset, sql } from '../../world';

test.before.each(reset);

const day = (ago: number, time = '12:00:00'): string =>
  `${new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)}T${time}Z`;
const header =
  'source_id,user_email,transaction_type,status,amount,net_amount,payment_method,deposit_type,platform,' +
  'payout_method,payout_address,initiated_at,completed_at,description,payment_reference';
const line = (cells: Record<string, string>): string =>
  header
    .split(',')
    .map((name) => cells[name] ?? { user_email: pam.email, amount: '10' }[name] ?? '')
    .join(',');
const buildFile = (...rows: Record<string, string>[]): string => [header, ...rows.map(line)].join('\n');
const past = (cells: Record<string, string>, ago = 3) => ({
  ...{ status: 'success', initiated_at: day(ago, '10:00:00'), completed_at: day(ago) },
  ...cells,
});
const wallet = (id: number = pam.id) =>
  sql`
  select credit_balance, bonus_balance, loyalty_balance, held_balance, individual_ggr, first_purchase_id
  from wallets where player_id = ${id}`.one();
/** What Acme's import of a file of money comes to. */
const bring = (text: string, how?: { isCheck?: boolean }) => imported(ann, 'transactions', text, how);
const totalGgr = async (api: Api, affiliate_id: string) =>
  (await api.getAffiliateStats({ affiliate_id, start_date: '1990-01-01', end_date: '2099-12-31' })).total_ggr;

const out = { transaction_type: 'REDEEM', platform: 'yolo' };
const first = { payment_method: 'Card', payment_reference: 'ch_1', description: 'First' };
const bank = { payout_method: 'Bank transfer', payout_address: 'DE00' };
const history = buildFile(
  past({ ...first, source_id: 'A', transaction_type: 'TOP_UP', amount: '100.10', net_amount: '97' }, 400),
  past({ source_id: 'B', transaction_type: 'TOP_UP', amount: '50', payment_method: 'Bitcoin', status: 'failed' }, 2),
  past({ source_id: 'C', transaction_type: 'DEPOSIT', amount: '20', deposit_type: 'Free Play', platform: 'VBLink' }, 2),
  past({ ...bank, source_id: 'D', transaction_type: 'redeem', amount: '30.05', platform: 'yolo' }, 1),
  past({ source_id: 'E', transaction_type: 'Withdrawal', amount: '5', platform: 'Yolo', status: 'Failed' }, 1),
  past({ source_id: 'F', transaction_type: 'TOP_UP', amount: '7', payment_method: 'Card' }, 1),
);

test('the past changes reports and no balance', async () => {
  const before = await wallet();
  assert.equal(await bring(history), [6, 0]);
  const after = await wallet();
  const [first] = await sql<{ id: number }[]>`select id from transactions where payment_reference = 'ch_1'`;
  assert.equal(after, { ...before, individual_ggr: 77.05, first_purchase_id: first!.id });
  assert.equal(await verifyLedger(sql), []);

  const top = await ann.listPurchases({ transaction_type: 'TOP_UP' });
  const shown = top.filter(({ id }) => id === first!.id);
  const said = ['amount', 'net_amount', 'status', 'payment_method', 'payment_reference', 'description'] as const;
  assert.equal(lines(shown, ...said), ['100.1 97 success Card ch_1 First']);
  const times = [[day(400, '10:00:00.000'), day(400, '12:00:00.000')]];
  assert.equal(table(shown, 'initiated_at', 'completed_at'), times);
  const [deposited, ...others] = await ann.listDeposits({});
  assert.equal([deposited?.amount, deposited?.payment_metadata?.type, others], [20, 'LOYALTY', []]);
  const redeems = (await ann.listRedeems({})).filter(({ status }) => status !== 'pending');
  assert.equal(lines(redeems, 'amount', 'platform', 'payout_method', 'status').sort(), [
    '30.05 yolo Bank transfer success',
    '5 yolo null failed',
  ]);
  const transfers = await sql`
    select from_account, to_account, amount from transfers
    where from_account in ('cash_in', 'opening') order by amount desc`;
  assert.equal(lines(transfers, 'from_account', 'to_account', 'amount'), [
    ...['cash_in opening 100.1', 'opening cash_out 30.05', 'opening platform 20', 'cash_in opening 7'],
  ]);
});

test("the past shows in a player's history as what it was, and not in the ledger of the balances", async () => {
  const lines = await ann.getPlayerLedger({ id: pam.id });
  await bring(history);
  assert.equal(await ann.getPlayerLedger({ id: pam.id }), lines);
  const types = pluck(await ann.listPlayerTransactions({ id: pam.id }), 'transaction_type');
  const wanted = 'ADJUSTMENT DEPOSIT TOP_UP TOP_UP TOP_UP TOP_UP WITHDRAWAL WITHDRAWAL WITHDRAWAL';
  assert.is(types.sort().join(' '), wanted);
});

test('metrics, charts and affiliate figures equal a plain recomputation after an import', async () => {
  await setZone(2, 'America/Los_Angeles');
  await addPlayer(2, { email: 'other@mail.test', affiliate_id: 'AFF2' });
  let seed = 7;
  const next = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const rows = Array.from({ length: 700 }, (_, n) =>
    past({
      source_id: `T${n}`,
      user_email: ['other@mail.test', pam.email][next(2)]!,
      amount: `${next(500) + 1}.${String(next(100)).padStart(2, '0')}`,
      status: next(5) ? 'success' : 'failed',
      transaction_type: ['TOP_UP', 'TOP_UP', 'REDEEM', 'DEPOSIT'][next(4)]!,
      deposit_type: 'CREDIT',
      platform: ['yolo', 'vblink'][next(2)]!,
      payment_method: ['Card', ''][next(2)]!,
      payout_method: 'PayPal',
      ...((ago) => ({
        initiated_at: day(ago, '00:00:01'),
        completed_at: day(ago, `${String(next(23)).padStart(2, '0')}:30:00`),
      }))(1 + next(100)),
    }),
  );
  assert.equal(await bring(buildFile(...rows)), [700, 0]);
  const plain = await sql<{ day: string; ago: number; purchases: number; redeems: number }[]>`
    select day::text, (now() at time zone 'America/Los_Angeles')::date - day as ago,
      coalesce(sum(amount) filter (where is_purchase), 0) as purchases,
      coalesce(sum(amount) filter (where not is_purchase), 0) as redeems
    from (
      select completed_at, amount, true as is_purchase from transactions
      where tenant_id = 2 and status = 'success' and transaction_type = 'TOP_UP'
      union all
      select completed_at, amount, false from redeems where tenant_id = 2 and status = 'success') m
    cross join lateral (select (m.completed_at at time zone 'America/Los_Angeles')::date as day) d
    group by 1, 2`;
  const cents = (amounts: number[]) => amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  for (const admin of [ann, sue]) {
    const charts = await admin.getCharts({ tenant_id: 2, days: 90 });
    for (const shown of charts.days) {
      const same = plain.find((one) => one.day === shown.day);
      assert.equal([shown.day, shown.purchases, shown.redeems], [shown.day, same?.purchases ?? 0, same?.redeems ?? 0]);
    }
    for (const parts of [charts.days, charts.platforms, charts.methods])
      assert.is(cents(parts.map(({ purchases }) => purchases)), cents([charts.total.purchases]));
    assert.equal(charts.methods.map(({ name }) => name).sort(), ['', 'Card', 'PayPal']);
    const metrics = await admin.getDashboardMetrics({ tenant_id: 2 });
    const yesterday = plain.find(({ ago }) => ago === 1);
    assert.is(cents([metrics.yesterday_ggr]), cents([yesterday?.purchases ?? 0]) - cents([yesterday?.redeems ?? 0]));
  }
  const ggr = await sql`
    select p.affiliate_id, w.individual_ggr
    from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
    where p.tenant_id = 2`;
  for (const { affiliate_id, individual_ggr } of ggr) assert.is(await totalGgr(ann, affiliate_id), individual_ggr);
  assert.equal(await verifyLedger(sql), []);
});

test('a time without a zone is one of the tenant, and so is the business day', async () => {
  await setZone(2, 'America/Los_Angeles');
  const times = { initiated_at: '2026-01-31', completed_at: '2026-01-31 23:30' };
  const row = { source_id: 'A', transaction_type: 'TOP_UP', status: 'success', ...times };
  await bring(buildFile(row));
  assert.equal(table(await sql`select * from transactions where is_history`, 'initiated_at', 'completed_at'), [
    [new Date('2026-01-31T08:00:00Z'), new Date('2026-02-01T07:30:00Z')],
  ]);
  assert.equal(await readDays(2), [
    { day: '2026-01-31', purchases: 10, redeems: 0, purchase_count: 1, redeem_count: 0 },
  ]);
  const zoned = { initiated_at: '2026-01-31T00:00-08:00', completed_at: '2026-02-01T07:30:00.000Z' };
  assert.equal(await bring(buildFile({ ...row, ...zoned })), [0, 1]);
});

const pending = (cells: Record<string, string>) => ({ status: 'pending', initiated_at: day(2), ...cells });
test('what is pending is as if it had been made here: it holds its amount and waits to be decided', async () => {
  const top = { transaction_type: 'TOP_UP', payment_method: 'Card', payment_reference: 'ch_9' };
  const redeemed = { ...out, payout_method: 'Cash Tag', payout_address: '$pam' };
  const text = buildFile(
    pending({ ...top, source_id: 'A', amount: '15' }),
    pending({ ...redeemed, source_id: 'B', amount: '300' }),
    pending({ ...redeemed, source_id: 'C', amount: '60' }),
    pending({ source_id: 'D', transaction_type: 'DEPOSIT', amount: '50', deposit_type: 'credit', platform: 'vblink' }),
    pending({ source_id: 'E', transaction_type: 'DEPOSIT', amount: '0.01', deposit_type: 'BONUS', platform: 'vblink' }),
  );
  const short = (line: number, kind: string) => `${line} -: Insufficient ${kind} available`;
  const wanted = [3, 0, short(4, 'credit balance: $50.00'), short(6, 'bonus balance: $0.00')];
  const before = await wallet();
  assert.equal(await bring(text, { isCheck: true }), wanted);
  assert.equal(await wallet(), before);
  assert.equal(await bring(text), wanted);
  const { first_purchase_id, ...held } = await wallet();
  assert.equal(held, { credit_balance: 0, bonus_balance: 0, loyalty_balance: 0, held_balance: 500, individual_ggr: 0 });
  assert.ok(first_purchase_id > pam.purchase, 'it was initiated before');
  assert.equal(await verifyLedger(sql), []);

  const redeem = (await ann.listRedeems({})).find(({ amount }) => amount === 300)!;
  assert.equal([redeem.initiated_at.slice(0, 10), redeem.payout_address], [day(2).slice(0, 10), '$pam']);
  await ann.changeRedeemStatus({ id: redeem.id, body: { status: 'success' } });
  const [purchase] = await ann.listPurchases({ text: 'ch_9' });
  await ann.changePurchaseStatus({ id: purchase!.id, body: { status: 'success' } });
  const changed = { credit_balance: 15, held_balance: 200, individual_ggr: -285, first_purchase_id };
  assert.equal(await wallet(), { ...held, ...changed });
  assert.is((await bring(text))[1], 3, 'what was decided since is there already');
  assert.equal(await verifyLedger(sql), []);
});

test('the limit of a day neither stops the past nor what was pending elsewhere', async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '9000' });
  const text = buildFile(
    ...Array.from({ length: 5 }, (_, n) => ({
      ...{ ...out, source_id: `P${n}`, user_email: rich.email, amount: '900' },
      ...{ status: 'pending', initiated_at: day(0, '00:00:00') },
    })),
    past({ ...out, source_id: 'H', user_email: rich.email, amount: '5000' }),
  );
  assert.equal(await bring(text), [6, 0]);
});

test('each row is judged by the rules of the calls', async () => {
  const tried = async (cells: Record<string, string>) => {
    const file = buildFile(past({ source_id: 'X', transaction_type: 'TOP_UP', ...cells }));
    const [, , reject] = await bring(file, { isCheck: true });
    return typeof reject === 'string' ? reject.slice(2) : reject;
  };
  const time = 'expected a date and time such as 2026-01-31T13:45:00Z',
    given = { transaction_type: 'DEPOSIT' },
    open = { status: 'pending', completed_at: '' };
  const wrong: [Record<string, string>, string][] = [
    [{ source_id: '' }, 'source_id: is required, or a payment_reference'],
    [{ user_email: ' ' }, 'user_email: is required'],
    [{ user_email: 'pat@mail.test' }, 'user_email: no player has this email'],
    [{ transaction_type: 'GIFT' }, 'transaction_type: expected one of TOP_UP, DEPOSIT, RETURN, REDEEM'],
    [{ transaction_type: 'constructor' }, 'transaction_type: expected one of TOP_UP, DEPOSIT, RETURN, REDEEM'],
    [{ status: 'done' }, 'status: expected one of pending, success, failed'],
    [{ amount: '0' }, 'amount: must be above 0'],
    [{ amount: '1.001' }, 'amount: expected an amount with at most 2 decimals'],
    [{ amount: '$5' }, 'amount: expected an amount with at most 2 decimals'],
    [{ net_amount: '-1' }, 'net_amount: must not be negative'],
    [{ status: 'pending' }, 'completed_at: must be empty while the status is pending'],
    [{ completed_at: '' }, 'completed_at: is required when the status is success'],
    [{ completed_at: day(4) }, 'completed_at: is before initiated_at'],
    [{ initiated_at: day(-2), completed_at: day(-2) }, 'initiated_at: is in the future'],
    [{ completed_at: day(-2) }, 'completed_at: is in the future'],
    [{ initiated_at: '31.01.2026' }, `initiated_at: ${time}`],
    [{ initiated_at: '2026-01-31T13:45:00+25:00' }, `initiated_at: ${time}`],
    [given, 'deposit_type: is required for a deposit'],
    [{ ...given, deposit_type: 'CASH' }, 'deposit_type: expected one of CREDIT, BONUS, VIP, LOYALTY'],
    [{ transaction_type: 'REDEEM' }, 'platform: is required'],
    [{ transaction_type: 'REDEEM', platform: 'casino' }, 'platform: unknown platform'],
    [{ ...out, ...open, payout_method: 'Bank' }, 'payout_method: expected one of Crypto Wallet, Cash Tag, PayPal'],
    [{ ...given, ...open, deposit_type: 'CREDIT' }, 'platform: is required'],
  ];
  for (const [cells, reason] of wrong) assert.is(await tried(cells), reason, JSON.stringify(cells));
  assert.is(await tried({}), undefined);
  assert.is(await tried({ source_id: '', payment_reference: 'ch_1' }), undefined);
});

test('a row that says something else under an id that came in is a reject that names the column', async () => {
  await bring(history);
  const before = await wallet();
  const changed = history
    .replace('100.10', '100.11')
    .replace('Free Play', 'VIP')
    .replace('Bank transfer', 'PayPal')
    .replace(',Failed,', ',success,');
  const differ = ['2 amount', '4 deposit_type', '5 payout_method', '6 status'].map(
    (at) => `${at}: differs from what was imported under this id before`,
  );
  assert.equal(await bring(changed), [0, 2, ...differ]);
  assert.equal(await wallet(), before);
});

test('rows find their player by the id it had, and never two players', async () => {
  await importFile(ann, 'players', 'source_id,email\nP1,quinn@mail.test');
  const rows = ['1,P1,', `2,P1,${pam.email}`, '3,P1,QUINN@mail.test', '4,P2,', '5,,'].map(
    (cells) => `${cells},TOP_UP,failed,1,2026-01-01,2026-01-01`,
  );
  const names = 'source_id,user_source_id,email,type,status,amount,initiated_at,completed_at';
  const [created, existing, ...rejects] = await bring([names, ...rows].join('\n'));
  assert.equal([created, existing], [2, 0]);
  assert.equal(rejects, [
    '3 user_email: belongs to a different player than user_source_id',
    '5 user_source_id: no player was imported with this id',
    '6 user_email: is required',
  ]);
});

test('a figure beyond what can be kept costs its own row', async () => {
  const rows = Array.from({ length: 12 }, (_, n) =>
    past({ source_id: `T${n}`, transaction_type: 'TOP_UP', amount: '99999999999' }),
  );
  const [created, existing, ...rejects] = await bring(buildFile(...rows));
  assert.equal([created, existing, rejects.length], [10, 0, 2]);
  assert.match(String(rejects[0]), /: The balance would become too large$/);
  assert.equal(await verifyLedger(sql), []);
});

test('the first purchase is the earliest of what was here and what came in', async () => {
  const quinn = await addPlayer(2, { email: 'quinn@mail.test' });
  const own = await topUp(quinn, '10', 'success', { initiated_at: new Date(day(5)), completed_at: new Date(day(5)) });
  const text = (id: string, ago: number, status = 'success') =>
    buildFile(past({ source_id: id, user_email: quinn.email, transaction_type: 'TOP_UP', status }, ago));
  await bring(text('later', 4));
  assert.is((await wallet(quinn.id))['first_purchase_id'], own);
  await bring(text('failed', 9, 'failed'));
  assert.is((await wallet(quinn.id))['first_purchase_id'], own);
  await bring(text('earlier', 8));
  assert.ok((await wallet(quinn.id))['first_purchase_id'] > own);
  assert.equal(await verifyLedger(sql), []);
});

test('what one tenant exports another can import', async () => {
  const columns = 'email,first_name,last_name,phone_number,affiliate_id,credit,bonus';
  await importFile(ann, 'players', `${columns}\nquinn@mail.test,=Quinn,"O'Hara, Jr.",+1 555,AFF1,12.50,3`);
  await bring(history);
  await addPlayer(2, { email: 'gone@mail.test', is_active: false, created_at: new Date('2024-03-01T18:30:00Z') });
  const players = await (await ann.exportPlayers({})).text();
  assert.equal(await imported(ben, 'players', players, { tenant_id: 3 }), [3, 0]);
  const [gone] = await sql`select is_active, created_at from players where tenant_id = 3 and email = 'gone@mail.test'`;
  assert.equal({ ...gone }, { is_active: false, created_at: new Date('2024-03-01T18:30:00Z') });
  const { users } = await ben.listPlayers({ search: 'quinn' });
  const quinn = table(users, 'first_name', 'phone_number', 'credit_balance', 'bonus_balance')[0];
  assert.equal(quinn, ['=Quinn', '+1 555', 12.5, 3]);
  const purchases = await (await ann.exportPurchases({ status: 'success', transaction_type: 'TOP_UP' })).text();
  assert.equal(await imported(ben, 'transactions', purchases, { tenant_id: 3 }), [2, 0]);
  assert.is(await totalGgr(ben, 'AFF1'), 107.1);
  assert.equal(await verifyLedger(sql), []);
});

test('redeems and deposits that one tenant exports another can import, settled and pending', async () => {
  await addPlayer(3, { email: pam.email, credit: '400' });
  await bring(history);
  const paid = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'pam@pay.test' } as const;
  const body = { ...paid, user_email: pam.email, amount: '5', description: 'Asked by phone' };
  await ann.createManualRedeem({ body });
  await deposit(pam, 'credit', '7.50');
  const countLines = (text: string) => text.replace(/\r\n$/, '').split('\r\n').length - 1;
  for (const [file, list] of [
    [await ann.exportRedeems(), 'redeems'],
    [await ann.exportDeposits(), 'deposits'],
  ] as const) {
    const text = await file.text();
    assert.equal(await imported(ben, 'transactions', text, { tenant_id: 3 }), [countLines(text), 0], list);
  }
  const byPhone = await ben.listRedeems({ text: 'phone' });
  const [asked] = lines(byPhone, 'user_email', 'amount', 'platform', 'payout_method', 'payout_address', 'status');
  assert.is(asked, `${pam.email} 5 yolo PayPal pam@pay.test pending`);
  assert.equal(pluck(await ben.listDeposits({ status: 'pending', platform: 'vblink' }), 'amount'), [7.5]);
  assert.equal(await verifyLedger(sql), []);
});

test.run();

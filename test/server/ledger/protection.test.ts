/** Each rule that protects a player at each door, the times of limits, and many tries at once. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import type { CallName } from '../../../src/contract/calls';
import { addDays } from '../../../src/contract/dates';
import type { EligibilityForm, ProtectionForm } from '../../../src/contract/entities';
import { findObstacle } from '../../../src/server/ledger/protection';
import { booksAddUp, isRefused } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { importFile } from '../../importFile';
import { addApex, deliver, newKey, withKey } from '../../integrations';
import { addPlayer, deposit, giveBack, redeem, topUp } from '../../seed';
import { setZone, todayIn } from '../../timestamps';
import { people, refusal, reset, sql, withCookie } from '../../world';
import { everyCall, schemasOf, takes } from '../everyCall';
import { look } from '../notifications/bell';

const email = people.ann.email;
const by = { user_email: email };
const path = '/api/v1/webhooks/2/apex';
let checkout: Api,
  shop: Api,
  player: Awaited<ReturnType<typeof addPlayer>>,
  secret = '',
  n = 0;

test.before.each(async () => {
  await reset();
  checkout = await withCookie('ann');
  player = await addPlayer(2, { email, credit: '5000' });
  shop = withKey((await newKey()).key);
  secret = await addApex();
});
test.after.each(booksAddUp);

const set = (body: ProtectionForm, api = ann) => api.saveProtection({ id: player.id, body });
const limit = (money: 'purchase' | 'deposit', amount: string | null, span: 'day' | 'week' | 'month' = 'day') =>
  set({ limits: [{ money, span, amount }] });
const pushed = () => ({ email, amount: '100', payment_reference: `ref-${++n}` });
const event = (type: string, reference = `pay-${++n}`) => ({
  ...{ id: `evt-${++n}`, type, reference, amount: '100', email, occurred_at: '2026-01-31T10:00:00Z' },
});
const header =
  'source_id,user_email,transaction_type,status,amount,payment_method,platform,deposit_type,initiated_at,completed_at';
/** A file with one row. */
async function fromFile(type: string, status = 'pending') {
  const at = new Date().toISOString();
  const row = [`F${++n}`, email, type, status, '100', ...(type === 'TOP_UP' ? ['Card', ''] : ['', 'Yolo'])];
  const kind = type === 'DEPOSIT' ? 'CREDIT' : '';
  const done = status === 'pending' ? '' : at;
  const found = await importFile(ann, 'transactions', `${header}\n${[...row, kind, at, done].join(',')}`);
  if (found.rejects.length) throw Object.assign(new Error(found.rejects[0]!.reason), { status: 409 });
}
const heard = (type: string, reference?: string) =>
  deliver(path, secret, event(type, reference)).then(({ status, body }) => {
    assert.is(status, 200, body.detail ?? '');
    return body.outcome;
  });

type Result = 'taken' | 'refused' | 'marked';
type Door = [call: CallName, excluded: Result, over: Result, go: () => Promise<unknown>];
const manual = { platform: 'vblink', payout_method: 'Cash Tag', payout_address: '$ann', description: '' } as const;
/** Pending since before the rule. */
const waiting = { bought: 0, boughtToo: 0, gone: 0, back: 0, out: 0, outToo: 0, outByTwo: 0 };
async function fillWaiting(): Promise<void> {
  for (const name of ['bought', 'boughtToo'] as const) waiting[name] = await topUp(player, '100');
  for (const name of ['out', 'outToo', 'outByTwo'] as const) waiting[name] = await redeem(player, '100');
  waiting.gone = await deposit(player, 'credit', '100');
  waiting.back = await giveBack(player, '100');
}
const paid = { status: 'success' } as const;
async function payByTwo(): Promise<void> {
  await sue.changeApprovalLimits({ body: { payouts_from: '100', edits_from: null, tenant_id: 2 } });
  await ann.changeRedeemStatus({ id: waiting.outByTwo, body: paid });
  const [approval] = await sue.listApprovals({ tenant_id: 2 });
  await sue.approveChange({ id: approval?.id ?? 0 });
}
const settle = (row: keyof typeof waiting) => () => ann.changePurchaseStatus({ id: waiting[row], body: paid });
const settleByKey = (row: keyof typeof waiting) => () => shop.pushStatus({ id: waiting[row], body: paid });
const payOut = () => ann.changeRedeemStatus({ id: waiting.out, body: paid });
const buyByKey =
  (more: object = {}) =>
  () =>
    shop.pushTopUp({ body: { ...pushed(), payment_method: 'card', ...more } });
const depositByKey = () => shop.pushDeposit({ body: { ...pushed(), platform: 'yolo' } });
const redeemByKey = () => shop.pushRedeem({ body: { ...pushed(), platform: 'yolo' } });
const redeemAlone = () => checkout.submitRedeem({ body: { platform_name: 'yolo', amount: '100' } });
const redeemByHand = () => ann.createManualRedeem({ body: { ...by, ...manual, amount: '100' } });
const bringBack = () => ann.createReturn({ body: { ...by, amount: '100', platform: 'vblink' } });
const returnByKey = () => shop.pushReturn({ body: { ...pushed(), platform: 'vblink' } });
/** Those that pay a redeem come first: a payment that is marked holds payouts. */
const doors: Record<string, Door> = {
  'payout of what waits': ['changeRedeemStatus', 'taken', 'taken', payOut],
  'payout of what waits, by key or robot': ['pushStatus', 'taken', 'taken', settleByKey('outToo')],
  'payout of what waits, by two': ['approveChange', 'taken', 'taken', payByTwo],
  'deposit that waits': ['changePurchaseStatus', 'taken', 'taken', settle('gone')],
  'return that waits': ['changePurchaseStatus', 'taken', 'taken', settle('back')],
  'purchase that waits is paid': ['changePurchaseStatus', 'marked', 'taken', settle('bought')],
  'purchase that waits is paid, by key': ['pushStatus', 'marked', 'taken', settleByKey('boughtToo')],
  'purchase by key': ['pushTopUp', 'refused', 'refused', buyByKey()],
  'purchase by key that has arrived': ['pushTopUp', 'marked', 'marked', buyByKey({ has_arrived: true })],
  'payment of a processor': ['receiveWebhook', 'marked', 'marked', () => heard('payment.succeeded')],
  'payment of a processor on its way': ['receiveWebhook', 'marked', 'marked', () => heard('payment.pending')],
  'payment of a processor that failed': ['receiveWebhook', 'taken', 'taken', () => heard('payment.failed')],
  'purchase in a file': ['importRows', 'marked', 'marked', () => fromFile('TOP_UP')],
  'deposit by key': ['pushDeposit', 'refused', 'refused', depositByKey],
  'deposit in a file': ['importRows', 'refused', 'refused', () => fromFile('DEPOSIT')],
  'redeem by key': ['pushRedeem', 'refused', 'taken', redeemByKey],
  "the player's own redeem": ['submitRedeem', 'refused', 'taken', redeemAlone],
  'manual redeem': ['createManualRedeem', 'refused', 'taken', redeemByHand],
  'redeem in a file': ['importRows', 'refused', 'taken', () => fromFile('REDEEM')],
  'return by staff': ['createReturn', 'taken', 'taken', bringBack],
  'return by key': ['pushReturn', 'taken', 'taken', returnByKey],
  'history in a file': ['importRows', 'taken', 'taken', () => fromFile('TOP_UP', 'success')],
};

/** What became of a try, as the tables have it. */
async function outcome(go: Door[3]): Promise<Result> {
  const marked = () => sql`select 1 from transactions where attention is not null`;
  const before = (await marked()).length;
  const refused = await go().then(
    () => null,
    (error: { status?: number; code?: string; message: string }) => {
      assert.is(error.status, 409, error.message);
      return 'refused' as const;
    },
  );
  return refused ?? ((await marked()).length > before ? 'marked' : 'taken');
}
/** What became of each door under a rule. */
const outcomes = async (rule: () => Promise<unknown> = async () => undefined) => {
  await fillWaiting();
  await rule();
  const found: [string, Result][] = [];
  for (const [name, door] of Object.entries(doors)) found.push([name, await outcome(door[3])]);
  return found;
};

const onBreak = () => Object.entries(doors).map(([name, [, excluded]]) => [name, excluded]);
const overLimit = () => Object.entries(doors).map(([name, [, , over]]) => [name, over]);

/** Calls about money that let none of a player's in or out. */
const noDoors: Partial<Record<CallName, string>> = {
  adjustBalances: 'staff correct a balance',
  enterAccountMove: "of the tenant's own accounts",
  holdPayouts: 'staff hold',
  ...{ verifyBooks: 'of the books', closeMonth: 'of the books' },
  ...{ pushClaim: 'who does it', dropClaim: 'who does it', releaseWork: 'who does it', pushLogin: 'no money' },
};

test('every call of the contract that lets money in or out is a door in the table', () => {
  const about = everyCall.filter(
    ([name, { method, needs, scopes = [], isSigned, isRead }]) =>
      method !== 'GET' &&
      !isRead &&
      (['queue', 'payouts', 'money', 'import'].includes(needs ?? '') ||
        scopes.some((scope) => scope === 'work' || scope.startsWith('transactions')) ||
        isSigned ||
        name === 'approveChange' ||
        takes(schemasOf(name).body, 'amount')),
  );
  const known = new Set([...Object.values(doors).map(([call]) => call), ...Object.keys(noDoors)]);
  assert.equal(about.map(([name]) => name).sort(), [...known].sort());
});

test('without a break or a limit every door is open, and nothing is marked', async () => {
  const open = Object.keys(doors).map((name) => [name, 'taken']);
  assert.equal(await outcomes(), open);
});

test('on a break each door does as the table says', async () => {
  assert.equal(await outcomes(() => set({ exclusion: { until: null } })), onBreak());
});

const rules = {
  ...{ minimum_age: 21, refused_regions: ['FR', 'US-CA'] },
  ...{ kyc_from: null, kyc_first: false, report_from: null },
};
const know = (body: EligibilityForm) => ann.saveEligibility({ id: player.id, body });

for (const [what, known] of [
  ['below the minimum age', { birth_date: `${new Date().getUTCFullYear() - 20}-01-01` }],
  ['in a refused region', { region: 'US-CA' }],
  ['in a part of a refused country', { region: 'FR-IDF' }],
] as [string, EligibilityForm][])
  test(`${what} each door does as on a break, once the tenant asks for it`, async () => {
    await know(known);
    assert.is(await outcome(depositByKey), 'taken');
    assert.equal(await outcomes(() => ann.changeEligibilityRules({ body: rules })), onBreak());
  });

test('who is not known, lives elsewhere, or has a birthday today may play', async () => {
  await ann.changeEligibilityRules({ body: rules });
  assert.is(await outcome(depositByKey), 'taken');
  const zone = 'Pacific/Kiritimati';
  await setZone(2, zone);
  const [year = '', ...day] = todayIn(zone).split('-');
  if (day.join('-') !== '02-29')
    for (const [birth_date, result] of [
      [[Number(year) - 21, ...day].join('-'), 'taken'],
      [addDays([Number(year) - 21, ...day].join('-'), 1), 'refused'],
    ] as const) {
      await know({ birth_date, region: 'US-NV' });
      assert.is(await outcome(depositByKey), result, birth_date);
    }
});

test('over a limit each door does as the table says', async () => {
  const both = [{ money: 'purchase', span: 'day' } as const, { money: 'deposit', span: 'month' } as const];
  const limits = both.map((one) => ({ ...one, amount: '99.99' }));
  assert.equal(await outcomes(() => set({ limits })), overLimit());
});

test('the refusals say why, for a system and for a person', async () => {
  await set({ exclusion: { until: '2099-12-31' } });
  const detail = 'This player is on a break until 2099-12-31';
  const asked = depositByKey();
  const found = [(await asked.catch((error) => error)).code, await refusal(asked)];
  assert.equal(found, ['excluded', { status: 409, detail }]);
  await set({ exclusion: null }, sue);
  await limit('deposit', '150');
  await depositByKey();
  const over = depositByKey();
  assert.equal((await over.catch((error) => error)).code, 'over_limit');
  assert.is((await refusal(over)).detail, 'Over the limit that the player has set for a day: $50.00 left');
});

/** The hold on payouts, and how often the bell rang for a protected player. */
async function heldAndRung() {
  await look();
  const rung = (await ann.listNotifications()).filter(({ kind }) => kind === 'protected_player');
  return { hold: (await ann.getPlayer({ id: player.id })).hold?.note ?? null, rung: rung.length };
}
const release = () => ann.holdPayouts({ id: player.id, body: { is_held: false } });

test('money that arrives is booked, marked, held once, and rings the bell; staff release it', async () => {
  await set({ exclusion: { until: null } });
  assert.is(await heard('payment.succeeded'), 'applied');
  const { player: now, hold } = await ann.getPlayer({ id: player.id });
  const shown = [now.credit_balance, hold?.by, hold?.note];
  assert.equal(shown, [5100, 'the server', 'A payment arrived while the player was on a break']);
  const [row] = await ann.listPurchases({ transaction_type: 'TOP_UP', text: email });
  assert.equal([row?.attention, row?.status], ['excluded', 'success']);
  assert.is((await heldAndRung()).rung, 1);
  const [bell] = (await ann.listNotifications()).filter(({ kind }) => kind === 'protected_player');
  assert.is(bell?.user_email, email);
  const { entries } = await sue.getAudit({ tenant_id: 2, kind: 'purchase' });
  assert.is(entries[0]?.after?.['attention'], 'excluded');
  assert.equal(await release(), { hold: null });
});

test('a payment of a processor holds nothing and rings no bell before it is paid', async () => {
  await limit('purchase', '99.99');
  assert.is(await heard('payment.failed'), 'applied');
  assert.is(await heard('payment.pending', 'fails'), 'applied');
  assert.is(await heard('payment.failed', 'fails'), 'applied');
  assert.is(await heard('payment.pending', 'waits'), 'applied');
  assert.equal(await heldAndRung(), { hold: null, rung: 0 });
  assert.is(await heard('payment.succeeded', 'waits'), 'applied');
  assert.equal(await heldAndRung(), { hold: "A payment arrived over the player's own limit", rung: 1 });
});

test('a purchase that was marked and held when it was made is held again when it is paid', async () => {
  await set({ exclusion: { until: null } });
  const { id } = await shop.pushTopUp({ body: { ...pushed(), payment_method: 'card', has_arrived: true } });
  const held = { hold: 'A payment arrived while the player was on a break', rung: 1 };
  assert.equal(await heldAndRung(), held);
  await release();
  await set({ exclusion: null }, sue);
  await ann.changePurchaseStatus({ id, body: paid });
  assert.equal(await heldAndRung(), held);
});

test('the delivery of a marked payment is final, says that payouts were held, and is no failure', async () => {
  await set({ exclusion: { until: null } });
  const sent = event('payment.succeeded');
  const detail = 'A payment arrived while the player was on a break. Payouts were held';
  for (const again of ['first', 'again'])
    assert.equal((await deliver(path, secret, sent)).body, { outcome: 'applied', detail }, again);
  const [shown] = (await sue.getWebhook({ tenant_id: 2, platform: 'apex' })).deliveries;
  assert.equal([shown?.outcome, shown?.detail, shown?.attempts], ['applied', detail, 2]);
  for (let more = 0; more < 3; more++) await heard('payment.succeeded'); // as many as the alarm asks for
  await heldAndRung();
  const rung = (await ann.listNotifications()).map(({ kind }) => kind);
  assert.equal([rung.includes('protected_player'), rung.includes('provider_failing')], [true, false]);
});

test('a purchase from before the break is marked when it is paid, by a processor and by staff', async () => {
  assert.is(await heard('payment.pending', 'both'), 'applied');
  const other = await topUp(player, '20');
  await set({ exclusion: { until: null } });
  assert.is(await heard('payment.succeeded', 'both'), 'applied');
  await ann.changePurchaseStatus({ id: other, body: { status: 'success' } });
  const marked = await sql`select 1 from transactions where attention = 'excluded'`;
  assert.is(marked.length, 2);
});

test('a break ends with its last day, and is only made longer, but for a super admin', async () => {
  const zone = 'Pacific/Auckland';
  await setZone(2, zone);
  const today = todayIn(zone);
  await isRefused(set({ exclusion: { until: addDays(today, -1) } }), 422);
  const { exclusion } = await set({ exclusion: { until: today } });
  assert.equal([exclusion?.until, exclusion?.by], [today, people.ann.email]);
  const longer = (await set({ exclusion: { until: addDays(today, 2) } })).exclusion;
  assert.equal([longer?.until, longer?.since], [addDays(today, 2), exclusion?.since]);
  const longerOnly = 'A break can only be made longer. A super admin can correct a mistake';
  for (const wish of [null, { until: today }]) await isRefused(set({ exclusion: wish }), 409, longerOnly);
  assert.is((await set({ exclusion: { until: today } }, sue)).exclusion?.until, today);
  await sql`update player_exclusions set until = until - 1`;
  assert.is((await ann.getProtection({ id: player.id })).exclusion, null);
  assert.is(await outcome(depositByKey), 'taken');
});

test('a cut counts at once; a raise after 24 hours to the second, also when it is sent again', async () => {
  await limit('deposit', '150');
  const { limits } = await limit('deposit', '500');
  assert.equal([limits[0]?.amount, limits[0]?.next_amount], [150, 500]);
  const [left] = await sql`select next_at = since + interval '24 hours' as is_exact from player_limits`;
  assert.is(left?.['is_exact'], true);
  assert.is((await limit('deposit', '500')).limits[0]?.next_at, limits[0]?.next_at);
  await deposit(player, 'credit', '150');
  await sql`update player_limits set next_at = now() + interval '1 second'`;
  assert.is(await outcome(depositByKey), 'refused');
  await sql`update player_limits set next_at = now()`;
  assert.is(await outcome(depositByKey), 'taken');
  const cut = await limit('deposit', '10');
  assert.equal([cut.limits[0]?.amount, cut.limits[0]?.next_at, cut.limits[0]?.used], [10, null, 250]);
  const gone = (await limit('deposit', null)).limits[0];
  assert.equal([gone?.amount, gone?.next_amount], [10, null], 'no limit is a raise, too');
  assert.ok(gone?.next_at);
  assert.is((await limit('deposit', '10')).limits[0]?.next_at, null, 'the wish is taken back');
});

/** Whether 100 more is over a limit of 150 at one moment, after 100 at another, by wall clock in Berlin. */
async function isOver(span: 'day' | 'week' | 'month', before: string, at: string): Promise<boolean> {
  await sql`delete from player_limits`;
  await sql`delete from transactions where player_id = ${player.id}`;
  await limit('deposit', '150', span);
  await sql`
    insert into transactions (tenant_id, id, player_id, transaction_type, status, amount, payment_metadata,
      initiated_at, completed_at)
    values (2, nextval('money_ids'), ${player.id}, 'DEPOSIT', 'success', 100, '{"type":"CREDIT"}',
      ${before}::timestamp at time zone 'Europe/Berlin', now())`;
  const owner = { tenant_id: 2, player_id: player.id, amount: '100' };
  const found = await findObstacle(sql, owner, 'deposit', sql`(${at}::timestamp at time zone 'Europe/Berlin')`);
  await sql`delete from transactions where player_id = ${player.id}`;
  return found !== null;
}

test('days, weeks from Sunday on and months are those of the tenant, also when clocks are changed', async () => {
  await setZone(2, 'Europe/Berlin');
  for (const [span, before, at, over] of [
    ['day', '2026-03-29 00:00', '2026-03-29 23:59:59', true], // 23 hours long
    ['day', '2026-03-28 23:59:59', '2026-03-29 00:00', false],
    ['day', '2026-10-25 00:00', '2026-10-25 23:59:59', true], // 25 hours long
    ['day', '2026-10-25 23:59:59', '2026-10-26 00:00', false],
    ['week', '2026-03-29 00:00', '2026-04-04 23:59:59', true],
    ['week', '2026-03-28 23:59:59', '2026-03-29 00:00', false],
    ['month', '2026-10-01 00:00', '2026-10-31 23:59:59', true],
    ['month', '2026-10-31 23:59:59', '2026-11-01 00:00', false],
  ] as const)
    assert.is(await isOver(span, before, at), over, `${span} ${before} ${at}`);
  // The hour after a midnight that comes twice, as Berlin has it.
  await setZone(2, 'America/Havana');
  assert.is(await isOver('day', '2026-11-01 05:30', '2026-11-01 18:00'), true, 'after the first midnight');
  assert.is(await isOver('day', '2026-11-01 04:59', '2026-11-01 18:00'), false, 'before it');
  assert.is(await isOver('day', '2026-11-01 05:30', '2026-10-31 18:00'), false, 'and not in the day before');
  await setZone(2, 'America/New_York');
  assert.is(await isOver('day', '2026-06-02 05:59', '2026-06-02 23:00'), false, 'the day before, over there');
});

test('failed money counts no more', async () => {
  await limit('deposit', '100');
  const id = await deposit(player, 'credit', '100');
  assert.is(await outcome(depositByKey), 'refused');
  await ann.changePurchaseStatus({ id, body: { status: 'failed' } });
  assert.is(await outcome(depositByKey), 'taken');
});

test('of many at once no more are taken than the limit has room for', async () => {
  await limit('deposit', '20', 'week');
  const tries = Array.from({ length: 20 }, () => deposit(player, 'credit', '10'));
  const results = await Promise.allSettled(tries);
  const codes = results.map((one) => (one.status === 'rejected' ? one.reason.code : 'taken'));
  assert.equal(codes.sort(), [...Array(18).fill('over_limit'), 'taken', 'taken']);
});

test("a key sets it as staff do and is named; it is forgotten with the player, another tenant's is none", async () => {
  const { exclusion, limits } = await shop.pushProtection({
    body: { email, exclusion: { until: null }, limits: [{ money: 'purchase', span: 'week', amount: '20' }] },
  });
  assert.equal([exclusion?.by, limits[0]?.by], ['Shop', 'Shop']);
  assert.equal(await ann.getProtection({ id: player.id }), { exclusion, limits, linked: [] });
  await isRefused(ben.getProtection({ id: player.id }), 404);
  await isRefused(set({ limits: [] }, ben), 404);
  await ann.deletePlayer({ id: player.id });
  for (const table of ['player_exclusions', 'player_limits'])
    assert.equal([...(await sql`select * from ${sql(table)}`)], []);
});

test.run();

/** Players who may be one person: found, dismissed, linked; what a group shares, and what stays after a deletion. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DOUBLES_PAGE, LINKED_MAX } from '../../../src/contract/doubles';
import type { DoublesQuery, ProtectionForm } from '../../../src/contract/entities';
import { createDeposit } from '../../../src/server/ledger/create';
import { leaveGroup } from '../../../src/server/ledger/playerLinks';
import { findObstacle } from '../../../src/server/ledger/protection';
import { booksAddUp, isRefused, lines, pluck, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, sue } from '../../callers';
import { addPlayer, deposit, redeem, topUp } from '../../seed';
import { db, pat, reset, sql, whileHeld } from '../../world';
import { catchError } from '../catchError';
import { countStatements } from '../queries/collectPlans';

type Made = Awaited<ReturnType<typeof addPlayer>>;
let one: Made, two: Made, three: Made;

test.before.each(async () => {
  await reset();
  [one, two, three] = [await make('one'), await make('two'), await make('three')];
});
test.after.each(booksAddUp);

const make = (name: string) => addPlayer(2, { email: `${name}@mail.test`, credit: '1000' });
const know = (who: Made, phone: string | null, first: string, last: string, born: string | null) =>
  Promise.all([
    ann.updatePlayer({ id: who.id, body: { phone_number: phone, first_name: first, last_name: last } }),
    born && ann.saveEligibility({ id: who.id, body: { birth_date: born } }),
  ]);
const paysTo = (who: Made, address: string) =>
  sql`update redeems set payout_address = ${address} where player_id = ${who.id}`;
const found = async (query: DoublesQuery = {}, api = ann) =>
  (await api.getPossibleDoubles(query)).pairs.map(({ player, other, alike, is_linked }) => {
    const names = [player, other].map(({ email }) => email.split('@')[0]);
    return [...names, ...alike, ...(is_linked ? ['linked'] : [])].join(' ');
  });
const link = (a: Made, b: Made, api = ann) => api.linkPlayers({ id: a.id, body: { player_id: b.id } });
const dismiss = (a: Made, b: Made) => ann.dismissPair({ id: a.id, body: { player_id: b.id } });
const linkedWith = async (who: Made) => (await ann.getProtection({ id: who.id })).linked.map(({ id }) => id);
const set = (who: Made, body: ProtectionForm, api = ann) => api.saveProtection({ id: who.id, body });
const limit = (who: Made, amount: string | null) => set(who, { limits: [{ money: 'deposit', span: 'day', amount }] });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: { code?: string }) => error.code ?? String(error),
  );
const wordsOf = async (work: Promise<unknown>) => (await catchError(work)).message;
const lastAudited = async () => (await readAuditLog()).at(-1)?.after;

test('what is written differently is found: phone, name with birth date, payout address', async () => {
  await know(one, '+1 (555) 010-7777', 'Jo-Ann', 'Müller', '1990-02-28');
  await know(two, '555 0107777', 'Some', 'Other', '1990-02-28');
  await know(three, '99', 'jo ann', 'MULLER', '1990-02-28');
  assert.equal(await found(), ['three one name_and_birth_date', 'two one phone']);
  await know(three, '99', 'jo ann', 'MULLER', '1990-02-27');
  for (const who of [two, three]) await redeem(who, '10');
  await paysTo(two, '  $Same ');
  await paysTo(three, '$same');
  assert.equal(await found(), ['three two payout_address', 'two one phone']);
});

test('few digits, blank addresses, missing names or dates, the deleted and other tenants are no doubles', async () => {
  await know(one, '12 34 56', '', 'Poe', '1990-02-28');
  await know(two, '123456', '', 'Poe', '1990-02-28');
  for (const who of [one, two]) {
    await redeem(who, '10', 'failed');
    await paysTo(who, ' ');
  }
  await know(three, '5550109999', 'A', 'B', null);
  const gone = await addPlayer(2, { email: 'gone@mail.test' });
  await know(gone, '5550109999', 'A', 'B', null);
  await ann.deletePlayer({ id: gone.id });
  await sql`update players set phone_number = '5550109999' where id = ${pat.id}`;
  assert.equal(await found(), []);
  assert.equal(await found({ tenant_id: 3 }, sue), []);
});

test("a name of signs alone is nobody's", async () => {
  await know(one, '5550107777', '-', '.', '1990-02-28');
  await know(two, '5550107777', '.', "'", '1990-02-28');
  await know(three, '5550108888', '-', '-', '1990-02-28');
  assert.equal(await found(), ['two one phone']);
});

test('what is dismissed is not named again, the next older one is; linking takes it back', async () => {
  for (const who of [one, two, three]) await know(who, '5550107777', 'A', 'B', null);
  assert.equal(await found(), ['three two phone', 'two one phone']);
  await dismiss(two, three);
  assert.equal(await found(), ['three one phone', 'two one phone']);
  const [kept] = await sql`select lower_id, higher_id, admin_id from dismissed_pairs`;
  assert.equal({ ...kept }, { lower_id: two.id, higher_id: three.id, admin_id: 2 });
  await dismiss(three, two);
  await link(three, two);
  assert.equal(await found(), ['three two phone linked', 'two one phone']);
});

test('a page is full or has looked at all; the next one goes on without a gap', async () => {
  await sql`
    with made as (
      insert into players (tenant_id, email, phone_number)
      select 2, 'more' || n || '@mail.test', '5550107777' from generate_series(1, ${DOUBLES_PAGE + 20}) n returning id
    )
    insert into wallets (tenant_id, player_id) select 2, id from made`;
  const first = await ann.getPossibleDoubles({});
  assert.is(first.pairs.length, DOUBLES_PAGE);
  assert.is(first.next_cursor, first.pairs.at(-1)?.player.id);
  assert.ok(first.looked_to);
  const rest = await ann.getPossibleDoubles({ cursor: first.next_cursor ?? 0 });
  assert.equal([rest.pairs.length, rest.next_cursor], [19, null]);
  assert.is(rest.pairs[0]?.player.id, first.pairs.at(-1)?.other.id);
  await isRefused(sue.getPossibleDoubles({}), 422);
});

test('a group is headed by its lowest id, grows, and ends with its last pair', async () => {
  await link(three, two);
  assert.equal(pluck((await link(two, one)).linked, 'email'), [one.email, three.email]);
  assert.equal([...new Set(pluck(await sql`select head_id from player_links`, 'head_id'))], [one.id]);
  assert.equal(await linkedWith(three), [one.id, two.id]);
  await ann.unlinkPlayer({ id: one.id });
  assert.equal([await linkedWith(one), await linkedWith(two), await linkedWith(three)], [[], [three.id], [two.id]]);
  await ann.unlinkPlayer({ id: three.id });
  assert.equal([...(await sql`select * from player_links`)], []);
  await ann.unlinkPlayer({ id: three.id });
});

test('a player is no double of themselves, of nobody, or of another tenant; a group has a bound', async () => {
  for (const call of ['linkPlayers', 'dismissPair'] as const)
    for (const [by, id, player_id, status] of [
      [ann, one.id, one.id, 422],
      [ann, one.id, 999_999, 404],
      [ann, one.id, pat.id, 404],
      [ann, pat.id, one.id, 404],
      [sue, one.id, pat.id, 404],
    ] as const)
      await isRefused(by[call]({ id, body: { player_id } }), status);
  for (let n = 1; n < LINKED_MAX; n++) await link(one, await make(`more${n}`));
  await isRefused(link(one, two), 409, `At most ${LINKED_MAX} users can be linked`);
});

test('a break of one stops all, and says so; another of the group is not named', async () => {
  await link(one, two);
  await set(one, { exclusion: { until: null } });
  assert.is(await codeOf(deposit(two, 'credit', '10')), 'excluded');
  assert.is(await codeOf(redeem(two, '10')), 'excluded');
  assert.is(await wordsOf(topUp(two, '10')), 'A player linked with this one is on a break for good');
  assert.is(await codeOf(deposit(three, 'credit', '10')), 'taken');
  const { exclusion, linked } = await ann.getProtection({ id: two.id });
  assert.equal([exclusion, linked], [null, [{ id: one.id, email: one.email, is_on_break: true }]]);
});

test('a purchase of before is marked when it is paid after a linked one has taken a break', async () => {
  await link(one, two);
  const id = await topUp(two, '10');
  await set(one, { exclusion: { until: null } });
  await ann.changePurchaseStatus({ id, body: { status: 'success' } });
  const [row] = await sql`select attention from transactions where id = ${id}`;
  assert.is(row?.['attention'], 'excluded');
  assert.ok((await ann.getPlayer({ id: two.id })).hold);
});

test('what all have used counts against each limit, and the tightest one holds', async () => {
  await limit(one, '100');
  await limit(two, '50');
  await deposit(one, 'credit', '40');
  assert.is(await codeOf(deposit(two, 'credit', '50')), 'taken', 'not linked yet');
  await link(one, two);
  for (const { id } of [one, two]) assert.is((await ann.getProtection({ id })).limits[0]?.used, 90);
  const words = 'Over the limit that the player, or a linked one, has set for a day: $0.00 left';
  assert.is(await wordsOf(deposit(one, 'credit', '5')), words);
  await sue.unlinkPlayer({ id: two.id });
  assert.is(await codeOf(deposit(one, 'credit', '60')), 'taken', 'as alone');
});

test('while a break or a limit counts only a super admin unlinks', async () => {
  await link(one, two);
  await limit(one, '100');
  const words = 'A break or limit counts for all who are linked. A super admin can unlink them';
  for (const { id } of [one, two]) await isRefused(ann.unlinkPlayer({ id }), 409, words);
  assert.equal(await linkedWith(one), [two.id]);
  await sue.unlinkPlayer({ id: two.id });
  assert.equal(await linkedWith(one), []);
});

test('a limit stands against unlinking until its removal is due', async () => {
  await link(one, two);
  await limit(one, '100');
  await limit(one, null);
  await isRefused(ann.unlinkPlayer({ id: one.id }), 409);
  await sql`update player_limits set next_at = now() - interval '1 minute'`;
  await ann.unlinkPlayer({ id: one.id });
  assert.equal(await linkedWith(one), []);
});

test('a deleted player leaves the break and the limits to the group, which gets another head', async () => {
  await link(one, two);
  await link(two, three);
  await dismiss(one, await make('other'));
  await set(one, { exclusion: { until: null } });
  await limit(one, '30');
  await limit(two, '50');
  await sue.deletePlayer({ id: one.id });
  assert.equal(await lastAudited(), { deleted: true, handed_over_to: two.id });
  const heads = await sql`select player_id, head_id from player_links order by player_id`;
  assert.equal(lines(heads, 'player_id', 'head_id'), [`${two.id} ${two.id}`, `${three.id} ${two.id}`]);
  assert.equal([...(await sql`select * from dismissed_pairs`)], []);
  assert.is(await codeOf(deposit(three, 'credit', '10')), 'excluded');
  const { exclusion, limits } = await ann.getProtection({ id: two.id });
  assert.equal([exclusion?.until, limits[0]?.amount], [null, 30]);
  await sue.deletePlayer({ id: two.id });
  assert.equal([...(await sql`select * from player_links`)], []);
  assert.is((await ann.getProtection({ id: three.id })).exclusion?.until, null);
});

test('what is handed over is what counts now, and a raise that waits comes when both have waited', async () => {
  const DAY = 86_400_000;
  type Row = [who: Made, money: string, span: string, amount: number, next: number | null, days: number | null];
  const rows: Row[] = [
    [one, 'purchase', 'day', 30, 100, -1],
    [one, 'purchase', 'week', 30, null, -1],
    [one, 'purchase', 'month', 50, null, null],
    [two, 'purchase', 'month', 20, 80, -1],
    [one, 'deposit', 'day', 30, 100, 1],
    [two, 'deposit', 'day', 50, null, null],
    [one, 'deposit', 'week', 30, null, 2],
    [two, 'deposit', 'week', 40, 60, 1],
    [one, 'deposit', 'month', 70, 90, 1],
  ];
  for (const [who, money, span, amount, next_amount, days] of rows) {
    const next_at = days && new Date(Date.now() + days * DAY);
    const limits = { player_id: who.id, money, span, amount, next_amount, next_at };
    await sql`insert into player_limits ${sql({ tenant_id: 2, ...limits, admin_id: 2 })}`;
  }
  await link(one, two);
  await sue.deletePlayer({ id: one.id });
  const { limits } = await ann.getProtection({ id: two.id });
  const inDays = (at: string | null) => at && Math.round((Date.parse(at) - Date.now()) / DAY);
  const kept = limits.map((one) => ({ ...one, next_at: inDays(one.next_at) }));
  assert.equal(table(kept, 'money', 'span', 'amount', 'next_amount', 'next_at'), [
    ['purchase', 'day', 100, null, null],
    ['purchase', 'month', 50, null, null],
    ['deposit', 'day', 30, 50, 1],
    ['deposit', 'week', 30, 60, 2],
    ['deposit', 'month', 70, 90, 1],
  ]);
});

test('a break that is over and a limit that was removed are handed over to nobody', async () => {
  await link(one, two);
  await limit(one, '100');
  await limit(one, null);
  await sql`update player_limits set next_at = now() - interval '1 minute'`;
  await sql`
    insert into player_exclusions (tenant_id, player_id, until, admin_id) values (2, ${one.id}, '2020-01-01', 2)`;
  await sue.deletePlayer({ id: one.id });
  assert.equal(await lastAudited(), { deleted: true });
  assert.equal([...(await sql`select player_id from player_exclusions union all select 1 from player_limits`)], []);
});

test('a link that ends while a deposit waits for the group leaves the own limit in force', async () => {
  await limit(one, '50');
  await link(one, two);
  const waiting = await whileHeld(
    (tx) => leaveGroup(tx, { tenant_id: 2, player_id: two.id }),
    () => wordsOf(deposit(one, 'credit', '60')),
  );
  assert.is(waiting, 'Over the limit that the player has set for a day: $50.00 left');
});

test('a purchase waits for one that a linked player is making, and then counts it', async () => {
  await limit(one, '50');
  await link(one, two);
  const deposits = { kind: 'credit', platform: 'vblink' } as const;
  const second = await whileHeld(
    (tx) => createDeposit(tx, { tenant_id: 2, player_id: one.id, amount: '50', ...deposits }),
    () => codeOf(deposit(two, 'credit', '10')),
  );
  assert.is(second, 'over_limit');
});

test('while two are being linked, neither passes the limit of the other', async () => {
  await limit(one, '10');
  const linking = link(one, two);
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(deposit(one, 'credit', '10'))));
  await linking;
  assert.is(codes.filter((code) => code === 'taken').length, 1);
  assert.is(await codeOf(deposit(two, 'credit', '10')), 'over_limit');
});

test('for a player without a link the checks are as many statements as before', async () => {
  const owned = ({ id }: Made) => ({ tenant_id: 2, player_id: id, amount: '1' });
  const count = (who: Made) => db.tx((tx) => countStatements(() => findObstacle(tx, owned(who), 'deposit', tx`now()`)));
  await link(two, three);
  assert.equal([await count(one), await count(two)], [2, 6]);
});

test.run();

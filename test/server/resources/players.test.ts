import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { checkPassword } from '../../../src/server/auth/passwords';
import { booksAddUp, isRefused, lines, pluck, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { countLockWaits, db, pam, pat, people, reset, send, sql, tokenOf } from '../../world';
import { catchError } from '../catchError';

const form = {
  ...{ email: 'zoe@mail.test', password: 'her own', first_name: 'Zoë', last_name: '', phone_number: null },
  affiliate_id: 'AFF2',
};
const settleAll = async () => {
  for (const id of [pam.redeem, pat.redeem]) await sue.changeRedeemStatus({ id, body: { status: 'success' } });
  for (const id of [pam.purchase, pat.purchase]) await sue.changePurchaseStatus({ id, body: { status: 'success' } });
};
const readPassword = async (id: number) =>
  (await sql<{ password_hash: string | null }[]>`select password_hash from players where id = ${id}`)[0]!.password_hash;

test.before.each(reset);
test.after.each(booksAddUp);

test('a new player has a wallet with nothing in it, and is in the list', async () => {
  const made = await ann.createPlayer({ body: { ...form, tenant_id: 2 } });
  assert.equal(made, {
    ...{ id: 3, tenant_id: 2, email: 'zoe@mail.test', first_name: 'Zoë', last_name: null, phone_number: null },
    ...{ referral_id: null, affiliate_id: 'AFF2', is_active: true, individual_ggr: 0 },
    ...{ credit_balance: 0, bonus_balance: 0, vip_balance: 0, loyalty_balance: 0 },
  });
  assert.equal((await ann.listPlayers()).users[0], made);
});

test('a password is stored as a hash only', async () => {
  const { id } = await ann.createPlayer({ body: { ...form, tenant_id: 2 } });
  assert.is(await checkPassword('her own', await readPassword(id)), true);
});

test('an e-mail belongs to one player of a tenant, and may be used again in another', async () => {
  const words = 'A user with this email already exists';
  await isRefused(ann.createPlayer({ body: { ...form, email: ' PAM@mail.test', tenant_id: 2 } }), 409, words);
  assert.is((await ann.createPlayer({ body: { ...form, email: pat.email, tenant_id: 2 } })).email, pat.email);
  await isRefused(ann.updatePlayer({ id: pam.id, body: { email: pat.email } }), 409);
});

test('e-mail and password are required of a new player', async () => {
  const token = await tokenOf('ann');
  const wrong = [{ email: '' }, { email: 'zoe' }, { password: '' }, { password: undefined }];
  for (const body of [...wrong, { first_name: 'x'.repeat(101) }])
    assert.is((await send('POST', '/api/v1/users', { token, body: { ...form, ...body } })).status, 422);
});

// ---- the e-mail of an admin, who redeems from the balance of the player that has it

const NEEDS_PAYOUTS = 'You need the permission Payouts to give a player the email of an admin';
const staff = 'Ann@ACME.test';
/** Each way to give a player an e-mail, by Ann, whose permissions are set before each. */
async function waysToGive() {
  const key = withKey((await newKey('ann', ['players:write'])).key);
  await key.pushPlayer({ body: { email: 'known@mail.test', external_id: 'known' } });
  const bring = async (email: string) => {
    const body = { tenant_id: 2, kind: 'players' as const, header: 'email', rows: email, first_line: 2 };
    for (const call of [ann.checkImport, ann.importRows]) {
      const { created, rejects } = await call({ body });
      if (!created) throw new Error(`${rejects[0]?.column}: ${rejects[0]?.reason}`);
    }
  };
  const ways: Record<string, (email: string) => Promise<unknown>> = {
    create: (email) => ann.createPlayer({ body: { ...form, email, tenant_id: 2 } }),
    edit: (email) => ann.updatePlayer({ id: pam.id, body: { email } }),
    'create by key': (email) => key.pushPlayer({ body: { email } }),
    'edit by key': (email) => key.pushPlayer({ body: { email, external_id: 'known' } }),
    file: bring,
  };
  return Object.entries(ways);
}
const hold = (held: string[]) => sql`update admins set permissions = ${held} where id = ${people.ann.id}`;
const emails = async () => pluck(await sql`select email from players where tenant_id = 2 order by id`, 'email');

test('giving a player the e-mail of an admin of the tenant needs the permission Payouts, by every way', async () => {
  const ways = await waysToGive();
  await hold(['support', 'import', 'queue', 'money', 'export', 'settings', 'team']);
  const before = await emails();
  for (const [name, give] of ways) {
    const told = (await catchError(give(staff))).message;
    assert.is(told, name === 'file' ? `email: ${NEEDS_PAYOUTS}` : NEEDS_PAYOUTS, name);
  }
  assert.equal(await emails(), before);
  const body = { email: people.ann.email };
  const response = await send('PUT', `/api/v1/users/${pam.id}`, { token: await tokenOf('ann'), body });
  assert.equal([response.status, (await response.json()).code], [403, 'missing_permission']);
  // Of nobody's, of an admin elsewhere and of another role it is an e-mail like any other.
  const others = ['zoe@mail.test', people.ben.email, people.oli.email];
  for (const email of others) await ann.updatePlayer({ id: pam.id, body: { email } });
});

test('with the permission Payouts, or as a super admin, one gives it by every way', async () => {
  for (const [name, give] of await waysToGive()) {
    await give(people.ann.email);
    const other = `${name.replaceAll(/\W/g, '-')}@mail.test`;
    await sql`update players set email = ${other} where email = ${people.ann.email}`;
    assert.not((await emails()).includes(people.ann.email), name);
  }
  await sue.updatePlayer({ id: pam.id, body: { email: people.ann.email } });
  await hold(['support']);
  const { first_name } = await ann.updatePlayer({ id: pam.id, body: { email: people.ann.email, first_name: 'P' } });
  assert.is(first_name, 'P', 'who has it already may be edited');
});

test('an update changes what it says, clears what it blanks and keeps what it leaves out', async () => {
  const body = { email: 'pam.poe@mail.test', first_name: 'Pamela', phone_number: '' };
  const row = await ann.updatePlayer({ id: pam.id, body });
  assert.equal([row.email, row.first_name, row.phone_number], ['pam.poe@mail.test', 'Pamela', null]);
  assert.equal([row.last_name, row.affiliate_id, row.credit_balance], ['Poe', 'AFF1', 350]);
});

test('an update never reactivates anyone by itself', async () => {
  assert.is((await ann.updatePlayer({ id: pam.id, body: { email: pam.email, is_active: false } })).is_active, false);
  assert.is((await ann.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: 'P' } })).is_active, false);
  assert.is((await ann.updatePlayer({ id: pam.id, body: { email: pam.email, is_active: true } })).is_active, true);
});

test('a blank or missing password keeps the current one', async () => {
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email, password: 'first' } });
  const hash = await readPassword(pam.id);
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email, password: '' } });
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email } });
  assert.is(await readPassword(pam.id), hash);
});

test('a player with something pending cannot be deleted', async () => {
  await isRefused(ann.deletePlayer({ id: pam.id }), 409);
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  await isRefused(ann.deletePlayer({ id: pam.id }), 409);
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'failed' } });
  assert.equal(await ann.deletePlayer({ id: pam.id }), { ok: true });
});

test('a deleted player leaves every list, and the e-mail is free again', async () => {
  await settleAll();
  await ann.deletePlayer({ id: pam.id });
  assert.equal((await ann.listPlayers()).users, []);
  assert.equal(await ann.searchPlayers({ email: 'pam' }), []);
  assert.equal(await ann.listNewPlayersToday(), []);
  await isRefused(ann.deletePlayer({ id: pam.id }), 404);
  assert.is((await ann.createPlayer({ body: { ...form, email: pam.email, tenant_id: 2 } })).email, pam.email);
});

test('deleting leaves every figure', async () => {
  await settleAll();
  const today = new Date().toISOString().slice(0, 10);
  const figures = async () => {
    // The first two count a list of people.
    const { new_signups_today: _, first_purchase_today: __, ...money } = await ann.getDashboardMetrics();
    return [
      money,
      (await ann.getAffiliateStats({ affiliate_id: 'aff1', start_date: today, end_date: today })).total_ggr,
      await sql`select amount, from_account, to_account from transfers order by id`,
    ];
  };
  const before = JSON.stringify(await figures());
  await ann.deletePlayer({ id: pam.id });
  assert.is(JSON.stringify(await figures()), before);
  const [row] = await sql`select email from players where id = ${pam.id}`;
  assert.is(row!['email'], `deleted-${pam.id}@deleted.invalid`);
  assert.equal(table(await ann.listRedeems(), 'user_email', 'amount'), [[row!['email'], 150]]);
});

test('each balance is added to or removed from by its operation, adding unless told', async () => {
  const adjust = async (body: Parameters<Api['adjustBalances']>[0]['body']) =>
    lines([await ann.adjustBalances({ id: pam.id, body })], ...balances)[0];
  const balances = ['credit_balance', 'bonus_balance', 'vip_balance', 'loyalty_balance'] as const;
  assert.is(await adjust({ credit: 10.5, bonus: '7.25', bonus_op: 'add', vip: 3, loyalty: 2 }), '360.5 7.25 3 2');
  assert.is(await adjust({ credit: 0.5, credit_op: 'remove', bonus: 7.25, bonus_op: 'remove' }), '360 0 3 2');
});

test('the history has purchases, deposits, redeems and changes by hand, the newest first, no id twice', async () => {
  await ann.adjustBalances({ id: pam.id, body: { bonus: 20 } });
  await ann.adjustBalances({ id: pam.id, body: { bonus: 5, bonus_op: 'remove' } });
  const history = await ann.listPlayerTransactions({ id: pam.id });
  assert.equal(lines(history.slice(0, 2), 'transaction_type', 'amount', 'description', 'status'), [
    'ADJUSTMENT -5 Removed from bonus success',
    'ADJUSTMENT 20 Added to bonus success',
  ]);
  const rest = lines(history.slice(2), 'transaction_type', 'amount', 'status').sort();
  assert.equal(rest, ['ADJUSTMENT 500 success', 'TOP_UP 80 pending', 'WITHDRAWAL 150 pending']);
  assert.is(new Set(pluck(history, 'id')).size, history.length);
});

test('a redeem in the history says how and where it is paid, a purchase its method and reference', async () => {
  const lines = await ann.listPlayerTransactions({ id: pam.id });
  const of = (type: string) => lines.find(({ transaction_type }) => transaction_type === type)!;
  assert.equal([of('WITHDRAWAL').payment_method, of('WITHDRAWAL').payment_reference], ['Cash Tag', '$tag']);
  assert.equal([of('TOP_UP').payment_method, of('TOP_UP').payment_reference], ['card', `ref-${pam.id}`]);
});

test('a history is limited, to 100 lines unless told', async () => {
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, completed_at)
    select 2, ${pam.id}, 'TOP_UP', 1, 'failed', now() from generate_series(1, 120)`;
  assert.is((await ann.listPlayerTransactions({ id: pam.id })).length, 100);
  assert.is((await ann.listPlayerTransactions({ id: pam.id, limit: 7 })).length, 7);
  assert.is((await ann.listPlayerTransactions({ id: pam.id, limit: 1000 })).length, 123);
});

test('the search starts at two characters, and finds e-mails and names but no phones', async () => {
  assert.equal(await ann.searchPlayers({ email: 'p' }), []);
  assert.equal(await ann.searchPlayers({ email: ' p ' }), []);
  const hit = { id: pam.id, tenant_id: 2, email: pam.email, first_name: 'Pam', last_name: 'Poe', credit_balance: 350 };
  for (const email of ['pa', 'PAM@', 'poe', 'pam poe']) assert.equal(await ann.searchPlayers({ email }), [hit], email);
  assert.equal(await ann.searchPlayers({ email: '555' }), []);
  assert.equal(await ann.searchPlayers({ email: '%%' }), []);
});

test('a search stays in its tenant, and a super admin sees which tenant a hit belongs to', async () => {
  assert.equal(pluck(await ben.searchPlayers({ email: 'mail.test' }), 'id'), [pat.id]);
  const hits = lines(await sue.searchPlayers({ email: 'mail.test' }), 'id', 'tenant_id');
  assert.equal(hits, [`${pam.id} 2`, `${pat.id} 3`]);
});

test('a search shows the exact e-mail first, and at most twenty', async () => {
  await sql`
    with made as (
      insert into players (tenant_id, email)
      select 2, 'a' || n || '-pam@mail.test' from generate_series(1, 30) n
      returning tenant_id, id)
    insert into wallets (tenant_id, player_id) select * from made`;
  const hits = await ann.searchPlayers({ email: 'Pam@mail.test' });
  assert.is(hits.length, 20);
  assert.is(hits[0]!.email, pam.email);
});

test('an edit does not wait for a row of the player that is being added', async () => {
  await db.sql.begin('', async (tx) => {
    await tx`select 1 from players where tenant_id = 2 and id = ${pam.id} for key share`; // as a foreign key does
    const edit = ann.setPlayerActive({ id: pam.id, body: { is_active: false } }).then(() => 'done');
    let found: string | undefined;
    while (!found) found = (await Promise.race([edit, sleep(20)])) ?? ((await countLockWaits()) ? 'waits' : undefined);
    assert.is(found, 'done');
  });
});

test.run();

import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPassword } from '../../../src/server/auth/passwords';
import { verifyLedger } from '../../../src/server/books/verify';
import { newKey, withKey } from '../../integrations';
import {
  as,
  countLockWaits,
  db,
  pam,
  pat,
  people,
  refusal,
  refused,
  reset,
  send,
  sql,
  tokenOf,
  withCookie,
} from '../../world';

const form = {
  email: 'zoe@mail.test',
  password: 'her own',
  first_name: 'Zoë',
  last_name: '',
  phone_number: null,
  affiliate_id: 'AFF2',
};
const settleAll = async () => {
  const sue = await as('sue');
  for (const id of [pam.redeem, pat.redeem]) await sue.changeRedeemStatus({ id, body: { status: 'success' } });
  for (const id of [pam.purchase, pat.purchase]) await sue.changePurchaseStatus({ id, body: { status: 'success' } });
};
const readPassword = async (id: number) =>
  (await sql<{ password_hash: string | null }[]>`select password_hash from players where id = ${id}`)[0]!.password_hash;

test.before.each(reset);
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

// ---- create

test('a new player has a wallet with nothing in it, and is in the list', async () => {
  const ann = await as('ann');
  const made = await ann.createPlayer({ body: { ...form, tenant_id: 2 } });
  assert.equal(made, {
    id: 3,
    email: 'zoe@mail.test',
    first_name: 'Zoë',
    last_name: null,
    phone_number: null,
    referral_id: null,
    affiliate_id: 'AFF2',
    tenant_id: 2,
    is_active: true,
    individual_ggr: 0,
    credit_balance: 0,
    bonus_balance: 0,
    vip_balance: 0,
    loyalty_balance: 0,
  });
  assert.equal((await ann.listPlayers()).users[0], made);
});

test('a password is stored as a hash only', async () => {
  const { id } = await (await as('ann')).createPlayer({ body: { ...form, tenant_id: 2 } });
  assert.is(await checkPassword('her own', await readPassword(id)), true);
});

test('a player cannot be made for another tenant, the platform itself or an unknown one', async () => {
  assert.equal(await refusal((await as('ben')).createPlayer({ body: { ...form, tenant_id: 2 } })), {
    status: 403,
    detail: 'Tenant access violation',
  });
  const sue = await as('sue');
  assert.is(await refused(sue.createPlayer({ body: { ...form, tenant_id: 1 } })), 400);
  assert.is(await refused(sue.createPlayer({ body: { ...form, tenant_id: 99 } })), 404);
  assert.is((await sue.createPlayer({ body: { ...form, tenant_id: 3 } })).tenant_id, 3);
});

test('an e-mail belongs to one player of a tenant, and may be used again in another', async () => {
  const ann = await as('ann');
  assert.equal(await refusal(ann.createPlayer({ body: { ...form, email: ' PAM@mail.test', tenant_id: 2 } })), {
    status: 409,
    detail: 'A user with this email already exists',
  });
  assert.is((await ann.createPlayer({ body: { ...form, email: pat.email, tenant_id: 2 } })).email, pat.email);
  assert.is(await refused(ann.updatePlayer({ id: pam.id, body: { email: pat.email } })), 409);
});

test('e-mail and password are required of a new player', async () => {
  const token = await tokenOf('ann');
  for (const body of [
    { ...form, email: '' },
    { ...form, email: 'zoe' },
    { ...form, password: '' },
    { ...form, password: undefined },
    { ...form, is_active: 'yes' },
    { ...form, first_name: 'x'.repeat(101) },
  ]) {
    assert.is((await send('POST', '/api/v1/users', { token, body: { ...body, tenant_id: 2 } })).status, 422);
  }
});

// ---- the e-mail of an admin, who redeems from the balance of the player that has it

const NEEDS_PAYOUTS = 'You need the permission Payouts to give a player the email of an admin';
const staff = 'Ann@ACME.test';
/** Each way to give a player an e-mail, by Ann, whose permissions are set before each. */
async function waysToGive() {
  const ann = await as('ann'),
    key = withKey((await newKey('ann', ['players:write'])).key);
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
const emails = async () =>
  (await sql<{ email: string }[]>`select email from players where tenant_id = 2 order by id`).map(({ email }) => email);

test('giving a player the e-mail of an admin of the tenant needs the permission Payouts, by every way', async () => {
  const ways = await waysToGive();
  await hold(['support', 'import', 'queue', 'money', 'export', 'settings', 'team']);
  const before = await emails();
  for (const [name, give] of ways) {
    const told = await give(staff).then(
      () => 'given',
      (error: Error & { detail?: string }) => error.detail ?? error.message,
    );
    assert.is(told, name === 'file' ? `email: ${NEEDS_PAYOUTS}` : NEEDS_PAYOUTS, name);
  }
  assert.equal(await emails(), before);
  const response = await send('PUT', `/api/v1/users/${pam.id}`, {
    token: await tokenOf('ann'),
    body: { email: people.ann.email },
  });
  assert.equal([response.status, (await response.json()).code], [403, 'missing_permission']);
  // Of nobody's, of an admin elsewhere and of another role it is an e-mail like any other.
  const others = ['zoe@mail.test', people.ben.email, people.oli.email];
  const ann = await as('ann');
  for (const email of others) await ann.updatePlayer({ id: pam.id, body: { email } });
});

test('with the permission Payouts, or as a super admin, one gives it by every way', async () => {
  for (const [name, give] of await waysToGive()) {
    await give(people.ann.email);
    const other = `${name.replaceAll(/\W/g, '-')}@mail.test`;
    await sql`update players set email = ${other} where email = ${people.ann.email}`;
    assert.not((await emails()).includes(people.ann.email), name);
  }
  await (await as('sue')).updatePlayer({ id: pam.id, body: { email: people.ann.email } });
  await hold(['support']);
  const ann = await as('ann');
  const { first_name } = await ann.updatePlayer({ id: pam.id, body: { email: people.ann.email, first_name: 'P' } });
  assert.is(first_name, 'P', 'who has it already may be edited');
});

// ---- update

test('an update changes what it says, clears what it blanks and keeps what it leaves out', async () => {
  const ann = await as('ann');
  const updated = await ann.updatePlayer({
    id: pam.id,
    body: { email: 'pam.poe@mail.test', first_name: 'Pamela', phone_number: '' },
  });
  assert.equal(
    [updated.email, updated.first_name, updated.last_name, updated.phone_number, updated.affiliate_id],
    ['pam.poe@mail.test', 'Pamela', 'Poe', null, 'AFF1'],
  );
  assert.is(updated.credit_balance, 350);
});

test('an update never reactivates anyone by itself', async () => {
  const ann = await as('ann');
  assert.is((await ann.updatePlayer({ id: pam.id, body: { email: pam.email, is_active: false } })).is_active, false);
  assert.is((await ann.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: 'P' } })).is_active, false);
  assert.is((await ann.updatePlayer({ id: pam.id, body: { email: pam.email, is_active: true } })).is_active, true);
});

test('a blank or missing password keeps the current one', async () => {
  const ann = await as('ann');
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email, password: 'first' } });
  const hash = await readPassword(pam.id);
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email, password: '' } });
  await ann.updatePlayer({ id: pam.id, body: { email: pam.email } });
  assert.is(await readPassword(pam.id), hash);
});

test("another tenant's player cannot be read, changed or deleted: it does not exist [ASVS 8.4.1]", async () => {
  const ben = await as('ben');
  const gone = { status: 404, detail: 'User not found' };
  assert.equal(await refusal(ben.updatePlayer({ id: pam.id, body: { email: 'x@y.test' } })), gone);
  assert.equal(await refusal(ben.deletePlayer({ id: pam.id })), gone);
  assert.equal(await refusal(ben.adjustBalances({ id: pam.id, body: { credit: 1 } })), gone);
  assert.equal(await refusal(ben.listPlayerTransactions({ id: pam.id })), gone);
  assert.equal(await refusal(ben.listPlayerCredentials({ id: pam.id })), gone);
  assert.equal(await refusal(ben.updatePlayer({ id: 99, body: { email: 'x@y.test' } })), gone);
});

// ---- delete

test('a player with something pending cannot be deleted', async () => {
  const ann = await as('ann');
  assert.is(await refused(ann.deletePlayer({ id: pam.id })), 409);
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  assert.is(await refused(ann.deletePlayer({ id: pam.id })), 409);
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'failed' } });
  assert.equal(await ann.deletePlayer({ id: pam.id }), { ok: true });
});

test('a deleted player leaves every list, and the e-mail is free again', async () => {
  await settleAll();
  const ann = await as('ann');
  await ann.deletePlayer({ id: pam.id });
  assert.equal((await ann.listPlayers()).users, []);
  assert.equal(await ann.searchPlayers({ email: 'pam' }), []);
  assert.equal(await ann.listNewPlayersToday(), []);
  assert.is(await refused(ann.deletePlayer({ id: pam.id })), 404);
  assert.is((await ann.createPlayer({ body: { ...form, email: pam.email, tenant_id: 2 } })).email, pam.email);
});

test('deleting takes away who it was and leaves every figure', async () => {
  await settleAll();
  const ann = await as('ann');
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'vblink', 'pam-vb', 'x')`;
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
  const [row] = await sql`select * from players where id = ${pam.id}`;
  const trace = JSON.stringify([row, [...(await sql`select * from player_credentials`)]]);
  for (const word of ['pam@', 'Pam', 'Poe', '555', 'pam-vb']) assert.not.ok(trace.includes(word), word);
  assert.is(row!['email'], `deleted-${pam.id}@deleted.invalid`);
  assert.equal(
    (await ann.listRedeems()).map(({ user_email, amount }) => [user_email, amount]),
    [[row!['email'], 150]],
  );
});

test('a redeem asked for while the player is deleted is either made or refused, never lost', async () => {
  await settleAll();
  await sql`update players set email = ${people.ann.email} where id = ${pam.id}`;
  const [ann, browser] = [await as('ann'), await withCookie('ann')];
  const status = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error: { status: number }) => error.status,
    );
  const [deleted, redeemed] = await Promise.all([
    status(ann.deletePlayer({ id: pam.id })),
    status(browser.submitRedeem({ body: { platform_name: 'vblink', amount: 100 } })),
  ]);
  const [pending] = await sql<
    { count: number }[]
  >`select count(*)::int from redeems where player_id = ${pam.id} and status = 'pending'`;
  assert.ok(
    (deleted === 200 && redeemed !== 200 && pending!.count === 0) ||
      (deleted === 409 && redeemed === 200 && pending!.count === 1),
    `${deleted} ${redeemed} ${pending!.count}`,
  );
});

// ---- balances

test('each balance is added to or removed from by its operation, adding unless told', async () => {
  const ann = await as('ann');
  const added = await ann.adjustBalances({
    id: pam.id,
    body: { credit: 10.5, bonus: '7.25', bonus_op: 'add', vip: 3, loyalty: 2 },
  });
  assert.equal(
    [added.credit_balance, added.bonus_balance, added.vip_balance, added.loyalty_balance],
    [360.5, 7.25, 3, 2],
  );
  const removed = await ann.adjustBalances({
    id: pam.id,
    body: { credit: 0.5, credit_op: 'remove', bonus: 7.25, bonus_op: 'remove' },
  });
  assert.equal([removed.credit_balance, removed.bonus_balance], [360, 0]);
});

test('removing more than there is refuses the whole edit', async () => {
  const ann = await as('ann');
  assert.equal(await refusal(ann.adjustBalances({ id: pam.id, body: { credit: 5, vip: 0.01, vip_op: 'remove' } })), {
    status: 400,
    detail: 'Insufficient vip balance: $0.00 available',
  });
  assert.equal(await refusal(ann.adjustBalances({ id: pam.id, body: { credit: 350.01, credit_op: 'remove' } })), {
    status: 400,
    detail: 'Insufficient credit balance: $350.00 available',
  });
  assert.is((await ann.listPlayers()).users[0]!.credit_balance, 350);
});

test('an amount is above 0 with at most 2 decimals', async () => {
  const token = await tokenOf('ann');
  for (const credit of [
    0,
    -1,
    '0',
    '-1',
    1.005,
    '1.005',
    '1e3',
    1e21,
    'ten',
    '',
    null,
    true,
    [1],
    '１',
    'NaN',
    '100000000000000',
  ]) {
    assert.is(
      (await send('POST', `/api/v1/admin/user/${pam.id}/update-balances`, { token, body: { credit } })).status,
      422,
      String(credit),
    );
  }
  assert.is(
    (
      await send('POST', `/api/v1/admin/user/${pam.id}/update-balances`, {
        token,
        body: { credit: 1, credit_op: 'set' },
      })
    ).status,
    422,
  );
  assert.is(
    (await refusal((await as('ann')).adjustBalances({ id: pam.id, body: { credit: 100000000000 } }))).detail,
    'body.credit: at most 99999999999.99',
  );
});

test('an edit without any amount is 422', async () => {
  assert.equal(await refusal((await as('ann')).adjustBalances({ id: pam.id, body: { credit_op: 'remove' } })), {
    status: 422,
    detail: 'body: at least one of credit, bonus, vip, loyalty is required',
  });
});

// ---- history

test('the history has purchases, deposits, redeems and changes by hand, the newest first, no id twice', async () => {
  const ann = await as('ann');
  await ann.adjustBalances({ id: pam.id, body: { bonus: 20 } });
  await ann.adjustBalances({ id: pam.id, body: { bonus: 5, bonus_op: 'remove' } });
  const lines = await ann.listPlayerTransactions({ id: pam.id });
  assert.equal(
    lines
      .slice(0, 2)
      .map(({ transaction_type, amount, description, status }) => [transaction_type, amount, description, status]),
    [
      ['ADJUSTMENT', -5, 'Removed from bonus', 'success'],
      ['ADJUSTMENT', 20, 'Added to bonus', 'success'],
    ],
  );
  const rest = lines
    .slice(2)
    .map(({ transaction_type, amount, status }) => `${transaction_type} ${amount} ${status}`)
    .sort();
  assert.equal(rest, ['ADJUSTMENT 500 success', 'TOP_UP 80 pending', 'WITHDRAWAL 150 pending']);
  assert.is(new Set(lines.map(({ id }) => id)).size, lines.length);
});

test('a redeem in the history says how and where it is paid, a purchase its method and reference', async () => {
  const lines = await (await as('ann')).listPlayerTransactions({ id: pam.id });
  const of = (type: string) => lines.find(({ transaction_type }) => transaction_type === type)!;
  assert.equal([of('WITHDRAWAL').payment_method, of('WITHDRAWAL').payment_reference], ['Cash Tag', '$tag']);
  assert.equal([of('TOP_UP').payment_method, of('TOP_UP').payment_reference], ['card', `ref-${pam.id}`]);
});

test('a history is limited, to 100 lines unless told', async () => {
  const ann = await as('ann');
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, completed_at)
    select 2, ${pam.id}, 'TOP_UP', 1, 'failed', now() from generate_series(1, 120)`;
  assert.is((await ann.listPlayerTransactions({ id: pam.id })).length, 100);
  assert.is((await ann.listPlayerTransactions({ id: pam.id, limit: 7 })).length, 7);
  assert.is((await ann.listPlayerTransactions({ id: pam.id, limit: 1000 })).length, 123);
  assert.is(await refused(ann.listPlayerTransactions({ id: pam.id, limit: 0 })), 422);
  assert.is(await refused(ann.listPlayerTransactions({ id: pam.id, limit: 1001 })), 422);
});

// ---- the manual redeem's user search

test('the search starts at two characters, and finds e-mails and names but no phones', async () => {
  const ann = await as('ann');
  assert.equal(await ann.searchPlayers({ email: 'p' }), []);
  assert.equal(await ann.searchPlayers({ email: ' p ' }), []);
  const hit = { id: pam.id, tenant_id: 2, email: pam.email, first_name: 'Pam', last_name: 'Poe', credit_balance: 350 };
  for (const email of ['pa', 'PAM@', 'poe', 'pam poe']) assert.equal(await ann.searchPlayers({ email }), [hit], email);
  assert.equal(await ann.searchPlayers({ email: '555' }), []);
  assert.equal(await ann.searchPlayers({ email: '%%' }), []);
});

test('a search stays in its tenant, and a super admin sees which tenant a hit belongs to', async () => {
  assert.equal(
    (await (await as('ben')).searchPlayers({ email: 'mail.test' })).map(({ id }) => id),
    [pat.id],
  );
  assert.equal(
    (await (await as('sue')).searchPlayers({ email: 'mail.test' })).map(({ id, tenant_id }) => [id, tenant_id]),
    [
      [pam.id, 2],
      [pat.id, 3],
    ],
  );
});

test('a search shows the exact e-mail first, and at most twenty', async () => {
  await sql`
    with made as (
      insert into players (tenant_id, email)
      select 2, 'a' || n || '-pam@mail.test' from generate_series(1, 30) n
      returning tenant_id, id)
    insert into wallets (tenant_id, player_id) select * from made`;
  const hits = await (await as('ann')).searchPlayers({ email: 'Pam@mail.test' });
  assert.is(hits.length, 20);
  assert.is(hits[0]!.email, pam.email);
});

test('an edit does not wait for a row of the player that is being added', async () => {
  const ann = await as('ann');
  await db.sql.begin(async (tx) => {
    await tx`select 1 from players where tenant_id = 2 and id = ${pam.id} for key share`; // as a foreign key does
    const edit = ann.setPlayerActive({ id: pam.id, body: { is_active: false } }).then(() => 'done');
    let found: string | undefined;
    while (!found) found = (await Promise.race([edit, sleep(20)])) ?? ((await countLockWaits()) ? 'waits' : undefined);
    assert.is(found, 'done');
  });
});

test.run();

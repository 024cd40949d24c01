/**
 * Code in every text that anybody can type or a payment processor can send: every screen and dialog shows it as text.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/calls';
import { findRunning } from '../../src/server/db/embedded/embedded';
import { openDatabase } from '../../src/server/db/open';
import { createDeposit, createTopUp } from '../../src/server/ledger/create';
import { type Running, run } from '../server/running';
import { newVisit, type Visit } from './harness';
import { chooseTool, settled } from './seen';

const folder = mkdtempSync(join(tmpdir(), 'inert-'));
const EMAIL = 'root@platform.test',
  PASSWORD = 'a password of its own';
/** Becomes an element, and code that runs, wherever text is taken for markup. */
const tag = (n: number | string) => `<img src=x onerror=hit=1 data-inert=${n}>`;
const text = (n: number | string) =>
  `"'><svg/onload=hit=1>${tag(n)}</script><script data-inert>hit=1</script>{{hit=1}}`;
const mail = 'javascript:hit=1//&lt;img&#32;src=x&#32;onerror=hit=1&gt;%3Cb%20data-inert%3E@mail.test';

let server: Running, visit: Visit, player: number;
test.before(async () => {
  server = await run({
    dataDir: join(folder, 'data'),
    entry: resolve('build/server/main.mjs'),
    env: { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error' },
  });
  let token = '';
  const send = async (method: string, path: string, body?: object): Promise<{ id: number; access_token: string }> => {
    const response = await fetch(server.url.replace(/\/$/, '') + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: body ? JSON.stringify(body) : null,
    });
    const answer = await response.json();
    assert.is(response.status, 200, `${method} ${path} ${JSON.stringify(answer)}`);
    return answer;
  };
  token = (await send('POST', calls.login.path, { email: EMAIL, password: PASSWORD })).access_token;
  const { id: tenant_id } = await send('POST', calls.createTenant.path, {
    name: text('tenant'),
    description: text('description'),
  });
  await send('POST', calls.createAdmin.path, { email: `a${mail}`, password: 'long enough', tenant_id, role_id: 2 });
  await send('POST', `/api/v1/admin/tenants/${tenant_id}/platforms/3/credentials`, {
    username: text('username'),
    password: text('password'),
  });
  const { id } = await send('POST', calls.createPlayer.path, {
    email: mail,
    password: 'x',
    tenant_id,
    first_name: tag('first'),
    last_name: tag('last'),
    phone_number: tag(1),
    referral_id: tag('referral'),
    affiliate_id: tag('affiliate'),
  });
  player = id;
  await send('POST', `/api/v1/admin/user/${id}/update-balances`, { credit: '500', reason: 'other', note: text('why') });
  await send('POST', `/api/v1/admin/user/${id}/notes`, { text: text('note') });
  await send('PUT', `/api/v1/admin/user/${id}/tags`, { tags: [tag('t')] });
  await send('PUT', `/api/v1/admin/user/${id}/payout-hold`, { is_held: true, reason: 'other', note: text('hold') });
  await send('POST', calls.createManualRedeem.path, {
    user_email: mail,
    amount: '10',
    platform: 'vblink',
    payout_method: 'PayPal',
    payout_address: text('address'),
    description: text('redeem'),
  });
  const hook = encodeURIComponent(`https://hook.test/?${tag('hook')}`);
  await send('POST', `/api/v1/admin/payment-methods/${tenant_id}?payment_platform=apex&webhook_url=${hook}`, {
    api_key: text('key'),
    secret_key: text('key'),
    merchant_id: text('merchant'),
  });
  const db = await openDatabase(findRunning(join(folder, 'data'))!, { poolSize: 1 });
  await db.tx(async (tx) => {
    await createTopUp(tx, {
      tenant_id,
      player_id: id,
      amount: '20',
      payment_method: text('method'),
      payment_reference: text('reference'),
      description: text('purchase'),
      payment_metadata: { type: text('type') },
    });
    await createDeposit(tx, {
      tenant_id,
      player_id: id,
      amount: '5',
      kind: 'credit',
      platform: text('platform'),
      payment_reference: text('reference'),
      description: text('deposit'),
    });
    await tx`
      insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
      values (${tenant_id}, ${id}, ${text('name')}, ${text('login')}, 'x')`;
    await tx`update platforms set display_name = ${text('display')}, description = ${text('about')} where id = 3`;
  });
  await db.close();
  visit = await newVisit({ url: server.url });
  await visit.goTo('/');
  await visit.page.getByLabel('Email').fill(EMAIL);
  await visit.page.getByLabel('Password').fill(PASSWORD);
  await visit.page.getByRole('button', { name: 'Login' }).click();
  await visit.page.getByRole('button', { name: 'Logout' }).waitFor();
});
test.after(async () => {
  await visit.close();
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** What has come to life on the page as it stands. */
async function alive(where: string): Promise<void> {
  const found = await visit.page.evaluate(() => ({
    elements: document.querySelectorAll(
      '[data-inert], svg[onload], a[href^="javascript:" i], a[href*="onerror"]:not([href*="%"])',
    ).length,
    hit: Reflect.get(window, 'hit') ?? null,
  }));
  assert.equal({ ...found, faults: visit.faults }, { elements: 0, hit: null, faults: [] }, where);
}
/** What can be read on the page: its text, what stands in fields and choices, and titles. */
const readable = (): Promise<string> =>
  visit.page.evaluate(() => {
    const parts = [document.body.innerText];
    for (const each of document.querySelectorAll('input, option, [title], [aria-label]'))
      parts.push(
        String(Reflect.get(each, 'value') ?? ''),
        each.textContent ?? '',
        each.getAttribute('title') ?? '',
        each.getAttribute('aria-label') ?? '',
      );
    return parts.join('\n');
  });
const shows = async (words: string, where: string) =>
  assert.ok((await readable()).includes(words), `${where} shows ${words}`);

const screens: [path: string, ...texts: string[]][] = [
  ['/tenants', text('tenant'), text('description')],
  ['/platforms', text('display'), text('about'), text('tenant')],
  ['/admins', text('tenant')],
  ['/purchases', mail, text('purchase'), text('method')],
  ['/users', mail, tag('first'), tag(1), tag('affiliate')],
  ['/deposits', mail, text('deposit')],
  ['/redeems', mail, text('address')],
  ['/payment-methods', text('tenant'), 'hook.test'],
  ['/tenant/2/admin', mail],
  ['/tenant/2/admin?tab=purchases', text('purchase')],
  ['/tenant/2/admin?tab=deposits', text('deposit')],
  ['/tenant/2/admin?tab=redeems', text('address')],
  ['/tenant/2/admin?tab=platforms', text('display')],
  [`/tenant/2/admin?tab=affiliate-tracking&affiliate_id=${encodeURIComponent(tag('query'))}`],
  [`/users?search=${encodeURIComponent(tag('query'))}`, tag('query')],
  [`/${encodeURIComponent(tag('path'))}`],
];
for (const [path, ...texts] of screens) {
  test(`nothing comes to life on ${decodeURIComponent(path).slice(0, 60)} [ASVS 1.3.2, 3.2.2]`, async () => {
    await visit.goTo(path);
    await visit.page.getByRole('main').getByRole('heading').first().waitFor();
    await visit.page.waitForLoadState('networkidle');
    await settled(visit.page);
    for (const words of texts) await shows(words, path);
    await alive(path);
  });
}

const dialogs: [path: string, opener: string, ...texts: string[]][] = [
  ['/users', 'Edit', tag('first'), tag('referral')],
  ['/users', 'Edit Balances'],
  ['/users', 'Platform Credentials', text('login')],
  ['/users', 'Transaction History', text('purchase'), text('reference')],
  ['/tenants', 'Edit', text('tenant'), text('description')],
  ['/payment-methods', 'Edit', text('merchant')],
  ['/platforms', 'Edit credentials', text('username')],
];
for (const [path, opener, ...texts] of dialogs) {
  test(`nor in the dialog ${opener} of ${path}`, async () => {
    await visit.goTo(path);
    await visit.page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${opener}`, 'i') })
      .first()
      .click();
    const dialog = visit.page.getByRole('dialog').first();
    await dialog.waitFor();
    await visit.page.waitForLoadState('networkidle');
    await settled(visit.page);
    for (const words of texts) await shows(words, opener);
    await alive(opener);
    await visit.page.keyboard.press('Escape');
  });
}

test('nor in the audit log, whoever did it to whatever', async () => {
  await visit.goTo('/tenants');
  await chooseTool(visit.page, 'Audit');
  const dialog = visit.page.getByRole('dialog', { name: 'Audit' });
  for (const words of [text('tenant'), mail, text('address'), text('why'), text('note'), tag('t'), text('hold')])
    await dialog.getByText(words.trim()).first().waitFor({ state: 'attached' });
  await alive('the audit log');
  await dialog.getByLabel('Person').fill(text('person'));
  await dialog.getByText('No entries match.').waitFor();
  await alive('its filter');
});

test('nor in the filters of a queue, typed or in the address', async () => {
  const filters = ['text', 'status', 'platform', 'method', 'from', 'min', 'part', 'player']
    .map((name) => `${name}=${encodeURIComponent(tag(name))}`)
    .join('&');
  for (const list of ['purchases', 'deposits', 'redeems', 'users']) {
    await visit.goTo(`/${list}?${filters}`);
    await visit.page.getByRole('main').getByRole('heading').first().waitFor();
    await settled(visit.page);
    if (list !== 'users') await visit.page.getByText('This status does not exist.').waitFor();
    await alive(list);
  }
  await visit.goTo(`/redeems?text=${encodeURIComponent(tag('text'))}`);
  await visit.page.getByText('Nothing matches the filters.').waitFor();
  await shows(tag('text'), 'the filter');
  await alive('a filter that finds nothing');
});

test('nor in what a key has decided, and who is on hold says so as text', async () => {
  await visit.goTo('/redeems');
  await settled(visit.page);
  await visit.page.locator('tr[data-id]').first().focus();
  await visit.page.keyboard.press('f');
  await visit.page.getByText(`${mail}, $10.00: Failed in 5 seconds`).waitFor();
  await shows(text('hold'), 'the row');
  await alive('a decision');
  await visit.page.keyboard.press('u');
});

const parts: [part: string, ...texts: string[]][] = [
  ['profile', tag('t'), text('hold'), text('tenant'), tag('first'), tag('referral')],
  ['balances', text('why')],
  ['purchases', text('method'), text('purchase'), text('reference')],
  ['redeems', text('address')],
  ['platform-logins', text('login')],
  ['notes', text('note')],
  ['history', text('why'), text('hold')],
];
for (const [part, ...texts] of parts) {
  test(`nor in the ${part} of a player`, async () => {
    await visit.goTo(`/users?player=${player}&part=${part}`);
    await visit.page.getByRole('dialog', { name: mail }).waitFor();
    await visit.page.waitForLoadState('networkidle');
    await settled(visit.page);
    for (const words of texts) await shows(words, part);
    await alive(part);
  });
}

for (const chip of ['New Sign Ups Today', 'First Purchase Today']) {
  test(`nor behind ${chip}`, async () => {
    await visit.goTo('/tenants');
    await visit.page.getByRole('button', { name: new RegExp(chip) }).click();
    await visit.page.getByRole('dialog').getByText(tag('first')).first().waitFor();
    await alive(chip);
  });
}

test('a question asked before deleting names it as text, and the message after it too', async () => {
  await visit.goTo('/payment-methods');
  await visit.page.getByRole('button', { name: 'Delete' }).first().click();
  await visit.page.getByRole('dialog').waitFor();
  await shows(text('tenant'), 'the question');
  await alive('the question');
});

test.run();

/**
 * A day at the counter (docs/counter.md): a new player, a login, a purchase, a deposit, a win, a return, a redeem, a
 * second person, paid. At a desk, by mouse and by keys, and on a phone; no balance is edited.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../src/app/api/client';
import { createApi } from '../createApi';
import type { Running } from '../server/running';
import { closeVisits, demoData, enter, journey, PASSWORD, type Person, people, phone, startDemo } from './harness';
import { button, choice, choose, chooseTool, dialog, field, rowWith, saying, sendNow, settled, table } from './seen';

type How = 'desk' | 'phone';

let server: Running, url: string, shop: Api, secret: string;
test.before(async () => {
  server = await startDemo(demoData()); // its limits are its own
  url = server.url;
  const mona = await staff('mona'),
    ann = await staff('ann');
  await mona.changeApprovalLimits({ body: { payouts_from: '200', edits_from: null } });
  const made = await ann.createApiKey({
    body: { name: 'Counter', scopes: ['players:write', 'transactions:write'], password: PASSWORD },
  });
  shop = api(made.key, { 'Idempotency-Key': '' });
  const sue = await staff('super');
  ({ secret } = await sue.revealWebhookSecret({
    tenant_id: 2,
    platform: 'flikpay',
    body: { rotate: false, password: PASSWORD },
  }));
});
test.after(async () => {
  await closeVisits();
  await server.end('SIGTERM');
});

/** The calls as another client makes them. */
const api = (token: string, headers: Record<string, string> = {}): Api =>
  createApi({
    token: () => token,
    fetch: (path, init) => {
      const all = new Headers(init.headers);
      for (const name of Object.keys(headers)) all.set(name, randomUUID());
      return fetch(new URL(path.replace(/^\//, ''), url), { ...init, headers: all });
    },
  });
async function staff(person: Person): Promise<Api> {
  const { access_token } = await api('').login({ body: { email: people[person], password: PASSWORD } });
  return api(access_token);
}

/** The processor reports a payment. */
async function payIn(email: string, amount: string): Promise<void> {
  const id = randomUUID();
  const body = JSON.stringify({
    ...{ id, type: 'payment.succeeded', reference: id, amount, email },
    occurred_at: new Date().toISOString(),
  });
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const response = await fetch(new URL('api/v1/webhooks/2/flikpay', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Signature': `t=${at},v1=${mac}` },
    body,
  });
  assert.is(response.status, 200, await response.text());
}

/** Settles the pending row of this player in the open list, in the way that is tried. */
async function settle(page: Page, list: string, email: string, by: 'hand' | 'keys'): Promise<void> {
  const row = rowWith(table(page, list), email);
  await row.waitFor();
  if (by === 'keys') {
    await row.focus();
    await page.keyboard.press('t');
    await page.keyboard.press('s');
  } else {
    if (await button(row, 'Take').count()) await button(row, 'Take').click();
    await row.getByRole('combobox').selectOption('success');
  }
  await sendNow(page);
}

/** Somebody of finance, who has another screen, finds what waits and approves it. */
async function secondPerson(email: string, how: How): Promise<void> {
  const { page } = await enter('fay', '/', { url, ...(how === 'phone' && phone) });
  await chooseTool(page, 'Approvals');
  await rowWith(table(page, 'Waiting for a second person'), email).getByRole('button', { name: 'Approve: ' }).click();
  await button(dialog(page, 'Approve this?'), 'Approve').click();
  await saying(page, 'Approved by two. It is paid out');
}

for (const how of ['desk', 'phone'] as const) {
  journey(`from a new player to a paid win: ${how}`, async () => {
    const keys = how === 'desk' ? 'keys' : 'hand';
    const email = `counter.${how}@mail.test`;
    const { page, goTo } = await enter('ann', '/', { url, ...(how === 'phone' && phone) });

    await choose(page, 'Tenant', 'Users');
    await button(page, 'Create User').click();
    const form = dialog(page, 'Create User');
    await field(form, 'Email').fill(email);
    await field(form, 'Password').fill('a-long-enough-password');
    await button(form, 'Save').click();
    await saying(page, 'User created');

    await goTo(`/?search=${email}`);
    await button(rowWith(table(page, 'Users'), email), how === 'phone' ? 'More' : 'View').click();
    if (how === 'phone') await button(rowWith(table(page, 'Users'), email), 'View').click();
    const player = page.getByRole('dialog', { name: email });
    await button(player, 'Platform Logins').click();
    await button(player, 'Add login').click();
    const login = dialog(page, 'Add login');
    await choice(login, 'Platform').selectOption('vblink');
    await field(login, 'Username').fill(`${how}-vip`);
    await field(login, 'Password').fill('fortune');
    await button(login, 'Add').click();
    await saying(page, 'Login added');

    await payIn(email, '50.00');
    await shop.pushDeposit({ body: { email, platform: 'vblink', amount: '50.00', payment_reference: `load-${how}` } });
    await goTo(`/?tab=deposits&status=pending&text=${email}`);
    const deposits = 'Deposits (Platform Only)';
    const deposit = rowWith(table(page, deposits), email);
    if (how === 'desk') {
      await deposit.focus();
      await page.keyboard.press('l');
    } else await button(deposit, 'Look up').click();
    await page.getByText(`${how}-vip`).waitFor();
    await settle(page, deposits, email, keys);
    await saying(page, 'Status updated successfully');
    await settled(page);

    await goTo('/?tab=returns');
    await button(page, 'Record Return').click();
    const back = dialog(page, 'Record Return');
    await choice(back, 'Search User').fill(email);
    await page.getByRole('listbox', { name: 'Users found' }).getByRole('option').first().click();
    await choice(back, 'Platform').selectOption('vblink');
    await field(back, 'Amount').fill('300');
    await button(back, 'Record').click();
    await saying(page, 'Return recorded');
    await settle(page, 'Returns', email, 'hand');
    await saying(page, 'Status updated successfully');
    await settled(page);

    await goTo('/?tab=redeems');
    await button(page, 'Create Manual Redeem').click();
    const out = dialog(page, 'Create Manual Redeem');
    await choice(out, 'Search User').fill(email);
    await page.getByRole('listbox', { name: 'Users found' }).getByRole('option').first().click();
    await choice(out, 'Platform').selectOption('vblink');
    await field(out, 'Amount').fill('300');
    await choice(out, 'Payout Method').selectOption('PayPal');
    await field(out, 'Payout Address').fill('win@pay.test');
    await button(out, 'Create').click();
    await saying(page, 'Manual redeem created successfully');
    const redeem = rowWith(table(page, 'Redeems'), email);
    assert.is(await redeem.getByText('Adjusted').count(), 0, 'an honest win is not marked as edited');
    await settle(page, 'Redeems', email, keys);
    await saying(page, 'Approved, 1 of 2');

    await secondPerson(email, how);
    const fay = await staff('fay');
    const redeems = await fay.listRedeems({ text: email, status: 'success' });
    assert.equal(
      redeems.map(({ amount, status }) => [amount, status]),
      [[300, 'success']],
    );
  });
}

journey('no balance of theirs was edited', async () => {
  const ann = await staff('ann');
  const { users } = await ann.listPlayers({ search: 'counter.' });
  for (const { id } of users) {
    const types = (await ann.listPlayerTransactions({ id })).map(({ transaction_type }) => transaction_type);
    assert.equal(types.sort(), ['DEPOSIT', 'RETURN', 'TOP_UP', 'WITHDRAWAL']);
  }
  assert.is(users.length, 2);
});

test.run();

/**
 * A line that cuts answers off: the app sends a balance edit and a manual redeem again by itself, says what became of
 * them, and each has exactly one effect.
 */
import { createServer, request, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UNKNOWN } from '../../src/app/api/repeat';
import { REPEATING } from '../../src/app/hooks/useRepeats';
import { newVisit, startedServer, type Visit } from './harness';
import {
  balancesOf,
  button,
  callByHand,
  choice,
  dialog,
  field,
  message,
  rows,
  rowWith,
  saying,
  settled,
  table,
} from './seen';

const test = suite('Answers that are lost, in a real browser');

/** When a request is cut off: before the server gets it, or after the server has done it. */
type Cut = 'before' | 'after';
const broken = { path: '', cuts: [] as Cut[], forever: undefined as Cut | undefined };
/** Keys and statuses of the requests for the broken path that the server answered. */
let done: { key: string | undefined; status: number | undefined }[] = [];
let proxy: Server, visit: Visit;

test.before(async () => {
  const to = new URL((await startedServer()).url);
  proxy = createServer((incoming, answer) => {
    const isBroken = incoming.method === 'POST' && incoming.url?.endsWith(broken.path) && broken.path !== '';
    const cut = isBroken ? (broken.cuts.shift() ?? broken.forever) : undefined;
    if (cut === 'before') return incoming.socket.resetAndDestroy();
    const { method, url: path, headers } = incoming;
    const onward = request({ host: to.hostname, port: to.port, method, path, headers }, (response) => {
      const key = headers['idempotency-key'];
      if (isBroken) done.push({ key: typeof key === 'string' ? key : undefined, status: response.statusCode });
      if (cut === 'after') return response.resume().on('end', () => incoming.socket.resetAndDestroy());
      // Chromium itself sends a request again when a connection that it had used before is cut. None is used twice.
      answer.writeHead(response.statusCode ?? 502, { ...response.headers, connection: 'close' });
      response.pipe(answer);
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  assert.ok(address && typeof address === 'object');
  visit = await newVisit({ url: `http://127.0.0.1:${address.port}/`, reducedMotion: 'reduce' });
  visit.page.setDefaultTimeout(30_000);
  await visit.signIn('super');
});
test.before.each(() => {
  done = [];
  Object.assign(broken, { path: '', cuts: [], forever: undefined });
});
test.after(async () => {
  await visit.close();
  proxy.closeAllConnections();
  proxy.close();
});

const oneKey = () => new Set(done.map(({ key }) => key)).size === 1 && done[0]?.key !== undefined;

/** Notes every message from now on: on a busy machine one may be gone before it is looked for. */
const noteMessages = (page: Page) =>
  page.evaluate(() => {
    const said: string[] = [];
    const note = () => {
      for (const { textContent } of document.querySelectorAll('.toast span')) said.push(textContent ?? '');
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
    Object.assign(window, { said });
  });
const said = (page: Page) => page.evaluate((): string[] => Reflect.get(window, 'said'));

/** Opens Edit Balances of the first player. */
async function openEdit() {
  const { page } = visit;
  await visit.goTo('/users');
  const row = rows(table(page, 'Users')).first();
  await row.waitFor();
  await settled(page);
  const email = await row.getByRole('link').first().innerText(),
    before = await balancesOf(row);
  await button(row, 'Edit Balances').click();
  const form = dialog(page, 'Edit Balances');
  await noteMessages(page);
  await field(form, 'Bonus').fill('1.25');
  return { page, form, before, balances: () => balancesOf(rowWith(table(page, 'Users'), email)) };
}

for (const cuts of [['after'], ['before', 'after', 'after']] satisfies Cut[][]) {
  test(`a balance edit whose answers are cut off (${cuts.join(', ')}) counts once, and the app says that it is done`, async () => {
    const { page, form, before, balances } = await openEdit();
    Object.assign(broken, { path: '/update-balances', cuts: [...cuts] });
    await button(form, 'Save').click();
    await saying(page, 'Balances updated');
    assert.ok((await said(page)).includes(REPEATING), (await said(page)).join('\n'));
    await form.waitFor({ state: 'detached' });
    await settled(page);
    assert.equal(await balances(), { ...before, bonus: before.bonus + 125 });
    assert.ok(done.length >= 2 && oneKey(), JSON.stringify(done));
  });
}

test('while no answer comes the app says that nobody knows and keeps the form; saved again it counts once', async () => {
  const { page, form, before, balances } = await openEdit();
  Object.assign(broken, { path: '/update-balances', forever: 'after' });
  await button(form, 'Save').click();
  await message(page, UNKNOWN).waitFor();
  assert.is(await field(form, 'Bonus').inputValue(), '1.25');
  assert.is(await message(page, 'Failed to update balances').count(), 0);
  broken.forever = undefined;
  await button(form, 'Save').click();
  await saying(page, 'Balances updated');
  await form.waitFor({ state: 'detached' });
  await settled(page);
  assert.equal(await balances(), { ...before, bonus: before.bonus + 125 });
  assert.ok(oneKey(), JSON.stringify(done));
});

test('a refusal whose answer was cut off is told as a refusal, and nothing is done', async () => {
  const { page, form, before, balances } = await openEdit();
  await field(form, 'Bonus').fill('99999999');
  await choice(form, 'Bonus Operation').selectOption('remove');
  Object.assign(broken, { path: '/update-balances', cuts: ['after'] });
  await button(form, 'Save').click();
  await saying(page, 'Failed to update balances');
  await form.getByText(/^Insufficient bonus balance/).waitFor();
  await button(form, 'Cancel').click();
  assert.equal(await balances(), before);
});

test('a manual redeem whose answers are cut off is made once, and the app says so', async () => {
  const { page } = visit;
  await visit.goTo('/redeems');
  await rows(table(page, 'Redeems')).first().waitFor();
  await button(page, 'Create Manual Redeem').click();
  const form = dialog(page, 'Create Manual Redeem');
  const body = await callByHand(
    page,
    'GET',
    '/api/v1/admin/user-management/users/?sort_by=credit_balance&sort_order=desc',
  );
  const { users } = JSON.parse(body.body) as { users: { email: string }[] };
  await choice(form, 'Search User').fill(users[0]!.email);
  await form.getByRole('option', { name: users[0]!.email }).first().click();
  await choice(form, 'Platform').selectOption('yolo');
  await field(form, 'Amount').fill('1.07');
  await choice(form, 'Payout Method').selectOption('PayPal');
  const address = `lost-${Date.now()}`;
  await field(form, 'Payout Address').fill(address);
  Object.assign(broken, { path: '/redeems/manual', cuts: ['after', 'before', 'after'] });
  await button(form, 'Create').click();
  await saying(page, 'Manual redeem created successfully');
  await form.waitFor({ state: 'detached' });
  assert.ok(done.length >= 2 && oneKey(), JSON.stringify(done));
  const made = await callByHand(page, 'GET', '/api/v1/admin/redeems');
  const redeems = JSON.parse(made.body) as { payout_address: string }[];
  assert.is(redeems.filter(({ payout_address }) => payout_address === address).length, 1);
});

test.run();

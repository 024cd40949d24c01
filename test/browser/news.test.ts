/**
 * Lists that live: one's own decisions move the figures, new work is announced, and nothing moves under the pointer.
 */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, callByHand, cell, cents, message, rows, settled, table } from './seen';

const test = suite('News, in a real browser');
let visit: Visit;
async function start(path: string, options: { clock?: boolean } = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit();
  if (options.clock) await visit.page.clock.install();
  await visit.signIn('ann');
  await visit.goTo(path);
  await rows(visit.page.getByRole('tabpanel').getByRole('table')).first().waitFor();
  await settled(visit.page);
  return visit.page;
}
test.after(() => visit?.close());

const figure = (page: Page, name: string) =>
  page
    .getByRole('region', { name: "Today's Metrics" })
    .locator('dl > div', { has: page.getByText(name, { exact: true }) })
    .locator('dd');

test('the figures of today, the badge and the title follow a decision at once', async () => {
  const page = await start('/?tab=purchases&status=pending');
  const list = table(page, 'Latest Purchases (Tenant)');
  await page.waitForFunction(() => /^Purchases \(\d+\) · Acme$/.test(document.title));
  const pending = async () => Number(/\((\d+)\)/.exec(await page.title())?.[1]);
  const [total, before] = [cents(await figure(page, 'Total Purchases').innerText()), await pending()];
  const row = rows(list).first();
  const amount = cents(await cell(row, 'Amount'));
  await row.getByRole('combobox').selectOption('success');
  await message(page, 'Status updated successfully').first().waitFor();
  const wanted = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format((total + amount) / 100);
  await figure(page, 'Total Purchases').getByText(wanted).waitFor();
  await page.waitForFunction((count) => document.title === `Purchases (${count}) · Acme`, before - 1);
});

test('new rows are announced without moving the list, and shown when asked for', async () => {
  const page = await start('/?tab=redeems&status=pending', { clock: true });
  const list = table(page, 'Redeems');
  const places = () =>
    list
      .locator('tr[data-id]')
      .evaluateAll((all) =>
        all.map((row) => `${row.getAttribute('data-id')} at ${Math.round(row.getBoundingClientRect().top)}`),
      );
  await page.waitForFunction(() => /^Redeems \(\d+\)/.test(document.title));
  const before = await places();
  const players = JSON.parse(
    (await callByHand(page, 'GET', '/api/v1/admin/user-management/users/?sort_by=credit_balance&sort_order=desc')).body,
  );
  const made = await callByHand(page, 'POST', '/api/v1/admin/redeems/manual', {
    user_email: players.users[0].email,
    platform: 'vblink',
    amount: 20,
    payout_method: 'PayPal',
    payout_address: 'new@work.test',
  });
  assert.ok(made.status < 300, made.body);
  await page.clock.fastForward(61_000);
  const news = page.getByRole('button', { name: /^1 new/ });
  await news.waitFor();
  assert.equal(await places(), before, 'what one reads stays where it is');
  await page.waitForFunction((count) => document.title.startsWith(`Redeems (${count})`), before.length + 1);
  await news.click();
  await list.getByText('new@work.test').waitFor();
  await news.waitFor({ state: 'detached' });
  assert.is(await page.evaluate(() => document.activeElement?.textContent?.includes('new@work.test')), true);
});

test('filters are cleared without pushing the table, and the focus is not lost', async () => {
  const page = await start('/?tab=redeems');
  const top = async () => (await page.getByRole('region', { name: 'Redeems', exact: true }).boundingBox())?.y;
  const before = await top();
  await page.getByRole('combobox', { name: 'By status' }).selectOption('pending');
  await button(page, 'Clear filters').waitFor();
  await settled(page);
  assert.is(await top(), before);
  await button(page, 'Clear filters').click();
  await button(page, 'Clear filters').waitFor({ state: 'detached' });
  await settled(page);
  assert.is(await top(), before);
  assert.ok(await page.evaluate(() => document.activeElement?.closest('.filters') !== null));
});

test.run();

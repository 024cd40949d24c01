/** A phone: one row of a title bar, lists as cards that begin near the top, and targets for a finger. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { oneAfterTheOther, type Person } from './harness';
import { button, chooseTool, dialog, heading, rows, settled, table } from './seen';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const visits = oneAfterTheOther();
async function start(person: Person, path: string, options: BrowserContextOptions = phone): Promise<Page> {
  const page = await visits.open(person, path, options);
  await rows(page.getByRole('main').getByRole('table')).first().waitFor();
  await settled(page);
  return page;
}
test.after(() => visits.leave());
const box = async (of: Locator) => {
  const found = await of.boundingBox();
  if (!found) throw new Error('not shown');
  return found;
};

for (const [person, path, list] of [
  ['ann', '/', 'Users'],
  ['ann', '/?tab=purchases', 'Latest Purchases (Tenant)'],
  ['ann', '/?tab=returns', 'Returns'],
  ['ann', '/?tab=redeems', 'Redeems'],
  ['super', '/users', 'Users'],
  ['super', '/purchases', 'Latest Purchases (All Tenants)'],
  ['super', '/deposits', 'Deposits (Platform Only)'],
  ['super', '/redeems', 'Redeems'],
  ['super', '/tenants', 'Tenants'],
] as const) {
  test(`the bar is one row, and the first card stands within 200 px of the top: ${person}, ${path}`, async () => {
    const page = await start(person, path);
    assert.ok((await box(page.getByRole('banner'))).height <= 56);
    const card = await box(rows(table(page, list)).first());
    assert.ok(card.y <= 200, `it begins at ${card.y} px`);
    assert.ok(card.x >= 0 && card.x + card.width <= 390, 'no wider than the screen');
    assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const outside = await rows(table(page, list))
      .first()
      .evaluate((row) =>
        [...row.querySelectorAll('a, .money, time, button, select')]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth)
          .map((element) => element.textContent),
      );
    assert.equal(outside, [], 'who, how much, what state, how old and what to do are all in sight');
  });
}

test('everything of a card is large enough for a finger', async () => {
  for (const path of ['/redeems', '/users']) {
    const page = await start('super', path);
    const small = await page
      .locator('tbody')
      .first()
      .evaluate((body) =>
        [...body.querySelectorAll('tr:first-child :is(a, button, select)')].flatMap((element) => {
          const { height } = element.getBoundingClientRect();
          return element.checkVisibility() && height < 44 ? [`${element.textContent}: ${height}`] : [];
        }),
      );
    assert.equal(small, []);
  }
});

test('a player is worked on from the card: two actions at once, the others one step away', async () => {
  const page = await start('ann', '/');
  const card = rows(table(page, 'Users')).first();
  assert.is(await button(card, 'Delete').count(), 0);
  await button(card, 'More').click();
  for (const name of ['Edit', 'Platform Credentials', 'Transaction History', 'Delete'])
    assert.ok(await button(card, name).isVisible(), name);
  await button(card, 'Edit Balances').click();
  await dialog(page, 'Edit Balances').waitFor();
});

test('the menu of the bar holds the figures, the tools and Logout', async () => {
  const page = await start('ann', '/');
  const menu = page.getByRole('group', { name: 'Account menu' });
  await page.getByRole('banner').locator('.who').click();
  await menu.getByRole('button', { name: /^New Sign Ups Today: \d/ }).click();
  await dialog(page, 'New Players Today').waitFor();
  await button(dialog(page, 'New Players Today'), 'Close').click();
  await chooseTool(page, 'Audit');
  await dialog(page, 'Audit').waitFor();
  await button(dialog(page, 'Audit'), 'Close').click();
  await chooseTool(page, 'Logout');
  await button(page, 'Login').waitFor();
  await visits.leave();
});

test('the button for the filters says how many are set, and each can be removed', async () => {
  const page = await start('ann', '/?tab=redeems&status=pending&min=20');
  await button(page, 'Filters (2)').waitFor();
  await page.getByRole('button', { name: /^Min: 20/ }).click();
  await button(page, 'Filters (1)').waitFor();
  await button(page, 'Clear filters').click();
  await button(page, 'Filters').waitFor();
});

test('in a window as low as one of 200 % zoom the bar scrolls away and rows take its place', async () => {
  const page = await start('super', '/redeems', { viewport: { width: 720, height: 450 } });
  const bar = page.getByRole('banner');
  assert.ok((await box(bar)).height <= 56);
  await page.evaluate(() => scrollTo(0, 600));
  assert.ok((await box(bar)).y < -40, 'it is not sticky');
  const seen = await rows(table(page, 'Redeems')).evaluateAll(
    (all) =>
      all.filter((row) => row.getBoundingClientRect().bottom > 0 && row.getBoundingClientRect().top < innerHeight)
        .length,
  );
  assert.ok(seen >= 2, `${seen} rows`);
});

test('on a phone the tenant of a view stands in the bar', async () => {
  const page = await start('super', '/tenant/2/admin?tab=redeems');
  assert.ok(await heading(page, 'Acme').isVisible());
});

test.run();

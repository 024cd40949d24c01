/** The bell: a rule is changed and fires, and a person follows it, reads it and mutes it, also by keyboard. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { button, callByHand, choice, dialog, field, message, settled } from './seen';

let visit: Visit;
async function start(person: Person, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit(options);
  await visit.signIn(person);
  return visit.page;
}
test.after(() => visit?.close());

const bell = (page: Page, name: string | RegExp = /^Notifications/) => page.getByRole('button', { name });
const menu = (page: Page) => page.getByRole('group', { name: 'Notifications' });

test('a rule that is changed fires, and the bell says so after the screen has come', async () => {
  const page = await start('ben');
  await bell(page).click();
  await button(menu(page), 'Rules and channels').click();
  const settings = dialog(page, 'Notifications');
  await button(settings, 'Edit Large export').click();
  const form = dialog(page, 'Large export');
  await field(form, 'Number').fill('1');
  await button(form, 'Save').click();
  await message(page, 'Rule saved').waitFor();
  await settings.getByText('An export has more than one row').waitFor();
  await button(settings, 'Close').click();
  await settings.waitFor({ state: 'detached' });

  const file = await callByHand(page, 'GET', '/api/v1/admin/purchases/export');
  assert.is(file.status, 200);
  const rows = file.body.trim().split('\r\n').length - 1;
  assert.ok(rows > 1);
  await page.reload();
  await bell(page, /^Notifications, \d+ new$/).click();
  const title = `ben@bravo.test exported ${rows.toLocaleString('en-US')} rows of purchases`;
  await button(menu(page), title).waitFor();
  assert.equal(visit.faults, []);
});

test('by keyboard: open, follow, and the focus is where it was', async () => {
  const { page } = visit;
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'hidden' });
  await bell(page).focus();
  await page.keyboard.press('Enter');
  await menu(page).getByText('Mark all as read').waitFor();
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'hidden' });
  assert.ok(await bell(page).evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Enter');
  await menu(page)
    .getByRole('button', { name: /exported/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await dialog(page, 'Audit').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'Audit').waitFor({ state: 'detached' });
  await bell(page, 'Notifications').waitFor();
});

test('a link in an e-mail leads to the books, after the sign-in too; a reload does not open them again', async () => {
  await visit.close();
  visit = await newVisit();
  const { page } = visit;
  await visit.goTo('/?tab=redeems&tool=Books');
  await visit.signIn('ben');
  await dialog(page, 'Books').waitFor();
  assert.is(new URL(page.url()).search, '?tab=redeems');
  await page.reload();
  await page.locator('main h2').first().waitFor();
  await settled(page);
  assert.is(await page.getByRole('dialog').count(), 0);
  await visit.close();
  visit = await newVisit();
  await visit.signIn('super', '/tenant/3/admin?tool=Books');
  await dialog(visit.page, 'Books').waitFor();
  await settled(visit.page); // the tenants are there
  assert.is(await choice(dialog(visit.page, 'Books'), 'Tenant').inputValue(), '3');
  assert.equal(visit.faults, []);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`on a phone nothing is cut off, ${colorScheme}`, async () => {
    const page = await start('ben', { viewport: { width: 390, height: 844 }, colorScheme });
    await bell(page).click();
    await menu(page).getByText('Mark all as read').waitFor();
    const fits = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.bells, .bells *, dialog[open] .stacked, dialog[open] .stacked td')]
          .filter((element) => element.getClientRects().length)
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            return left < -1 || right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 2;
          })
          .filter((element) => getComputedStyle(element).display !== 'inline' && element.clientWidth > 1)
          .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`),
      );
    assert.equal(await fits(), []);
    await button(menu(page), 'Rules and channels').click();
    await settled(page);
    await button(dialog(page, 'Notifications'), 'Edit Large redeem').waitFor();
    assert.equal(await fits(), []);
    await button(dialog(page, 'Notifications'), 'Show rows: Balance changed by hand without a reason').click();
    await settled(page);
    assert.equal(await fits(), []);
  });

test.run();

/** A day's work on many rows: settled over a line that breaks, tagged together, and shown to a colleague by a link. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListSums } from '../../src/contract/entities';
import { newVisit, type Visit } from './harness';
import { button, callByHand, cents, dialog, field, message, rows, settled } from './seen';

let visit: Visit;
async function open(path: string, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  visit = await newVisit({ reducedMotion: 'reduce', ...options });
  visit.page.setDefaultTimeout(30_000);
  await visit.signIn('ann', path);
  await rows(list(visit.page)).first().waitFor();
  await settled(visit.page);
  return visit.page;
}
test.after.each(() => visit?.close());
const list = (page: Page) => page.getByRole('main').getByRole('table').first();
const get = async <T>(page: Page, path: string): Promise<T> => {
  const { status, body } = await callByHand(page, 'GET', `/api/v1/admin/${path}`);
  assert.is(status, 200, body);
  return JSON.parse(body);
};
const columnOf = (page: Page, name: string) =>
  page.getByRole('dialog').locator('tbody tr').filter({ hasText: name }).count();

test('ten are settled over a line that breaks: the report says which, and nothing is done twice', async () => {
  const page = await open('/?tab=purchases&status=pending');
  const lines = list(page).locator('tr[data-id]');
  const ids = (await lines.evaluateAll((all) => all.map((one) => one.getAttribute('data-id') ?? ''))).slice(0, 10);
  const amounts = (await list(page).locator('tbody td.amount').allTextContents()).slice(0, 10).map(cents);
  const sums = () => get<ListSums>(page, 'list-sums?list=purchases');
  const before = await sums();

  const LOST = ids[4];
  let isDown = false;
  await page.route('**/purchases/*/status', async (route) => {
    if (!isDown && route.request().url().includes(`/${LOST}/`)) {
      isDown = true;
      await route.fetch(); // it is done, but nobody hears of it
    }
    return isDown ? route.abort('connectionreset') : route.continue();
  });
  await list(page).locator('tbody .pick').first().click();
  await list(page)
    .locator('tbody .pick')
    .nth(9)
    .click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: /^Set 10 to Success \(/ }).click();
  const question = page.getByRole('dialog', { name: /^Set 10 to Success, .* in all\?$/ });
  await button(question, 'Set 10 to Success').click();
  const report = dialog(page, 'Set 10 to Success');
  await report.getByText('1 not known, 5 not reached, 4 done').waitFor({ timeout: 60_000 });
  assert.equal([await columnOf(page, 'Not reached'), await columnOf(page, 'Done')], [5, 4]);
  const [file] = await Promise.all([page.waitForEvent('download'), button(report, 'Download CSV').click()]);
  assert.is(file.suggestedFilename(), 'report.csv');
  assert.is((await sums()).success.total - before.success.total, 5, 'the lost one was done');

  isDown = false;
  await page.unrouteAll();
  await button(report, 'Try the rest again').click();
  await report.getByText('10 done').or(message(page, 'Status updated successfully')).first().waitFor();
  await settled(page);
  if (!(await report.count())) await button(page, 'Report').click();
  await report.getByText('10 done').waitFor();
  const after = await sums();
  assert.is(after.success.total - before.success.total, 10);
  const moved = Math.round((Number(after.success.amount) - Number(before.success.amount)) * 100);
  assert.is(
    moved,
    amounts.reduce((sum, one) => sum + one, 0),
    'to the cent',
  );
  const { entries } = await get<{ entries: { call: string; object_id: string | null }[] }>(page, 'audit?kind=purchase');
  // Others settle in the same world at the same time.
  const settledIds = entries
    .filter(({ call, object_id }) => call === 'changePurchaseStatus' && ids.includes(object_id ?? ''))
    .map(({ object_id }) => object_id);
  assert.equal(settledIds.toSorted(), ids.toSorted(), 'each has one entry');
});

for (const width of [1280, 390]) {
  test(`twenty users are tagged in one go: ${width} px`, async () => {
    const page = await open('/?size=25', { viewport: { width, height: 844 } });
    await button(page, 'Select').click();
    await list(page).locator('.pick').first().click();
    await list(page)
      .locator('.pick')
      .nth(19)
      .click({ modifiers: ['Shift'] });
    await page.getByText('20 selected').waitFor();
    await button(page, 'Tag…').click();
    const form = dialog(page, 'Tag 20 users');
    await field(form, 'Tags').fill(`november ${width}`);
    await page.keyboard.press('Enter');
    const report = dialog(page, 'Tag 20 users');
    await report.getByText('20 done').waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await button(report, 'Close').click();
    await button(page, 'Done').click();
    await list(page).locator('.pick').first().waitFor({ state: 'detached' });
    const { entries } = await get<{ entries: { call: string }[] }>(page, 'audit?kind=player');
    assert.is(entries.filter(({ call }) => call === 'addPlayerTags').length, width === 1280 ? 20 : 40);
  });
}

test('a view is saved and opened again, and its link shows a colleague the same list', async () => {
  const page = await open('/?tab=redeems');
  await field(page, 'By status').selectOption('failed');
  await page.waitForURL(/status=failed/);
  await button(page, 'Columns').click();
  await field(page, 'Completed At').uncheck();
  await page.keyboard.press('Escape');
  await settled(page);
  const heads = (of: Page) => list(of).getByRole('columnheader').allInnerTexts();
  const shown = await heads(page);
  assert.not.ok(shown.includes('Completed At'));

  await button(page, 'Views').click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await field(dialog(page, 'Save view'), 'Name').fill('Failed, short');
  await button(dialog(page, 'Save view'), 'Save').click();
  await message(page, 'View saved').waitFor();
  const link = page.url();

  const colleague = await newVisit({ reducedMotion: 'reduce' });
  try {
    await colleague.signIn('cleo');
    await colleague.page.goto(link);
    await rows(list(colleague.page)).first().waitFor();
    await settled(colleague.page);
    assert.equal(await heads(colleague.page), shown, 'by the link');
  } finally {
    await colleague.close();
  }

  await visit.goTo('/?tab=redeems');
  await rows(list(page)).first().waitFor();
  await button(page, 'Views').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Failed, short' }).waitFor();
  await page.keyboard.press('f');
  await page.keyboard.press('Enter');
  await page.waitForURL(/status=failed/);
  await settled(page);
  assert.equal(await heads(page), shown, 'by its name');
});

test.run();

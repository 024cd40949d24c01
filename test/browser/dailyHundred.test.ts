/** A day's work on many rows: settled over a line that breaks, tagged together, copied for a spreadsheet. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListSums } from '../../src/contract/entities';
import { enter, journey, type VisitOptions } from './harness';
import { button, cents, dialog, field, fits, message, read, rows, settled } from './seen';

async function open(path: string, options: VisitOptions = {}): Promise<Page> {
  const { page } = await enter('ann', path, { reducedMotion: 'reduce', ...options });
  await rows(list(page)).first().waitFor();
  await settled(page);
  return page;
}
const list = (page: Page) => page.getByRole('main').getByRole('table').first();
const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);
const amountsOf = async (page: Page) => (await list(page).locator('tbody td.amount').allTextContents()).map(cents);
/** Picks one row, and with Shift all to another. */
async function pick(page: Page, first: number, last: number): Promise<void> {
  const picks = list(page).locator('tbody .pick');
  await picks.nth(first).click();
  await picks.nth(last).click({ modifiers: ['Shift'] });
}
const columnOf = (page: Page, name: string) =>
  page.getByRole('dialog').locator('tbody tr').filter({ hasText: name }).count();

journey('ten are settled over a line that breaks: the report says which, and nothing is done twice', async () => {
  const page = await open('/?tab=purchases&status=pending');
  const lines = list(page).locator('tr[data-id]');
  const ids = (await lines.evaluateAll((all) => all.map((one) => one.getAttribute('data-id') ?? ''))).slice(0, 10);
  const amounts = (await amountsOf(page)).slice(0, 10);
  const sums = () => read<ListSums>(page, 'list-sums?list=purchases');
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
  await pick(page, 0, 9);
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
  assert.is(moved, sum(amounts), 'to the cent');
  const { entries } = await read<{ entries: { call: string; object_id: string | null }[] }>(
    page,
    'audit?kind=purchase',
  );
  // Others settle in the same world at the same time.
  const settledIds = entries
    .filter(({ call, object_id }) => call === 'changePurchaseStatus' && ids.includes(object_id ?? ''))
    .map(({ object_id }) => object_id);
  assert.equal(settledIds.toSorted(), ids.toSorted(), 'each has one entry');
});

journey('on a phone twenty users are tagged in one go', async () => {
  const page = await open('/?size=25', { viewport: { width: 390, height: 844 } });
  await button(page, 'Select').click();
  await pick(page, 0, 19);
  await page.getByText('20 selected').waitFor();
  await button(page, 'Tag…').click();
  const form = dialog(page, 'Tag 20 users');
  await field(form, 'Tags').fill('november');
  await page.keyboard.press('Enter');
  await form.getByText('20 done').waitFor();
  assert.ok(await fits(page));
  await button(form, 'Close').click();
  await button(page, 'Done').click();
  await list(page).locator('.pick').first().waitFor({ state: 'detached' });
  const { entries } = await read<{ entries: { call: string }[] }>(page, 'audit?kind=player');
  assert.is(entries.filter(({ call }) => call === 'addPlayerTags').length, 20);
});

for (const width of [1280, 390]) {
  journey(`what is selected is counted, summed and copied: ${width} px`, async () => {
    const page = await open('/?tab=purchases', {
      viewport: { width, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const chosen = (await amountsOf(page)).slice(1, 4);
    await pick(page, 1, 3);
    const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(sum(chosen) / 100);
    await page.getByText(`3 selected, ${usd}`, { exact: true }).waitFor();
    await button(page, 'Copy').click();
    const copied = page.getByText('3 rows copied');
    await copied.waitFor();
    const isInTheWay = await copied.evaluate((shown) => {
      const { x, y, width, height } = shown.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.toasts') !== null;
    });
    assert.not(isInTheWay, 'a message takes no click from what it covers');
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    assert.is(lines.length, 4);
    assert.is(sum(lines.slice(1).map((line) => Math.round(Number(line.split('\t')[4]) * 100))), sum(chosen));
  });
}

test.run();

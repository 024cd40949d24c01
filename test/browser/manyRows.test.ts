/** A day's work on many rows: tagged together, copied for a spreadsheet. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, journey, type VisitOptions } from './harness';
import { button, cents, dialog, field, fits, rows, settled } from './seen';

async function open(path: string, options: VisitOptions = {}): Promise<Page> {
  const { page } = await enter('ann', path, options);
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

journey('on a phone twenty users are tagged in one go', async () => {
  const page = await open('/?size=25', { viewport: { width: 390, height: 844 } });
  await button(page, 'Tools').click();
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
    const squeezed = await page
      .locator('.list-bar button')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    assert.equal(squeezed, []);
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

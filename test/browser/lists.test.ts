/** Lists of money do what lists do: sort, add up, select, choose columns and ranges, and be shared by their address. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, cents, chooseTool, field, rows, settled } from './seen';

let visit: Visit;
async function start(path: string, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit(options);
  await visit.signIn('ann');
  return goTo(path);
}
async function goTo(path: string): Promise<Page> {
  await visit.goTo(path);
  await listed(visit.page);
  return visit.page;
}
test.after(() => visit?.close());

const list = (page: Page) => page.getByRole('main').getByRole('table').first();
async function listed(page: Page): Promise<void> {
  await rows(list(page)).first().waitFor();
  await settled(page);
}
const amounts = async (page: Page) =>
  (await list(page).locator('tbody td.amount').allTextContents()).map((text) => cents(text));
const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);
const picks = (page: Page) => list(page).locator('tbody').getByRole('checkbox');

for (const width of [1280, 390]) {
  const size = { viewport: { width, height: 844 } };
  const at = `${width} px`;

  test(`what is selected is counted, summed and copied: ${at}`, async () => {
    const page = await start('/?tab=purchases', { ...size, permissions: ['clipboard-read', 'clipboard-write'] });
    const of = (await amounts(page)).slice(1, 4);
    await picks(page).nth(1).click();
    await picks(page)
      .nth(3)
      .click({ modifiers: ['Shift'] });
    const words = `3 selected, ${new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(sum(of) / 100)}`;
    await page.getByText(words, { exact: true }).waitFor();
    await button(page, 'Copy').click();
    await page.getByText('3 rows copied').waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    assert.is(lines.length, 4);
    assert.is(sum(lines.slice(1).map((line) => Math.round(Number(line.split('\t')[4]) * 100))), sum(of));
    await button(page, 'Clear selection').click();
    assert.is(await page.getByText(/selected, /).count(), 0);
  });
}

test('hidden columns stay hidden after a reload and after another sign-in, and their place is used', async () => {
  const page = await start('/?tab=redeems', { viewport: { width: 1600, height: 900 } });
  const method = list(page).getByRole('columnheader', { name: 'Payout Method' });
  const address = list(page).locator('td.address').first();
  const before = (await address.boundingBox())?.width ?? 0;
  await button(page, 'Columns').click();
  await field(page, 'Payout Method').uncheck();
  await method.waitFor({ state: 'hidden' });
  assert.ok(((await address.boundingBox())?.width ?? 0) > before);
  await page.keyboard.press('Escape');
  await button(page, 'Columns (1 hidden)').waitFor();

  await page.reload();
  await listed(page);
  await button(page, 'Columns (1 hidden)').waitFor();
  assert.is(await method.isVisible(), false);
  await chooseTool(page, 'Logout');
  await field(page, 'Password').waitFor();
  await visit.signIn('ann');
  await goTo('/?tab=redeems');
  await button(page, 'Columns (1 hidden)').waitFor();
  await goTo('/?tab=deposits');
  await button(page, 'Columns').waitFor(); // of this list none are hidden

  await chooseTool(page, 'Logout');
  await field(page, 'Password').waitFor();
  await visit.signIn('ben');
  await goTo('/?tab=redeems');
  await button(page, 'Columns').waitFor();
});

test.run();

/** Lists of money do what lists do: sort, add up, select, choose columns and ranges, and be shared by their address. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, cents, chooseTool, field, rows, settled } from './seen';

const test = suite('Lists of money, in a real browser');
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
/** Waits until the list is the one of this address. */
async function listedAt(page: Page, search: RegExp): Promise<void> {
  await page.waitForURL((url) => search.test(url.search));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await listed(page);
}
const ids = (page: Page) =>
  list(page)
    .locator('tr[data-id]')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-id')));
const amounts = async (page: Page) =>
  (await list(page).locator('tbody td.amount').allTextContents()).map((text) => cents(text));
const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);
/** '39 pending, $1,842.10' as its number and its cents. */
function parseSum(words: string): { total: number; amount: number } {
  const [, total = '', amount = ''] = /^([\d,]+) \w+, (\S+)$/.exec(words.trim()) ?? [];
  return { total: Number(total.replaceAll(',', '')), amount: cents(amount) };
}
const sums = (page: Page) => page.getByRole('status', { name: 'Sums' });
const picks = (page: Page) => list(page).getByRole('checkbox');

for (const width of [1280, 390]) {
  const size = { viewport: { width, height: 844 } };
  const at = `${width} px`;

  test(`the list is sorted by amount, and says so: ${at}`, async () => {
    const page = await start('/?tab=redeems', size);
    const amount = list(page).getByRole('columnheader', { name: 'Amount' });
    if (width < 768) await button(page, 'Filters').click();
    const sort = (label: string) =>
      width < 768 ? field(page, 'Sort by').selectOption(label) : button(amount, 'Amount').click();
    await sort('Lowest amount');
    await listedAt(page, /sort=amount$/);
    const up = await amounts(page);
    assert.equal(
      up,
      up.toSorted((a, b) => a - b),
    );
    assert.is(await amount.getAttribute('aria-sort'), 'ascending');
    await sort('Highest amount');
    await listedAt(page, /sort=amount&order=desc$/);
    const down = await amounts(page);
    assert.equal(
      down,
      down.toSorted((a, b) => b - a),
    );
    assert.ok((down[0] ?? 0) > (up[0] ?? 0));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await button(page, 'Pending first').click();
    await listedAt(page, /tab=redeems$/);
  });

  test(`the sum is that of the rows of all pages, to the cent: ${at}`, async () => {
    const page = await start('/?tab=redeems&status=failed&size=25', size);
    const { total, amount } = parseSum(await sums(page).innerText());
    const found = await amounts(page);
    for (let next = 2; found.length < total; next++) {
      await button(page, 'Next').click();
      await listedAt(page, new RegExp(`page=${next}`));
      found.push(...(await amounts(page)));
    }
    assert.ok(total > 25, 'more than a page');
    assert.equal([found.length, sum(found)], [total, amount]);
    assert.is(await page.getByText(`${total} redeems`, { exact: true }).count(), 1);
  });

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

test('a range sets both dates, and a part of a payment method is enough', async () => {
  const page = await start('/?tab=purchases');
  await field(page, 'Range').selectOption('Yesterday');
  await listedAt(page, /from=[\d-]+&to=[\d-]+$/);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  assert.is(await field(page, 'From').inputValue(), yesterday);
  assert.is(await field(page, 'To').inputValue(), yesterday);
  const days = await list(page)
    .locator('td.started time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')?.slice(0, 10)));
  assert.equal([...new Set(days)], [yesterday]);
  await field(page, 'Range').selectOption('All days');
  await field(page, 'By payment method').fill('ar');
  await listedAt(page, /method=ar$/);
  const methods = await list(page).locator('td.method').allTextContents();
  assert.ok(methods.length > 0 && methods.every((method) => /ar/i.test(method)));
});

test('an address shows somebody else the same list', async () => {
  const page = await start('/?tab=purchases');
  await page.getByLabel('By status').selectOption('Success');
  await listedAt(page, /status=success/);
  await field(page, 'Range').selectOption('This month');
  await listedAt(page, /from=/);
  await list(page).getByRole('columnheader', { name: 'Amount' }).getByRole('button').dblclick();
  await listedAt(page, /sort=amount&order=desc/);
  await page.getByLabel('Rows per page').selectOption('25');
  await listedAt(page, /size=25/);
  await button(page, 'Next').click();
  await listedAt(page, /page=2/);
  const { pathname, search } = new URL(page.url());

  const other = await newVisit();
  try {
    await other.signIn('ann');
    await other.goTo(pathname.slice(new URL(visit.url).pathname.length - 1) + search);
    await listed(other.page);
    assert.equal(await ids(other.page), await ids(page));
    assert.is((await ids(page)).length, 25);
    assert.is(await sums(other.page).innerText(), await sums(page).innerText());
    assert.equal(other.faults, []);
  } finally {
    await other.close();
  }
  assert.equal(visit.faults, []);
});

test.run();

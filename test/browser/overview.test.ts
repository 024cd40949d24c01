/** The overview: from a bar to its list, by mouse and by keyboard, as a table and as files, in a real browser. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { button, cents, rows, settled } from './seen';

const test = suite('The overview, in a real browser');
let visit: Visit;
async function start(person: Person, path: string, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit(options);
  await visit.signIn(person);
  await visit.goTo(path);
  await picture(visit.page, 'Pending').waitFor();
  await settled(visit.page);
  return visit.page;
}
test.after.each(() => assert.equal(visit.faults, []));
test.after(() => visit?.close());

const picture = (page: Page, name: string): Locator => page.getByRole('figure', { name, exact: true });
/** The amount of a bar in cents, by its own words. */
const amountOf = async (bar: Locator, what: string): Promise<number> =>
  cents(new RegExp(`${what} (-?\\$[\\d,]+\\.\\d\\d)`).exec((await bar.getAttribute('aria-label')) ?? '')?.[1] ?? '');
/** What the list says its rows add up to. */
async function sumOf(page: Page): Promise<number> {
  const sum = page
    .getByRole('main')
    .getByText(/^[\d,]+ success, \$/)
    .first();
  await sum.waitFor();
  return cents(/\$[\d,]+\.\d\d/.exec((await sum.textContent()) ?? '')?.[0] ?? '');
}

for (const [person, whose] of [
  ['ann', 'a tenant'],
  ['super', 'all tenants'],
] as const) {
  test(`a bar leads to the list behind it, which adds up to it to the cent, of ${whose}`, async () => {
    const page = await start(person, '/overview');
    for (const [name, bar, what] of [
      ['Payment methods', /^Card: /, 'Purchases'],
      ['By month', /^\w+ \d{4}: /, 'Purchases'],
      ['Top players', /@/, 'Purchases'],
      ['Affiliates', /^No affiliate: /, 'Purchases'],
    ] as const) {
      const shown = picture(page, name).getByRole('link', { name: bar });
      const one = name === 'By month' ? shown.nth(-2) : shown.first();
      const amount = await amountOf(one, what);
      assert.ok(amount > 0, name);
      await one.click({ force: true });
      assert.is(await sumOf(page), amount, name);
      await page.goBack();
      await picture(page, 'Pending').waitFor();
    }
  });
}

test('the keyboard walks the bars and opens the list of one', async () => {
  const page = await start('ann', '/overview?unit=week');
  const chart = picture(page, 'By week');
  await chart.locator('a[tabindex="0"]').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const tip = page.locator('.tip');
  await tip.waitFor();
  const label = await page.locator(':focus').getAttribute('aria-label');
  assert.ok(label?.startsWith((await tip.locator('strong').textContent()) ?? '-'));
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.waitForURL(/tab=purchases&status=success&settled_from=/);
});

test('the values are under the mouse; the table and the files have the same figures', async () => {
  const page = await start('ann', '/overview');
  const methods = picture(page, 'Payment methods');
  const bar = methods.getByRole('link', { name: /^Card: / }).first();
  await bar.scrollIntoViewIfNeeded();
  await bar.locator('.hit').hover();
  await page.locator('.tip', { hasText: 'Card' }).waitFor();
  await button(methods, 'Table').click();
  const first = rows(methods.getByRole('table'));
  const inTable = (await first.evaluateAll((all) => all.map((row) => row.children[1]?.textContent ?? ''))).map(cents);

  const file = async (kind: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(methods, `Payment methods as ${kind}`).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: readFileSync((await download.path()) ?? '') };
  };
  const csv = await file('CSV');
  assert.match(csv.name, /^overview-\d{4}-\d\d-01-methods\.csv$/);
  const lines = csv.bytes.toString().trim().split('\r\n').slice(1);
  assert.equal(
    lines.map((line) => Math.round(Number(/^"[^"]*",([\d.]+)/.exec(line)?.[1]) * 100)),
    inTable,
  );
  const png = await file('PNG');
  assert.is(png.bytes.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.bytes.length > 10_000, 'something is drawn');
});

test('it is opened from Today’s Metrics, and fits a phone', async () => {
  const page = await start('super', '/overview', { viewport: { width: 390, height: 844 } });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await visit.goTo('/tenant/2/admin');
  await button(page, '☰ Tenant menu').click();
  await page.getByRole('region', { name: "Today's Metrics" }).getByRole('link', { name: 'Overview' }).click();
  await picture(page, 'Pending').waitFor();
  assert.match(page.url(), /\/overview\?tenant=2$/);
});

test.run();

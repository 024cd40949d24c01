/** The overview: from a bar to its list, by mouse and by keyboard, as a table and as files, in a real browser. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { button, cents, rows, settled } from './seen';

let visit: Visit;
async function start(person: Person, path: string, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit(options);
  await visit.signIn(person, path);
  await picture(visit.page, 'Money that players hold').waitFor();
  await settled(visit.page);
  return visit.page;
}
test.after.each(() => assert.equal(visit.faults, []));
test.after(() => visit?.close());

async function choose(page: Page, item: string): Promise<void> {
  await button(page, 'Actions for Payment methods').click();
  await page.getByRole('menuitem', { name: item }).click();
}
const picture = (page: Page, name: string): Locator => page.getByRole('figure', { name, exact: true });
test('the values are under the mouse; the table and the files have the same figures', async () => {
  const page = await start('ann', '/overview');
  const methods = picture(page, 'Payment methods');
  const bar = methods.getByRole('link', { name: /^Card: / }).first();
  await bar.scrollIntoViewIfNeeded();
  await bar.locator('.hit').hover();
  await page.locator('.tip', { hasText: 'Card' }).waitFor();
  await choose(page, 'Show table');
  const first = rows(methods.getByRole('table'));
  const inTable = (await first.evaluateAll((all) => all.map((row) => row.children[1]?.textContent ?? ''))).map(cents);

  const file = async (kind: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(page, `Save as ${kind}`)]);
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

test('a tap says what a bar is; a second tap, or the link there, opens its list', async () => {
  const page = await start('ann', '/overview', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const bar = picture(page, 'By month').locator('a .hit').last();
  const link = page.locator('.tip').getByRole('link', { name: /^Show [\d,]+ (purchases|redeems)$/ });
  await bar.tap();
  await link.waitFor();
  assert.match(page.url(), /\/overview$/);
  await bar.tap();
  await page.waitForURL(/settled_from=/);
  await visit.goTo('/overview');
  await bar.tap();
  await link.tap();
  await page.waitForURL(/settled_from=/);
});

test('it is the last tab of a tenant, and fits a phone', async () => {
  const page = await start('super', '/overview', { viewport: { width: 390, height: 844 } });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await visit.goTo('/tenant/2/admin');
  await button(page, '☰ Tenant menu').click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await picture(page, 'Money that players hold').waitFor();
  assert.match(page.url(), /\/tenant\/2\/admin\?tab=overview$/);
});

test.run();

/** The overview: from a bar to its list, by mouse and by touch, as a table and as files. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, journey, type VisitOptions } from './harness';
import { button, cents, rows, settled } from './seen';

async function start(options: VisitOptions = {}): Promise<Page> {
  const { page } = await enter('ann', '/overview', options);
  await picture(page, 'Money that players hold').waitFor();
  await settled(page);
  return page;
}
async function choose(page: Page, item: string): Promise<void> {
  await button(page, 'Actions for Payment methods').click();
  await page.getByRole('menuitem', { name: item }).click();
}
const picture = (page: Page, name: string): Locator => page.getByRole('figure', { name, exact: true });
journey('the values are under the mouse; the table and the files have the same figures', async () => {
  const page = await start();
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

journey('a tap says what a bar is; a second tap, or the link there, opens its list', async () => {
  const page = await start({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const bar = picture(page, 'By month').locator('a .hit').last();
  const link = page.locator('.tip').getByRole('link', { name: /^Show [\d,]+ (purchases|redeems)$/ });
  await bar.tap();
  await link.waitFor();
  assert.match(page.url(), /\/overview$/);
  await bar.tap();
  await page.waitForURL(/settled_from=/);
  await page.goBack();
  await bar.tap();
  await link.tap();
  await page.waitForURL(/settled_from=/);
});

test.run();

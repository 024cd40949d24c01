/** No amount is cut at any width, and a reference too long for its column ends well, in a real browser. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { oneAfterTheOther } from './harness';
import { rows, settled } from './seen';

const visits = oneAfterTheOther();
async function start(path: string): Promise<Page> {
  const page = await visits.open('super', path);
  await rows(page.getByRole('main').getByRole('table')).first().waitFor();
  await settled(page);
  return page;
}
test.after(() => visits.leave());

/** Amounts and heads of which a part is hidden, by the end of the frame or by something above them. */
const cutIn = (page: Page) =>
  page
    .locator('main .frame')
    .first()
    .evaluate((frame) =>
      [...frame.querySelectorAll('tbody tr:nth-child(-n + 8) td:has(.money)')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth)
        .map((cell) => cell.textContent),
    );

for (const path of [
  '/users',
  '/purchases',
  '/deposits',
  '/redeems',
  '/tenant/2/admin',
  '/tenant/2/admin?tab=redeems',
]) {
  test(`money is whole in its cell, and a wide list scrolls in its frame, not the page: ${path}`, async () => {
    const page = await start(path);
    for (const width of [768, 900, 1024, 1150, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      assert.equal(await cutIn(page), [], `${width} px`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
    }
  });
}

test('a reference too long for its column ends in an ellipsis, and is whole under the mouse', async () => {
  const page = await start('/purchases');
  await page.setViewportSize({ width: 1024, height: 768 });
  const reference = page.locator('tbody td.reference[title]').first();
  const { overflow, title } = await reference.evaluate((element) => ({
    overflow: getComputedStyle(element).textOverflow,
    title: element.getAttribute('title'),
  }));
  assert.is(overflow, 'ellipsis');
  assert.is(title, await reference.textContent());
});

test.run();

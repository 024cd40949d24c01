/** No number is cut at any width, and every time says in which zone it stands, in a real browser. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { rows, settled } from './seen';

const test = suite('Days and money, in a real browser');
let visit: Visit;
async function start(person: Person, path: string, options: Parameters<typeof newVisit>[0] = {}): Promise<Page> {
  await visit?.close();
  visit = await newVisit(options);
  await visit.signIn(person);
  await visit.goTo(path);
  await rows(visit.page.getByRole('main').getByRole('table')).first().waitFor();
  await settled(visit.page);
  return visit.page;
}
test.after(() => visit?.close());

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

for (const width of [768, 900, 1024, 1150, 1280, 1440]) {
  test(`money is whole in its cell, and a wide list scrolls in its frame, not the page: ${width} px`, async () => {
    const page = await start('super', '/users', { viewport: { width, height: 800 } });
    for (const path of [
      '/users',
      '/purchases',
      '/deposits',
      '/redeems',
      '/tenant/2/admin',
      '/tenant/2/admin?tab=redeems',
    ]) {
      await visit.goTo(path);
      await rows(page.getByRole('main').getByRole('table')).first().waitFor();
      await settled(page);
      assert.equal(await cutIn(page), [], path);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
    }
  });
}

test('a reference too long for its column ends in an ellipsis, and is whole under the mouse', async () => {
  const page = await start('super', '/purchases', { viewport: { width: 1024, height: 768 } });
  const reference = page.locator('tbody td.reference[title]').first();
  const { overflow, title } = await reference.evaluate((element) => ({
    overflow: getComputedStyle(element).textOverflow,
    title: element.getAttribute('title'),
  }));
  assert.is(overflow, 'ellipsis');
  assert.is(title, await reference.textContent());
});

test.run();

/** Dangerous clicks ask and name what they touch; a row has its actions in reach, and the bin stands apart. */
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { button, rows, settled, table } from './seen';

let visit: Visit | undefined;
test.after.each(async () => {
  await visit?.close();
  visit = undefined;
});
async function open(person: Person, path: string, list: string): Promise<Page> {
  visit = await newVisit({ reducedMotion: 'reduce' });
  await visit.signIn(person, path);
  await rows(table(visit.page, list)).first().waitFor();
  await settled(visit.page);
  return visit.page;
}
const box = async (of: Locator) => {
  const found = await of.boundingBox();
  if (!found) throw new Error('not to be seen');
  return found;
};
const menu = (page: Page) => page.getByRole('menu');

test('the focus stays in its row when the tools of the list arrive', async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  const { page } = visit;
  await visit.signIn('ann', '/?size=25');
  const opener = rows(table(page, 'Users')).first().locator('[aria-haspopup=menu]');
  await opener.focus();
  await button(page, 'Columns').waitFor();
  await settled(page);
  assert.ok(await opener.evaluate((element) => element === document.activeElement));
});

test('a menu stays open, with the focus in it, when the tools of the list arrive', async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  const { page } = visit;
  // They come two seconds after the rows, or when somebody scrolls (useRested). Here only with the latter.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window) as (work: TimerHandler, ms?: number) => number;
    window.setTimeout = ((work: TimerHandler, ms?: number) => (ms === 2000 ? 0 : wait(work, ms))) as typeof setTimeout;
  });
  await visit.signIn('ann', '/?size=25');
  const opener = rows(table(page, 'Users')).first().locator('[aria-haspopup=menu]');
  await opener.click();
  await menu(page).waitFor();
  await page.keyboard.press('ArrowDown');
  assert.is(await button(page, 'Columns').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('scroll')));
  await button(page, 'Columns').waitFor();
  await settled(page);
  assert.ok(await menu(page).isVisible());
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Redeems');
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'detached' });
  assert.ok(await opener.evaluate((element) => element === document.activeElement));
});

test('the menu stays in the window, and closes with a click elsewhere', async () => {
  const page = await open('ann', '/?size=25', 'Users');
  const opener = rows(table(page, 'Users')).last().locator('[aria-haspopup=menu]');
  await opener.scrollIntoViewIfNeeded();
  await opener.click();
  const { y, height, x } = await box(menu(page));
  assert.ok(y >= 0 && x >= 0 && y + height <= 800, `${y} to ${y + height}`);
  await page.mouse.click(300, 400);
  await menu(page).waitFor({ state: 'detached' });
});

test('no e-mail of a row moves when the styles of the other screens arrive', async () => {
  const page = await open('ann', '/?size=25', 'Users');
  await button(rows(table(page, 'Users')).first(), 'View').click(); // brings them
  await button(page.getByRole('dialog'), 'Close').click();
  const row = rows(table(page, 'Users')).first();
  const [email, phone] = [await box(row.locator('td.email')), await box(row.locator('td.phone'))];
  assert.ok(Math.abs(email.y - phone.y) < 1, 'it stands in the first line');
});

test.run();

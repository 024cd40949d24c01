/** Dangerous clicks ask and name what they touch; a row has its actions in reach, and the bin stands apart. */
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';
import { button, cell, chooseTool, dialog, message, rows, rowWith, settled, table } from './seen';

const test = suite('Row actions, in a real browser');
let visit: Visit | undefined;
test.after.each(async () => {
  await visit?.close();
  visit = undefined;
});
async function open(person: Person, path: string, list: string): Promise<Page> {
  visit = await newVisit({ reducedMotion: 'reduce' });
  await visit.signIn(person);
  await visit.goTo(path);
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

test('the specified buttons stand in the row, the rest in a menu named after the player, the bin apart', async () => {
  const page = await open('ann', '/?size=25', 'Users');
  const row = rows(table(page, 'Users')).nth(3),
    email = await cell(row, 'Email');
  const names = [
    'Edit',
    'Edit Balances',
    'Platform Credentials',
    'Transaction History',
    'View',
    `Actions for ${email}`,
  ];
  const edges = await Promise.all(names.map((name) => box(button(row, name))));
  const gaps = edges.slice(1).map(({ x }, n) => x - (edges[n]?.x ?? 0) - (edges[n]?.width ?? 0));
  assert.ok(Math.max(...gaps) < 2, 'they stand side by side');
  const last = edges.at(-1);
  const bin = await box(button(row, 'Delete'));
  assert.ok(bin.x - ((last?.x ?? 0) + (last?.width ?? 0)) >= 8, 'the bin has a gap before it');
  assert.equal(await row.getByRole('button').last().innerText(), 'Delete', 'and nothing behind it');

  // by keyboard alone
  await button(row, `Actions for ${email}`).focus();
  await page.keyboard.press('Enter');
  await menu(page).waitFor();
  const items = await menu(page).getByRole('menuitem').allInnerTexts();
  assert.equal(items, ['Purchases', 'Redeems', 'Notes', 'Audit', 'Copy email']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.is(await focused(), `Actions for ${email}`, 'the focus is back where it was');
  await page.keyboard.press('Enter');
  await menu(page).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog(page, email).waitFor();
  assert.is(new URL(page.url()).searchParams.get('part'), 'redeems');
  await button(dialog(page, email), 'Close').click();
  await dialog(page, email).waitFor({ state: 'detached' });
  assert.is(await focused(), `Actions for ${email}`);
});

test('the focus stays in its row when the tools of the list arrive', async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
  const { page } = visit;
  await visit.signIn('ann');
  await visit.goTo('/?size=25');
  const opener = rows(table(page, 'Users')).first().locator('button.more');
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
  await visit.signIn('ann');
  await visit.goTo('/?size=25');
  const opener = rows(table(page, 'Users')).first().locator('button.more');
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
  const opener = rows(table(page, 'Users')).last().locator('button.more');
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

test('deleting a player, ending a session and disabling an admin ask first, and name whom it is about', async () => {
  const page = await open('ann', '/?size=25&search=maria', 'Users');
  const row = rows(table(page, 'Users')).first(),
    email = await cell(row, 'Email');
  await button(row, 'Delete').click();
  await dialog(page, 'Delete this user?').getByText(email, { exact: true }).waitFor();
  await button(dialog(page, 'Delete this user?'), 'Cancel').click();

  const other = await newVisit();
  try {
    await other.signIn('ann');
    await chooseTool(page, 'Account');
    const session = rowWith(table(page, 'Your sessions'), 'End');
    const [browser, address] = [await cell(session, 'Browser'), await cell(session, 'Address')];
    await button(session, 'End').click();
    await dialog(page, 'End this session?').getByText(`${browser}, ${address}`).waitFor();
    await button(dialog(page, 'End this session?'), 'Cancel').click();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Logout' }).waitFor();
    await button(session, 'End').click();
    await button(dialog(page, 'End this session?'), 'End').click();
    await message(page, 'Session ended').waitFor();
    await other.page.reload();
    await button(other.page, 'Login').waitFor();
  } finally {
    await other.close();
  }
});

test('an assignment is taken away in the matrix after a question that names both', async () => {
  const page = await open('super', '/platforms?show=matrix', 'Assignments');
  const check = page.getByRole('button', { name: / is assigned to Bravo$/ }).last();
  const [name = ''] = [await check.getAttribute('aria-label')],
    platform = name?.replace(/ is assigned to .*/, '') ?? '';
  await check.click();
  await page.getByRole('menuitem', { name: 'Unassign' }).click();
  const question = dialog(page, `Unassign ${platform} from Bravo?`);
  await button(question, 'Cancel').click();
  assert.ok(await button(page, name ?? '').isVisible(), 'still assigned');
  await button(page, name ?? '').click();
  await page.getByRole('menuitem', { name: 'Unassign' }).click();
  await button(question, 'Unassign').click();
  await message(page, 'Platform unassigned from tenant').waitFor();
  await button(page, `Assign ${platform} to Bravo`).click();
  const form = dialog(page, 'Platform Credentials');
  await form.getByLabel('Username').fill('bravo');
  await form.getByLabel('Password').fill('a secret');
  await button(form, 'Save').click();
  await message(page, 'Credentials updated').waitFor();
  await button(page, name ?? '').waitFor();
});

test.run();

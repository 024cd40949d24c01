/**
 * The view of a player is the place of work: one click from any list and back to the same place, what is pending is
 * decided in it, and the search leads to it and does what buttons do.
 */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, people, type Visit } from './harness';
import { button, callByHand, cents, dialog, message, rows, settled, table } from './seen';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
type Options = Parameters<typeof newVisit>[0];
interface Item {
  id: number;
  user_email: string;
  player_id: number;
  amount: number;
}

async function signedIn(person: Person, options: Options = {}): Promise<{ visit: Visit; page: Page }> {
  const visit = await newVisit({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  await visit.signIn(person);
  return { visit, page: visit.page };
}
async function get<T>(page: Page, path: string): Promise<T> {
  const { status, body } = await callByHand(page, 'GET', `/api/v1/admin/${path}`);
  assert.is(status, 200, path);
  return JSON.parse(body) as T;
}
/** A pending redeem of a player who has no other, and is not on hold. */
async function findPending(page: Page): Promise<Item> {
  const all = await get<(Item & { payout_hold: string | null })[]>(page, 'redeems?status=pending&limit=200');
  const found = all.find(
    (one) => !one.payout_hold && all.filter(({ player_id }) => player_id === one.player_id).length === 1,
  );
  assert.ok(found);
  return found;
}
const drawer = (page: Page, email: string) => dialog(page, email);
const address = (page: Page) => page.evaluate(() => decodeURIComponent(location.pathname + location.search));
const toDecide = (page: Page) => table(page, 'To decide');
/** A figure above the parts, in cents. */
const figure = async (page: Page, name: string) =>
  cents(await page.locator('.plain-figures > div', { hasText: name }).locator('dd').innerText());
async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Players/ }).fill(words);
}
const usd = (amount: number) => `$${amount.toFixed(2)}`;
const isInside = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test('one click on an e-mail opens the player; Back leads to the same place, with the focus', async () => {
  const { visit, page } = await signedIn('ann');
  for (const [path, name] of [
    ['/?tab=purchases', 'Latest Purchases (Tenant)'],
    ['/?tab=redeems', 'Redeems'],
    ['/?sort=email&order=asc', 'Users'],
  ] as const) {
    await visit.goTo(path);
    await rows(table(page, name)).nth(30).waitFor();
    await settled(page);
    const frame = page.locator('main .frame');
    await frame.hover();
    await page.mouse.wheel(0, 700);
    await page.waitForFunction(() => (document.querySelector('main .frame')?.scrollTop ?? 0) === 700);
    // Rows out of sight are not laid out: what is clicked is what a person sees in the middle of the list.
    const box = await frame.boundingBox();
    assert.ok(box);
    const [email, at] = await page.evaluate(
      ([x, y]) => {
        const row = document.elementFromPoint(x, y)?.closest('tr');
        const link = row?.querySelector<HTMLAnchorElement>('.email a');
        const { left = 0, top = 0, height = 0 } = link?.getBoundingClientRect() ?? {};
        return [link?.title ?? '', { x: left + 5, y: top + height / 2 }] as const;
      },
      [box.x + 300, box.y + box.height / 2] as const,
    );
    await page.mouse.click(at.x, at.y);
    await drawer(page, email)
      .getByText(/^ID \d+/)
      .waitFor();
    assert.match(await address(page), new RegExp(`^/users\\?search=${email.replaceAll('.', '\\.')}&player=\\d+$`));
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('main .frame')?.scrollTop === 700);
    await page.waitForFunction((title) => document.activeElement?.getAttribute('title') === title, email);
    assert.is(await address(page), path);
    assert.is(await drawer(page, email).count(), 0);
  }
  assert.equal(visit.faults, []);
  await visit.close();
});

test('on a phone, too', async () => {
  const { visit, page } = await signedIn('ann', { ...phone, colorScheme: 'dark' });
  await visit.goTo('/?tab=purchases');
  await rows(table(page, 'Latest Purchases (Tenant)')).nth(30).waitFor();
  await settled(page);
  const link = rows(table(page, 'Latest Purchases (Tenant)')).nth(20).locator('.email a');
  await link.scrollIntoViewIfNeeded();
  const email = await link.innerText();
  // A tap may scroll first.
  await page.evaluate(() =>
    addEventListener('click', () => sessionStorage.setItem('left at', String(scrollY)), { capture: true, once: true }),
  );
  await link.tap();
  await drawer(page, email)
    .getByText(/^ID \d+/)
    .waitFor();
  assert.match(await address(page), /^\/users\?search=[^&]+&player=\d+$/);
  assert.ok(await isInside(page));
  await page.goBack();
  const top = await page.evaluate(() => Number(sessionStorage.getItem('left at')));
  assert.ok(top > 1000);
  await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, top);
  assert.equal(visit.faults, []);
  await visit.close();
});

test('a pending redeem is decided there by mouse, with an undo, and every figure moves', async () => {
  const { visit, page } = await signedIn('ann');
  const redeem = await findPending(page);
  await visit.goTo(`/?tab=redeems&text=${redeem.id}`);
  await page.getByRole('link', { name: redeem.user_email }).click();
  const row = toDecide(page).locator(`[data-id="${redeem.id}"]`);
  const before = await figure(page, 'Held');
  await row.getByRole('combobox').selectOption('failed');
  const line = page.getByRole('status', { name: 'Decisions not sent yet' });
  await line.getByText(`${redeem.user_email}, ${usd(redeem.amount)}: Failed in 5 seconds`).waitFor();
  await button(line, 'Undo').click();
  assert.is(await row.getByRole('combobox').inputValue(), 'pending');
  await row.getByRole('combobox').selectOption('failed');
  await button(page, 'Balances').click();
  await message(page, 'Status updated').waitFor();
  await page
    .locator('.plain-figures > div', { hasText: 'Held' })
    .getByText(usd(before / 100 - redeem.amount), { exact: true })
    .waitFor();
  await rows(table(page, 'Ledger')).filter({ hasText: people.ann }).first().waitFor();
  await button(page, 'Close').click();
  await settled(page);
  assert.equal(visit.faults, []);
  await visit.close();
});

test('by keyboard alone: from the search to the decision, with a reason', async () => {
  const { visit, page } = await signedIn('ann');
  const redeem = await findPending(page);
  await search(page, redeem.user_email);
  await page.getByRole('group', { name: 'Players' }).getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await toDecide(page).locator(`[data-id="${redeem.id}"]`).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('j');
  while (!(await page.evaluate((id) => document.activeElement?.matches(`[data-id="${id}"]`), redeem.id)))
    await page.keyboard.press('j');
  await page.keyboard.press('f');
  await page.keyboard.press('r');
  await page.keyboard.type('Cust');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await message(page, 'Status updated').waitFor();
  await button(page, 'Redeems').press('Enter');
  await rows(table(page, 'Redeems'))
    .locator(`xpath=self::*[@data-id="${redeem.id}"]`)
    .getByRole('button', { name: 'Details' })
    .press('Enter');
  await dialog(page, `Redeem ${redeem.id}`).getByText('Customer request').waitFor();
  await page.keyboard.press('Escape');
  await drawer(page, redeem.user_email).waitFor();
  assert.equal(visit.faults, []);
  await visit.close();
});

test('by touch: a decision in the view, with targets for a finger', async () => {
  const { visit, page } = await signedIn('ann', phone);
  const redeem = await findPending(page);
  await visit.goTo(`/users?search=${redeem.user_email}&player=${redeem.player_id}`);
  const row = toDecide(page).locator(`[data-id="${redeem.id}"]`);
  await row.waitFor();
  for (const target of [
    row.getByRole('combobox'),
    button(row, 'Details'),
    button(drawer(page, redeem.user_email), 'Edit Balances'),
  ]) {
    const box = await target.boundingBox();
    assert.ok(box && box.height >= 44, 'a finger hits it');
  }
  await row.getByRole('combobox').tap();
  await row.getByRole('combobox').selectOption('failed');
  await page.getByText(`${redeem.user_email}, ${usd(redeem.amount)}: Failed in 5 seconds`).waitFor();
  await button(page, 'Close').tap();
  await message(page, 'Status updated').waitFor();
  assert.equal(visit.faults, []);
  await visit.close();
});

test.run();

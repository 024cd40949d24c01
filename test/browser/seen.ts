/** What a person does with the app and reads off it: everything is found by its role, its label or its words. */
import type { Locator, Page } from 'playwright-core';
import { TOAST_MS } from '../../src/contract/constants';
import type { PlayerPage } from '../../src/contract/entities';

const exactly = (words: string) => new RegExp(`^\\s*${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*×?\\s*$`);

/** The message of these words, with or without a second line, when it stands there. */
export const message = (page: Page, words: string): Locator =>
  page
    .getByRole('region', { name: 'Messages' })
    .locator('p')
    .filter({ has: page.locator('span', { hasText: exactly(words) }) });
/** Waits for a message and takes it away, so that the same words can be waited for again. */
export async function saying(page: Page, words: string): Promise<void> {
  const shown = message(page, words).first();
  await shown.waitFor();
  // On a busy machine it may have gone by itself before the click.
  const dismiss = shown.getByRole('button', { name: 'Dismiss' });
  await dismiss.click({ timeout: TOAST_MS + 1000 }).catch(() => {});
  await shown.waitFor({ state: 'detached' });
}

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
export const button = (place: Page | Locator, name: string): Locator =>
  place.getByRole('button', { name, exact: true });
export const field = (place: Page | Locator, label: string): Locator => place.getByLabel(label, { exact: true });
export const choice = (place: Page | Locator, label: string): Locator =>
  place.getByRole('combobox', { name: label, exact: true });
export const table = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true }).getByRole('table');
export const rows = (of: Locator): Locator => of.locator('tbody tr:not(.note)');
export const rowWith = (of: Locator, ...words: string[]): Locator =>
  words.reduce((found, hasText) => found.filter({ hasText }), rows(of)).first();

/** Opens a tool of the account menu, or logs out, on a phone out of that menu too. */
export async function chooseTool(page: Page, name: string): Promise<void> {
  // Approvals may tell how many there are.
  const tool = page.getByRole('button', { name: new RegExp(`^${name}( \\(\\d+\\))?$`) });
  if (!(await tool.isVisible())) await page.getByRole('banner').locator('.who').click();
  await tool.click();
}

/** Follows a link of a side menu; on a narrow screen out of its drawer. */
export async function choose(page: Page, menu: 'Screens' | 'Tenant', name: string): Promise<void> {
  const drawer = page.getByRole('button', { name: menu === 'Tenant' ? '☰ Tenant menu' : '☰ Menu', exact: true });
  if (await drawer.count()) await drawer.click();
  await page
    .getByRole('navigation', { name: menu, exact: true })
    .getByRole(menu === 'Tenant' ? 'tab' : 'link', { name, exact: true })
    .click();
}

/** The text of a row's cell below that column's head. */
export async function cell(row: Locator, column: string): Promise<string> {
  await row.scrollIntoViewIfNeeded();
  const heads = await row.locator('xpath=ancestor::table').locator('thead th').allInnerTexts();
  const index = heads.findIndex((head) => head.trim() === column);
  if (index < 0) throw new Error(`no column ${column} among ${heads.join(', ')}`);
  // A row that was just scrolled to may not be laid out yet.
  return ((await row.locator('td').nth(index).textContent()) ?? '').trim();
}

/** An amount on screen, in whole cents: '-$1,234.50' is -123450. */
export function cents(shown: string): number {
  const digits = /^(-?)\$([\d,]+)\.(\d\d)$/.exec(shown.trim());
  if (!digits) throw new Error(`not an amount: ${shown}`);
  const [, sign = '', dollars = '', rest = ''] = digits;
  return Number(sign + dollars.replaceAll(',', '') + rest);
}

/**
 * Sends what is decided and not sent yet, as the app does when its page is left: nobody needs five seconds to undo
 * where it is not about them.
 */
export const sendNow = (page: Page): Promise<unknown> => page.evaluate(() => dispatchEvent(new Event('pagehide')));
/** Whether the page itself does not scroll sideways. */
export const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
export const hasFocus = (of: Locator): Promise<boolean> => of.evaluate((element) => element === document.activeElement);
/** Where it stands. */
export async function box(of: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await of.boundingBox();
  if (!found) throw new Error('not to be seen');
  return found;
}

/** Waits until no list and no control is busy. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
}

/** Looks players up as a person does: types into the search box, and waits for the list of exactly that. */
export async function searchUsers(page: Page, words: string): Promise<void> {
  const box = page.getByLabel('Search by email, name, or phone');
  await box.click(); // waits until no dialog is over it
  await box.fill(words);
  await box.press('Enter');
  await page.waitForFunction((asked) => (new URLSearchParams(location.search).get('search') ?? '') === asked, words);
  await settled(page);
}

/** The four balances in a row of the Users screen, in cents. */
export async function balancesOf(row: Locator) {
  const others = await cell(row, 'Other Balances');
  const other = (name: string) => cents(new RegExp(`${name} (\\S+)`).exec(others)?.[1] ?? '');
  return {
    credit: cents(await cell(row, 'Credit Balance')),
    bonus: other('Bonus'),
    vip: other('VIP'),
    loyalty: other('Loyalty'),
  };
}

/** A call the app would not make, made by hand with the signed-in person's token. */
export const callByHand = (page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([method, path, body]) => {
      const token = localStorage.getItem('token');
      const response = await fetch(path, {
        method,
        headers: {
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(body && { 'Content-Type': 'application/json' }),
        },
        body: body || null,
      });
      return { status: response.status, body: await response.text() };
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
  );

/** What a call of an admin reads, as JSON. */
export async function read<T>(page: Page, path: string): Promise<T> {
  const { status, body } = await callByHand(page, 'GET', `/api/v1/admin/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return JSON.parse(body);
}

/** Pending redeems of 2 cents, each of another player of Acme: however few the hour has left in the sample. */
export async function makeRedeems(page: Page, count: number): Promise<void> {
  const { users } = await read<PlayerPage>(page, 'user-management/users/?page_size=200&is_active=true');
  const able = users.filter(({ tenant_id, credit_balance }) => tenant_id === 2 && credit_balance >= 1);
  for (const { email: user_email } of able.slice(0, count)) {
    const payout = { platform: 'vblink', payout_method: 'Cash Tag', payout_address: '$sample', tenant_id: 2 };
    const { status } = await callByHand(page, 'POST', '/api/v1/admin/redeems/manual', {
      user_email,
      amount: 0.02,
      ...payout,
    });
    if (status >= 300) throw new Error(`No redeem of ${user_email}: ${status}`);
  }
}

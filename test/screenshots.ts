/** The pictures of the documentation: the main screens of the demo, and one of them on a phone. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { newVisit, type Person } from './browser/harness';
import { button, chooseTool, rows, settled, table } from './browser/seen';
import { smallPng } from './smallPng';

/** A picture in the repository stays small. */
const MAX_BYTES = 120_000;
const desktop = { width: 1280, height: 800 },
  phone = { width: 390, height: 844 };

interface Picture {
  name: string;
  person: Person;
  path: string;
  viewport?: typeof desktop;
  /** What is opened before the picture is taken. */
  open?: (page: Page) => Promise<void>;
}

const first = (page: Page, list: string) => rows(table(page, list)).first();
/** Names in Latin letters: not every machine has fonts for all the scripts of the sample data. */
const USERS = '/?size=25&search=son&sort=credit_balance&order=desc';
const pictures: readonly Picture[] = [
  { name: 'users-light', person: 'ann', path: USERS },
  { name: 'redeems', person: 'ann', path: '/?tab=redeems&text=son' },
  {
    name: 'player',
    person: 'ann',
    path: USERS,
    open: async (page) => {
      await button(first(page, 'Users'), 'View').click();
      await button(page.getByRole('dialog'), 'Balances').click();
      await first(page, 'Ledger').waitFor();
    },
  },
  {
    name: 'overview',
    person: 'ann',
    path: '/overview',
    open: (page) => page.getByRole('figure', { name: 'Money that players hold' }).waitFor(),
  },
  {
    name: 'books',
    person: 'ann',
    path: USERS,
    open: async (page) => {
      await chooseTool(page, 'Books');
      await first(page, 'Months').waitFor();
    },
  },
  {
    name: 'team',
    person: 'mona',
    path: USERS,
    open: async (page) => {
      await chooseTool(page, 'Team');
      await first(page, 'Team').waitFor();
    },
  },
  {
    name: 'counter-queue',
    person: 'ann',
    viewport: { width: 1440, height: 800 },
    path: '/?tab=deposits&status=pending',
    open: async (page) => {
      await button(rows(table(page, 'Deposits (Platform Only)')).nth(1), 'Take').click();
      await button(first(page, 'Deposits (Platform Only)'), 'Look up').click();
      await page.getByText('Credit', { exact: true }).waitFor();
    },
  },
  { name: 'counter-returns', person: 'ann', path: '/?tab=returns' },
  {
    name: 'counter-statement',
    person: 'ann',
    path: '/?tab=returns',
    open: async (page) => {
      await chooseTool(page, 'Books');
      await page
        .getByRole('button', { name: /^Statement of/ })
        .first()
        .click();
      await first(page, 'Accounts of players').waitFor();
    },
  },
  { name: 'counter-phone', person: 'ann', path: '/?tab=deposits&status=pending', viewport: phone },
  { name: 'users-phone', person: 'ann', path: USERS, viewport: phone },
  // Last: the rules are looked at once a minute.
  {
    name: 'bells',
    person: 'ben',
    path: USERS,
    open: async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByRole('group', { name: 'Notifications' }).getByRole('listitem').first().waitFor();
    },
  },
];

/** Writes each picture as `folder`/name.png; throws if one is too large. */
export async function takeScreenshots(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const picture of pictures) {
    const file = `${folder}/${picture.name}.png`;
    const png = smallPng(await take(picture));
    writeFileSync(file, png);
    console.log(`${file}  ${Math.round(png.length / 1000)} kB`);
    if (png.length > MAX_BYTES) throw new Error(`${file} has ${png.length} bytes; at most ${MAX_BYTES} are allowed`);
  }
}

async function take({ person, path, viewport = desktop, open }: Picture): Promise<Buffer> {
  const visit = await newVisit({ viewport, colorScheme: 'light', locale: 'en-US', timezoneId: 'UTC' });
  try {
    await visit.signIn(person, path);
    await visit.page.locator('tbody tr, figure').first().waitFor();
    await settled(visit.page);
    // On a phone the figures of today are in the menu.
    if (viewport !== phone) await visit.page.getByRole('button', { name: /^New Sign Ups Today: \d/ }).waitFor();
    await open?.(visit.page);
    await settled(visit.page);
    await visit.page.mouse.move(0, 0);
    return await visit.page.screenshot({ caret: 'hide', animations: 'disabled' });
  } finally {
    await visit.close();
  }
}

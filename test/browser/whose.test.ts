/** Whose it is: rows, figures, the title bar and the document's title name the tenant, in a real browser. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, cell, choice, choose, dialog, heading, rows, settled, table } from './seen';

const test = suite('Whose it is, in a real browser');
let visit: Visit;
test.before(async () => {
  visit = await newVisit();
  await visit.signIn('super');
});
test.after(() => visit.close());

const ACME = 2;
async function open(path: string, list: string): Promise<Page> {
  await visit.goTo(path);
  await rows(table(visit.page, list)).first().waitFor();
  await settled(visit.page);
  return visit.page;
}
/** The tenants that the rows on screen name, each once. */
const namedIn = async (page: Page, list: string): Promise<string[]> => {
  const names = await table(page, list).locator('tbody td.tenant').allTextContents();
  return [...new Set(names.map((name) => name.trim()))].sort();
};

for (const [path, list, tab] of [
  ['/redeems', 'Redeems', 'redeems'],
  ['/purchases', 'Latest Purchases (All Tenants)', 'purchases'],
  ['/deposits', 'Deposits (Platform Only)', 'deposits'],
  ['/users', 'Users', null],
] as const) {
  test(`a list of all names each row's tenant, and can be narrowed down to one: ${path}`, async () => {
    const page = await open(path, list);
    assert.ok((await namedIn(page, list)).length > 1, 'rows of several tenants');
    await choice(page, 'By tenant').selectOption('Acme');
    await page.waitForURL(/[?&]tenant=2\b/);
    await rows(table(page, list)).filter({ hasText: 'Bravo' }).first().waitFor({ state: 'detached' });
    await settled(page);
    assert.equal(await namedIn(page, list), ['Acme']);
    await page.reload();
    await rows(table(page, list)).first().waitFor();
    await settled(page);
    assert.equal(await namedIn(page, list), ['Acme'], 'it is in the address');
    await table(page, list).getByRole('link', { name: 'Acme' }).first().click();
    await page.waitForURL(/\/tenant\/2\/admin/);
    assert.is(new URL(page.url()).searchParams.get('tab'), tab);
    await heading(page, 'Acme').waitFor();
    await rows(page.getByRole('tabpanel').getByRole('table')).first().waitFor();
    assert.is(await page.getByRole('columnheader', { name: 'Tenant' }).count(), 0, 'there all rows are of one');
  });
}

test('the details of a transaction and the lists of today name the tenant', async () => {
  const page = await open('/purchases', 'Latest Purchases (All Tenants)');
  const first = rows(table(page, 'Latest Purchases (All Tenants)')).first();
  const tenant = await cell(first, 'Tenant');
  await button(first, 'Details').click();
  const line = page.getByRole('dialog').getByRole('row').filter({ hasText: 'Tenant' });
  assert.is(await line.getByRole('cell').innerText(), tenant);
  await button(page.getByRole('dialog'), 'Close').click();
  await visit.goTo('/platforms');
  for (const [figure, list] of [
    [/^New Sign Ups Today: \d/, 'New Players Today'],
    [/^First Purchase Today: \d/, 'First Purchases Today'],
  ] as const) {
    await page.getByRole('button', { name: figure }).click();
    await rows(table(page, list)).first().waitFor();
    const all = await rows(table(page, list)).count();
    await choice(dialog(page, list), 'By tenant').selectOption('Acme');
    assert.equal(await namedIn(page, list), ['Acme']);
    assert.ok((await rows(table(page, list)).count()) < all);
    await button(dialog(page, list), 'Close').click();
  }
});

test('the file of all tenants names the tenant of each row, that of one does not', async () => {
  const page = await open('/redeems', 'Redeems');
  const fileHead = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()]);
    const file = await download.createReadStream();
    let text = '';
    for await (const part of file) text += part;
    return text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0];
  };
  assert.match((await fileHead()) ?? '', /^"ID","Tenant","User Email"/);
  await choice(page, 'By tenant').selectOption('Acme');
  await page.waitForURL(/[?&]tenant=2\b/);
  await settled(page);
  assert.match((await fileHead()) ?? '', /^"ID","User Email"/);
});

test("in a tenant's view the figures, the title and the menus are that tenant's, and another is one choice away", async () => {
  const page = await open('/redeems', 'Redeems');
  await page.waitForFunction(() => /^Redeems \(\d+\) · Gaming Management$/.test(document.title));
  const figure = page.getByRole('button', { name: /^New Sign Ups Today: \d/ });
  const ofAll = await figure.innerText();
  await open(`/tenant/${ACME}/admin?tab=redeems`, 'Redeems');
  await page.waitForFunction(() => /^Redeems \(\d+\) · Acme$/.test(document.title));
  await figure.waitFor();
  assert.is.not(await figure.innerText(), ofAll);
  assert.ok(await page.getByRole('banner').getByText('Acme', { exact: true }).isVisible());

  await choice(page, 'Switch tenant').selectOption('Bravo');
  await page.waitForURL(/\/tenant\/3\/admin\?tab=redeems$/);
  await heading(page, 'Bravo').waitFor();
  await page.waitForFunction(() => / · Bravo$/.test(document.title));
  await choose(page, 'Screens', 'Tenants');
  await heading(page, 'Tenants').waitFor();
  assert.is(await page.title(), 'Tenants · Gaming Management');
});

test('nothing is shown for a tenant that does not exist, and nothing can be made for it', async () => {
  await visit.goTo('/tenant/999/admin');
  const { page } = visit;
  await heading(page, 'Tenant not found').waitFor();
  assert.is(await page.getByRole('region', { name: "Today's Metrics" }).count(), 0);
  assert.is(await button(page, 'Create User').count(), 0);
  assert.is(await page.getByText('$0.00').count(), 0);
  await page.getByRole('link', { name: 'All tenants' }).click();
  await heading(page, 'Tenants').waitFor();
});

test("a tenant's own admin reads the tenant and the own e-mail in the bar, and no column for the tenant", async () => {
  const own = await newVisit();
  try {
    await own.signIn('ann');
    await own.goTo('/?tab=redeems');
    const bar = own.page.getByRole('banner');
    await bar.getByText('Acme', { exact: true }).waitFor();
    await bar.getByText('ann@acme.test').waitFor();
    await own.page.waitForFunction(() => /^Redeems \(\d+\) · Acme$/.test(document.title));
    await rows(table(own.page, 'Redeems')).first().waitFor();
    assert.is(await own.page.getByRole('columnheader', { name: 'Tenant' }).count(), 0);
  } finally {
    await own.close();
  }
});

test('figures are read and tools are used: what is rarely needed is in the account menu', async () => {
  await visit.goTo('/tenants');
  const { page } = visit;
  const menu = page.getByRole('group', { name: 'Account menu' });
  await button(page, 'Search').waitFor();
  assert.ok(await button(page, 'Logout').isVisible());
  assert.is(await menu.isVisible(), false);
  await button(page, 'super@demo.test').click();
  for (const name of ['Audit', 'API keys', 'Account']) assert.ok(await button(menu, name).isVisible(), name);
  assert.ok(await choice(menu, 'Colour mode').isVisible());
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  const frame = await page
    .getByRole('button', { name: /^New Sign Ups Today: \d/ })
    .evaluate((element) => getComputedStyle(element).borderTopWidth);
  assert.is(frame, '0px');
});

test.run();

/** The main job, as a super admin does it in a day; every step waits for what a person would see. */
import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Visit } from './harness';
import {
  balancesOf,
  button,
  cell,
  cents,
  choice,
  choose,
  dialog,
  field,
  heading,
  rows,
  rowWith,
  saying,
  searchUsers,
  sendNow,
  settled,
  table,
} from './seen';

/**
 * Signs in, opens a tenant, adds one, finds a player by part of a name, edits it and its balances, reads its history,
 * and settles its purchase.
 */
export async function mainJourney(visit: Visit, name: string) {
  const { page } = visit;
  await visit.signIn('super');
  await heading(page, 'Tenants').waitFor();
  await button(page, 'Acme').click();
  await heading(page, 'Acme').waitFor();
  assert.match(page.url(), /\/tenant\/2\/admin$/);
  await choose(page, 'Screens', 'Tenants');

  const tenantName = `${name} Arcade`;
  await field(page, 'Name').fill(tenantName);
  await field(page, 'Description').fill('Added on the way');
  await button(page, 'Add Tenant').click();
  await saying(page, 'Tenant created successfully');
  assert.is(await cell(rowWith(table(page, 'Tenants'), tenantName), 'Active'), 'Yes');
  assert.is(await field(page, 'Name').inputValue(), '', 'the form is ready for the next one');

  const purchase = await pendingPurchase(visit);
  await page.getByRole('link', { name: purchase.email }).first().click();
  await button(dialog(page, purchase.email), 'Close').click(); // the view of the player leads back to the list
  await heading(page, 'Tenants').waitFor();
  await choose(page, 'Screens', 'Users');
  await searchUsers(page, purchase.email);
  const fullName = await cell(rowWith(table(page, 'Users'), purchase.email), 'Name');

  await searchUsers(
    page,
    fullName
      .split(' ')
      .map((part) => part.slice(0, -1))
      .join(' '),
  );
  const row = rowWith(table(page, 'Users'), purchase.email);
  assert.is(await cell(row, 'Name'), fullName, 'found by part of the name');

  const phone = '+1 555 0142';
  await button(row, 'Edit').click();
  await field(dialog(page, 'Edit User'), 'Phone Number').fill(phone);
  await button(dialog(page, 'Edit User'), 'Save').click();
  await saying(page, 'User updated');
  await settled(page);
  assert.is(await cell(row, 'Phone'), phone);

  const before = await balancesOf(row);
  await editBalances(visit, purchase.email, [
    ['Credit', 'Add', '25.50'],
    ['Loyalty', 'Add', '7'],
  ]);
  await editBalances(visit, purchase.email, [
    ['Credit', 'Add', '0.01'],
    ['Loyalty', 'Remove', '2.25'],
  ]);
  const edited = await balancesOf(row);
  assert.equal(edited, { ...before, credit: before.credit + 2551, loyalty: before.loyalty + 475 });

  await button(row, 'Transaction History').click();
  const history = dialog(page, 'Transaction History');
  const line = rowWith(history.getByRole('table'), '$25.50');
  assert.match(await cell(line, 'Type'), 'ADJUSTMENT');
  await rowWith(history.getByRole('table'), 'TOP_UP').waitFor();
  await button(history, 'Close').click();

  await settle(visit, purchase, 'success');
  await choose(page, 'Screens', 'Users');
  await searchUsers(page, purchase.email);
  const balances = await balancesOf(row);
  assert.equal(balances, { ...edited, credit: edited.credit + purchase.amount }, 'by exactly that amount');
  return { tenantName, player: { email: purchase.email, name: fullName, phone, balances }, purchase };
}
export type Done = Awaited<ReturnType<typeof mainJourney>>;

/** A pending top-up of Acme's, of a player with a first and a last name. */
async function pendingPurchase({ page }: Visit) {
  await button(rowWith(table(page, 'Tenants'), 'Acme'), 'View').click();
  const list = table(page, 'Latest Purchases (Tenant)');
  await rows(list).first().waitFor();
  const pending = rows(list)
    .filter({ hasText: 'TOP_UP' })
    .filter({ has: page.locator('select:not([disabled])') });
  for (const row of await pending.all()) {
    const email = await row.getByRole('link').first().innerText();
    if (/^\w+\.\w+/.test(email))
      return { email, reference: await cell(row, 'Reference'), amount: cents(await cell(row, 'Amount')) };
  }
  throw new Error('nothing is pending at Acme');
}

async function editBalances(
  { page }: Visit,
  email: string,
  changes: [kind: string, operation: string, amount: string][],
): Promise<void> {
  await button(rowWith(table(page, 'Users'), email), 'Edit Balances').click();
  const form = dialog(page, 'Edit Balances');
  for (const [kind, operation, amount] of changes) {
    await choice(form, `${kind} Operation`).selectOption(operation);
    await field(form, kind).fill(amount);
  }
  await button(form, 'Save').click();
  await saying(page, 'Balances updated');
  await form.waitFor({ state: 'detached' });
  await settled(page);
}

/** The row of a purchase on the Purchases screen, found by its reference. */
export async function purchaseOf(page: Page, reference: string): Promise<Locator> {
  await choose(page, 'Screens', 'Purchases');
  await field(page, 'Search purchases').fill(reference);
  return rowWith(table(page, 'Latest Purchases (All Tenants)'), reference);
}

/** Decides a pending purchase on the Purchases screen, and sees it decided for good. */
async function settle({ page }: Visit, { reference }: { reference: string }, status: string): Promise<void> {
  const row = await purchaseOf(page, reference);
  assert.is(await row.getByRole('combobox').inputValue(), 'pending');
  await row.getByRole('combobox').selectOption(status);
  await sendNow(page);
  await saying(page, 'Status updated successfully');
  await settled(page);
  assert.is(await row.getByRole('combobox').inputValue(), status);
  assert.is(await row.getByRole('combobox').isDisabled(), true);
  assert.is.not(await cell(row, 'Completed At'), '-');
}

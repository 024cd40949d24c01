/** Elements are found by the names in the specification and are visible, as a real browser computes both. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Visit } from './harness';
import { button, dialog, field, rows, searchUsers, settled, table } from './seen';

let visit: Visit;
test.before(async () => {
  visit = await newVisit();
  await visit.signIn('ann');
});
test.after(() => visit.close());

test('a column is named by its words alone, and a click anywhere in the head of a sortable one sorts', async () => {
  const { page } = visit;
  await visit.goTo('/users');
  await settled(page);
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  for (const name of [
    'Email',
    'Name',
    'Affiliate',
    'Individual GGR',
    'Credit Balance',
    'Phone',
    'Referral',
    'Other Balances',
  ])
    assert.is(await head(name).count(), 1, name);
  for (const order of ['ascending', 'descending']) {
    const box = await head('Email').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width - 12, box.y + box.height / 2);
    await page.waitForFunction(
      (wanted) => document.querySelector('.users th')?.getAttribute('aria-sort') === wanted,
      order,
    );
  }
});

test('the table of a screen is the only one of its page, and a figure of the sidebar stands there once', async () => {
  const { page } = visit;
  await visit.goTo('/');
  await settled(page);
  await page.getByRole('list', { name: 'Last 30 days' }).waitFor();
  assert.is(await page.getByRole('table').count(), 1);
  const today = await page
    .locator('dt', { hasText: 'Total Purchases' })
    .first()
    .locator('xpath=following-sibling::dd')
    .innerText();
  const side = page.getByRole('complementary'); // on a Sunday the week's figure is the same as today's
  const figures = await side.getByRole('definition').getByText(today, { exact: true }).count();
  assert.is(await side.getByText(today, { exact: true }).count(), figures);
});

test('each part of a row is there to be seen: every balance with its name, every action by its own', async () => {
  const { page } = visit;
  const row = rows(table(page, 'Users')).first();
  for (const name of ['Bonus', 'VIP', 'Loyalty'])
    assert.ok(await row.getByText(name, { exact: true }).isVisible(), name);
  for (const name of ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History', 'Delete'])
    assert.ok(await button(row, name).isVisible(), name);
});

test('GGR of nothing is as green as a gain', async () => {
  const { page } = visit;
  const email = `nothing-${Date.now()}@mail.test`;
  await button(page, 'Create User').click();
  const form = dialog(page, 'Create User');
  await field(form, 'Email').fill(email);
  await field(form, 'Password').fill('long-enough-secret');
  await button(form, 'Save').click();
  const message = page.getByText('User created', { exact: true }); // found by its words alone
  await message.waitFor();
  const isInTheWay = await message.evaluate((shown) => {
    const { x, y, width, height } = shown.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.toasts') !== null;
  });
  assert.not(isInTheWay, 'a message takes no click from what it covers');
  await searchUsers(page, email);
  const ggr = rows(table(page, 'Users')).first().locator('data').first();
  assert.is(await ggr.textContent(), '$0.00');
  const colours = await ggr.evaluate((shown) => {
    const good = document.createElement('p');
    good.className = 'success'; // the green of what went well
    document.body.append(good);
    const both = [getComputedStyle(shown).color, getComputedStyle(good).color];
    good.remove();
    return both;
  });
  assert.is(colours[0], colours[1]);
});

test.run();

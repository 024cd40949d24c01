/** Dialogs and menus keep the focus, by keys alone: what was typed is not lost, nothing moves when tools arrive. */
import type { Page, Route } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, journey } from './harness';
import { box, button, dialog, field, hasFocus, rows, settled, table } from './seen';

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const menu = (page: Page) => page.getByRole('menu');
const opener = (page: Page, nth: number) => rows(table(page, 'Users')).nth(nth).locator('[aria-haspopup=menu]');

journey('Escape asks as often as it is pressed; Enter keeps, Tab and Enter discard', async () => {
  const { page } = await enter('ann', '/users?search=a&size=25');
  await settled(page);
  const edit = button(rows(table(page, 'Users')).first(), 'Edit'),
    form = dialog(page, 'Edit User');
  await edit.click();
  const before = await field(form, 'First Name').inputValue();
  await field(form, 'First Name').fill('Typed');
  const cancel = await box(button(form, 'Cancel'));
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press('Escape');
    assert.is(await focused(page), 'Keep editing');
    const keep = await box(button(form, 'Keep editing'));
    assert.ok(Math.abs(keep.y - cancel.y) < 2, 'where the buttons were: nothing moves');
    await page.keyboard.press('Escape');
    assert.is(await form.getByText('Discard changes?').count(), 0);
    assert.is(await field(form, 'First Name').inputValue(), 'Typed');
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  assert.is(await field(form, 'First Name').inputValue(), 'Typed', 'Enter keeps');
  await button(form, 'Cancel').click();
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'Discard');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await edit.click();
  assert.is(await field(form, 'First Name').inputValue(), before);
});

journey('a form that was refused keeps the focus', async () => {
  const { page } = await enter('ann', '/');
  const refuse = (route: Route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: {} }) : route.continue();
  await page.route(/v1.users.\d+$/, refuse);
  await button(rows(table(page, 'Users')).first(), 'Edit').click();
  const form = dialog(page, 'Edit User');
  await field(form, 'First Name').fill('Typed');
  await button(form, 'Save').click();
  await page.getByText('Failed to save user').waitFor();
  assert.is(await focused(page), 'Save');
});

journey('after a refusal that failed, Enter approves nothing', async () => {
  const { page } = await enter('super', '/tenants?tool=Approvals');
  await page.route('**/approvals/*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  );
  await page
    .getByRole('button', { name: /^Approve: / })
    .first()
    .click();
  const asked = dialog(page, 'Approve this?');
  await button(asked, 'Refuse').click();
  await button(page.locator('dialog[open]').last(), 'Refuse').click();
  await page.locator('.toast.error').first().waitFor();
  await settled(page);
  assert.is(await asked.count(), 1);
  assert.is.not(await focused(page), 'Approve');
});

journey('a menu stays open, with the focus in it, when the tools of the list arrive', async () => {
  const visit = await enter('ann', '/?tab=redeems'),
    { page } = visit;
  // They come two seconds after the rows, or when somebody scrolls (useRested). Here only with the latter.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window) as (work: TimerHandler, ms?: number) => number;
    window.setTimeout = ((work: TimerHandler, ms?: number) => (ms === 2000 ? 0 : wait(work, ms))) as typeof setTimeout;
  });
  await visit.goTo('/?size=25');
  await opener(page, 0).click();
  await menu(page).waitFor();
  await page.keyboard.press('ArrowDown');
  assert.is(await button(page, 'Columns').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('scroll')));
  await button(page, 'Columns').waitFor();
  await settled(page);
  assert.ok(await menu(page).isVisible());
  assert.is(await focused(page), 'Redeems');
  await page.keyboard.press('Escape');
  await menu(page).waitFor({ state: 'detached' });
  assert.ok(await hasFocus(opener(page, 0)));

  const last = opener(page, 24);
  await last.scrollIntoViewIfNeeded();
  await last.click();
  const { y, height, x } = await box(menu(page));
  assert.ok(y >= 0 && x >= 0 && y + height <= 800, `it stays in the window: ${y} to ${y + height}`);
  await page.locator('main h2').first().click();
  await menu(page).waitFor({ state: 'detached' });

  const row = rows(table(page, 'Users')).first();
  await button(row, 'View').click(); // brings the styles of the other screens
  await button(page.getByRole('dialog'), 'Close').click();
  const [email, phone] = [await box(row.locator('td.email')), await box(row.locator('td.phone'))];
  assert.ok(Math.abs(email.y - phone.y) < 1, 'its email still stands in the first line');
});

test.run();

/** It shows itself well: first steps, empty lists that lead on, a page that keeps still, and paper. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit } from './harness';
import { button, dialog, field, heading, makeRedeems, message, rows, rowWith, settled, table } from './seen';

test('a new tenant is led through its first steps, which tick themselves', async () => {
  const visit = await newVisit({ reducedMotion: 'reduce' }),
    { page } = visit;
  const name = 'Silver Lake';
  const steps = page.getByRole('region', { name: `First steps for ${name}` });
  try {
    await visit.signIn('super', '/tenants');
    await field(page, 'Name').fill(name);
    await button(page, 'Add Tenant').click();
    await message(page, 'Tenant created successfully').waitFor();
    await steps.getByText('0 of 4 done').waitFor();
    await rowWith(table(page, 'Tenants'), name).getByText('New').waitFor();

    await steps.getByRole('link', { name: 'Assign platforms' }).click();
    await button(rowWith(table(page, 'Platforms'), 'VBlink'), `Assign to ${name}`).click();
    await field(dialog(page, 'Platform Credentials'), 'Username').fill('silver');
    await field(dialog(page, 'Platform Credentials'), 'Password').fill('a secret');
    await button(dialog(page, 'Platform Credentials'), 'Save').click();
    await message(page, 'Credentials updated').waitFor();
    await page.goBack();
    await steps.getByText('1 of 4 done').waitFor();

    await steps.getByRole('link', { name: 'Create the first admin' }).click();
    await page.getByText('No admins yet.').waitFor();
    await button(page, 'Create the first one').click();
    await field(dialog(page, 'Create Admin'), 'Email').fill('first@silver.test');
    await field(dialog(page, 'Create Admin'), 'Password').fill('long enough');
    await button(dialog(page, 'Create Admin'), 'Save').click();
    await message(page, 'Admin created').waitFor();
    await page.goBack();
    await steps.getByText('2 of 4 done').waitFor();

    await steps.getByRole('link', { name: 'Add a payment method' }).click();
    const form = dialog(page, 'Add New Payment Method');
    await form
      .getByRole('combobox', { name: 'Tenant' })
      .locator('option:checked', { hasText: name })
      .waitFor({ state: 'attached' });
    await form.getByLabel('Payment Platform').selectOption('apex');
    for (const label of ['API Key', 'Secret Key', 'Merchant ID']) await field(form, label).fill('x');
    await button(form, 'Create').click();
    await message(page, 'Payment method created successfully').waitFor();
    await page.goBack();
    await steps.getByText('3 of 4 done').waitFor();

    await steps.getByRole('link', { name: /^Import users/ }).click();
    await page.getByText('No users found.').waitFor();
    await steps.getByText('3 of 4 done').waitFor();
    await button(page, 'Create the first one').click();
    await field(dialog(page, 'Create User'), 'Email').fill('one@silver.test');
    await field(dialog(page, 'Create User'), 'Password').fill('long enough');
    await button(dialog(page, 'Create User'), 'Save').click();
    await message(page, 'User created').waitFor();
    await steps.waitFor({ state: 'detached' });
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
  }
});

test('on a slow line nothing moves once it is on screen', async () => {
  const visit = await newVisit({ reducedMotion: 'reduce' }),
    { page } = visit;
  try {
    await visit.signIn('ann');
    await page.addInitScript(() => {
      const shifts: string[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) shifts.push(String(entry.value));
      }).observe({ type: 'layout-shift', buffered: true });
    });
    let isSeen = Promise.resolve(),
      seen = () => {};
    await page.route('**/api/v1/**', async (route) => {
      await Promise.all([isSeen, new Promise((resolve) => setTimeout(resolve, 300))]);
      await route.continue();
    });
    for (const [path, list] of [
      ['/', 'Users'],
      ['/?tab=redeems', 'Redeems'],
      ['/?tab=platforms', 'Platforms'],
    ] as const) {
      isSeen = new Promise((resolve) => {
        seen = resolve;
      });
      await visit.goTo(path);
      const waiting = page.getByRole('region', { name: list, exact: true });
      await waiting.getByText('Loading…').waitFor();
      const kept = await waiting.locator('tbody').evaluate((body) => body.getBoundingClientRect().height);
      assert.ok(kept > 150, `${list} has the place of its rows: ${kept}`);
      seen();
      await rows(table(page, list)).first().waitFor();
      await settled(page);
      const moved = await page.evaluate(() =>
        (Reflect.get(window, 'shifts') as string[]).reduce((sum, value) => sum + Number(value), 0),
      );
      assert.ok(moved < 0.05, `${list}: ${moved}`);
    }
  } finally {
    await visit.close();
  }
});

async function onPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
}

test('paper says whose it is, filtered by what, when, and what it adds up to, and has no tools', async () => {
  const visit = await newVisit({ reducedMotion: 'reduce' }),
    { page } = visit;
  try {
    await visit.signIn('ann');
    await makeRedeems(page, 3);
    await visit.goTo('/?tab=redeems&status=pending');
    await rows(table(page, 'Redeems')).nth(2).waitFor();
    await page
      .getByRole('status', { name: 'Sums' })
      .getByText(/pending, \$/)
      .waitFor();
    await onPaper(page);
    for (const width of [720, 1020]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok(await heading(page, 'Acme').isVisible(), 'the tenant');
      assert.ok(await page.getByText('Status: Pending').isVisible(), 'the filter');
      assert.ok(await page.getByRole('status', { name: 'Sums' }).isVisible(), 'the sum');
      const printed = await page.evaluate(() => {
        const title = document.querySelector('.title');
        return title && getComputedStyle(title, '::after').content;
      });
      assert.match(printed ?? '', new RegExp(String(new Date().getFullYear())), 'the day');
      for (const label of ['Search redeems', 'By status', 'From'])
        assert.is(await field(page, label).isVisible(), false, 'no boxes of filters');
      assert.is(await page.getByRole('columnheader', { name: 'Actions' }).isVisible(), false);
      for (const name of ['Details', 'Export CSV', 'Logout', 'Columns'])
        assert.is(await button(page, name).first().isVisible(), false, name);
      const cut = await table(page, 'Redeems')
        .locator('td:visible')
        .evaluateAll((cells) =>
          cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map((one) => one.textContent),
        );
      assert.equal(cut, [], `nothing is cut at ${width}`);
      const tops = await rows(table(page, 'Redeems'))
        .first()
        .locator('td:visible')
        .evaluateAll((cells) => cells.map((one) => Math.round(one.getBoundingClientRect().top)));
      assert.is(new Set(tops).size, 1, 'a row is a row, not a card');
    }
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit.goTo('/?search=maria');
    await rows(table(page, 'Users')).first().waitFor();
    await button(rows(table(page, 'Users')).first(), 'View').click(); // brings the styles for paper
    await button(page.getByRole('dialog'), 'Close').click();
    await onPaper(page);
    assert.ok(await page.getByLabel('Search by email, name, or phone').isVisible(), 'what was searched');
    assert.ok(await page.getByText(/^Showing 1 to \d+ of \d+ users$/).isVisible(), 'how many there are');
  } finally {
    await visit.close();
  }
});

test.run();

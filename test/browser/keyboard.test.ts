/** No mouse, or a hasty one: everything is reached, focus returns, nothing is sent twice, 200 rows stay fast. */
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startForeignServer } from './foreignServer';
import { newVisit, PASSWORD, people, type Visit } from './harness';
import { button, choice, dialog, field, heading, message, rows, settled, table } from './seen';

const test = suite('By keyboard, in a real browser');
let visit: Visit;
test.before(async () => {
  visit = await newVisit({ reducedMotion: 'reduce' });
});
test.after(() => visit.close());

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at instanceof HTMLElement
      ? (at.getAttribute('aria-label') ?? at.innerText.trim()) || at.getAttribute('name') || at.tagName
      : '';
  });
const isInDialog = (page: Page) => page.evaluate(() => document.activeElement?.closest('dialog[open]') != null);

test('one signs in with Tab and Enter alone', async () => {
  const { page } = visit;
  await visit.goTo('/');
  await page.keyboard.press('Tab');
  await page.keyboard.type(people.super);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'Login');
  await page.keyboard.press('Enter');
  await button(page, 'Logout').waitFor();
});

for (const path of [
  '/tenants',
  '/users?search=ann%40acme.test',
  '/platforms',
  '/payment-methods',
  '/tenant/2/admin?tab=platforms',
  '/tenant/2/admin?tab=affiliate-tracking',
]) {
  test(`Tab reaches everything on ${path}, and shows where it is`, async () => {
    const { page } = visit;
    await visit.goTo(path);
    await heading(page, 'Tenants').or(page.locator('main h2')).first().waitFor();
    await settled(page);
    const expected = await page.evaluate(() => {
      const all = [
        ...document.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled, select:enabled'),
      ].filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.tabIndex >= 0);
      all.forEach((element, n) => {
        element.dataset['reached'] = String(n);
      });
      return all.length;
    });
    assert.ok(expected > 10);
    const reached = new Set<string>(),
      hidden: string[] = [];
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    for (let n = 0; n < expected + 20 && reached.size < expected; n++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement)) return null;
        const { outlineStyle, boxShadow } = getComputedStyle(element);
        return { number: element.dataset['reached'], isSeen: outlineStyle !== 'none' || boxShadow !== 'none' };
      });
      if (at?.number !== undefined) reached.add(at.number);
      if (at?.number !== undefined && !at.isSeen) hidden.push(await focused(page));
    }
    assert.is(reached.size, expected);
    assert.equal(hidden, [], 'the focus is seen everywhere');
  });
}

test('the first stop leads past the menu to the content', async () => {
  const { page } = visit;
  await visit.goTo('/users');
  await settled(page);
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
});

test('the focus enters each dialog and returns to what opened it', async () => {
  const { page } = visit;
  await visit.goTo('/users?search=ann%40acme.test');
  await settled(page);
  for (const [opener, title] of [
    ['Edit', 'Edit User'],
    ['Edit Balances', 'Edit Balances'],
    ['Platform Credentials', 'Platform Credentials'],
    ['Transaction History', 'Transaction History'],
  ] as const) {
    await button(rows(table(page, 'Users')).first(), opener).focus();
    await page.keyboard.press('Enter');
    await dialog(page, title).waitFor();
    await settled(page);
    assert.ok(await isInDialog(page), title);
    await page.keyboard.press('Escape');
    await dialog(page, title).waitFor({ state: 'detached' });
    assert.is(await focused(page), opener);
  }
});

test('a heading sorts by Enter, and says which way; only one does', async () => {
  const { page } = visit;
  await visit.goTo('/users?size=25');
  await settled(page);
  const sorted = () =>
    page
      .locator('th[aria-sort]')
      .evaluateAll((heads) => heads.map((head) => [head.textContent, head.getAttribute('aria-sort')]));
  assert.equal(await sorted(), [], 'by default no column');
  for (const [column, order] of [
    ['Email', 'ascending'],
    ['Email', 'descending'],
    ['Credit Balance', 'ascending'],
  ] as const) {
    await table(page, 'Users')
      .getByRole('button', { name: new RegExp(`^${column}`) })
      .focus();
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await sorted(), [[column, order]]);
    assert.is(await focused(page), column, 'the focus stays for the next Enter');
  }
});

test('messages and counts are announced', async () => {
  const { page } = visit;
  await visit.goTo('/users?search=ann%40acme.test');
  await page.getByRole('status').filter({ hasText: 'Showing 1 to 1 of 1 users' }).waitFor();
  await visit.goTo('/tenants');
  await field(page, 'Name').fill('Acme');
  await page.keyboard.press('Enter');
  await message(page, 'Failed to create tenant').waitFor();
  assert.is(
    await message(page, 'Failed to create tenant').locator('xpath=ancestor::*[@aria-live]').getAttribute('aria-live'),
    'assertive',
  );
  await button(page, 'Dismiss').click();
  await field(page, 'Name').fill('Keyboard Arcade');
  await page.keyboard.press('Enter');
  const done = message(page, 'Tenant created successfully');
  await done.waitFor();
  assert.is(await done.locator('xpath=ancestor::*[@aria-live]').getAttribute('aria-live'), 'polite');
});

test('a player is found and chosen with the arrow keys; Escape closes the list first, then the dialog', async () => {
  const { page } = visit;
  await visit.goTo('/redeems');
  await settled(page);
  await button(page, 'Create Manual Redeem').focus();
  await page.keyboard.press('Enter');
  const form = dialog(page, 'Create Manual Redeem'),
    box = choice(form, 'Search User');
  await box.focus();
  await page.keyboard.type('mari');
  await form.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
  const active = await box.getAttribute('aria-activedescendant');
  const second = form.getByRole('option').nth(1);
  assert.is(await second.getAttribute('id'), active);
  assert.is(await second.getAttribute('aria-selected'), 'true');
  const email = await second.locator('span').first().innerText();
  await page.keyboard.press('Enter');
  assert.is(await box.inputValue(), email);
  await box.fill('mari');
  await form.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  assert.is(await form.getByRole('option', { name: /@/ }).count(), 0);
  assert.ok(await form.isVisible());
  await page.keyboard.press('Escape');
  assert.is(await focused(page), 'Keep editing', 'something was typed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  assert.is(await focused(page), 'Create Manual Redeem');
});

test('two hundred rows are shown, stay under their heads, and a dialog opens over them', async () => {
  const { page } = visit;
  await visit.goTo('/users?size=200');
  await page.getByText(/^Showing 1 to 200 of [\d,]+ users$/).waitFor();
  await rows(table(page, 'Users')).nth(199).waitFor({ state: 'attached' });
  assert.is(await rows(table(page, 'Users')).count(), 200);
  const frame = page.getByRole('region', { name: 'Users', exact: true });
  await frame.focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => (document.querySelector('.frame')?.scrollTop ?? 0) > 1000);
  const [head, top] = [await frame.locator('thead th').first().boundingBox(), await frame.boundingBox()];
  assert.ok(Math.abs((head?.y ?? 0) - (top?.y ?? 0)) < 3, 'the heads stay in sight');
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    'the page itself does not scroll sideways',
  );
  await button(rows(table(page, 'Users')).last(), 'Edit').click();
  await dialog(page, 'Edit User').waitFor();
});

test('a second click or Enter while the first is on its way sends nothing', async () => {
  const foreign = await startForeignServer('dist'),
    hasty = await newVisit({ url: `${foreign.url}/` }),
    { page } = hasty;
  const sent = (name: string) => foreign.recorded.filter((call) => call.name === name).length;
  page.on('dialog', (asking) => void asking.accept());
  try {
    await hasty.goTo('/');
    await field(page, 'Email').fill('sue@platform.test');
    await field(page, 'Password').fill('secret');
    await page.route(/\/api\//, async (route) => {
      if (route.request().method() !== 'GET') await page.waitForTimeout(250);
      await route.continue();
    });
    await button(page, 'Login').dblclick();
    await button(page, 'Logout').waitFor();
    assert.is(sent('login'), 1);

    const twice: [path: string, act: () => Promise<void>, name: string][] = [
      [
        '/tenants',
        async () => {
          await field(page, 'Name').fill('Twice');
          await page.keyboard.press('Enter');
          await page.keyboard.press('Enter');
          await button(page, 'Add Tenant').dispatchEvent('click');
        },
        'createTenant',
      ],
      [
        '/users',
        async () => {
          await button(rows(table(page, 'Users')).first(), 'Edit Balances').click();
          await field(dialog(page, 'Edit Balances'), 'Credit').fill('5');
          await button(dialog(page, 'Edit Balances'), 'Save').dblclick();
        },
        'adjustBalances',
      ],
      [
        '/users',
        async () => {
          await button(rows(table(page, 'Users')).first(), 'Delete').dblclick();
        },
        'deletePlayer',
      ],
      [
        '/redeems',
        async () => {
          const select = choice(table(page, 'Redeems'), 'Status of redeem 41, pam@mail.test, $150.00');
          await select.selectOption('success');
          await select.selectOption('failed', { force: true, timeout: 500 }).catch(() => undefined);
        },
        'changeRedeemStatus',
      ],
      [
        '/payment-methods',
        async () => {
          await page.getByRole('switch').first().dblclick();
        },
        'togglePaymentMethod',
      ],
      [
        '/platforms',
        async () => {
          await page
            .getByRole('button', { name: /^Unassign/ })
            .first()
            .dblclick();
        },
        'unassignPlatform',
      ],
    ];
    for (const [path, act, name] of twice) {
      await hasty.goTo(path);
      await settled(page);
      await act();
      await page.waitForTimeout(600);
      await settled(page);
      assert.is(sent(name), 1, name);
    }
    assert.equal(hasty.faults, []);
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await hasty.close();
    await foreign.stop();
  }
});

test('all of it left the console clean', () => {
  assert.equal(visit.faults, []);
});

test.run();

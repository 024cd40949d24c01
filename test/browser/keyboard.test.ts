/** No mouse: everything is reached, and the focus returns. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeVisits, journey, newVisit, PASSWORD, people, type Visit } from './harness';
import { button, dialog, rows, settled, table } from './seen';

let visit: Visit;
test.before(async () => {
  visit = await newVisit();
});
test.after(closeVisits);

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at instanceof HTMLElement
      ? (at.getAttribute('aria-label') ?? at.innerText.trim()) || at.getAttribute('name') || at.tagName
      : '';
  });
const isInDialog = (page: Page) => page.evaluate(() => document.activeElement?.closest('dialog[open]') != null);

journey('one signs in with Tab and Enter alone', async () => {
  const { page } = visit;
  await visit.goTo('/');
  await page.keyboard.press('Tab');
  await page.keyboard.type(people.super);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab'); // 'Show what is typed'
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'Login');
  await page.keyboard.press('Enter');
  await button(page, 'Logout').waitFor();
});

for (const path of [
  '/tenants',
  '/users?search=ann%40acme.test',
  '/platforms',
  '/tenant/2/admin?tab=platforms',
  '/tenant/2/admin?tab=affiliate-tracking',
]) {
  journey(`Tab reaches everything on ${path}, and shows where it is`, async () => {
    const { page } = visit;
    await visit.goTo(path);
    await page.locator('main h2').first().waitFor();
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

journey('the first stop leads past the menu to the content', async () => {
  const { page } = visit;
  await visit.goTo('/users');
  await settled(page);
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
});

journey('the focus enters each dialog and returns to what opened it', async () => {
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

journey('the focus stays in the screen when what opened a dialog is gone in the meantime', async () => {
  const { page } = visit;
  await visit.goTo('/redeems');
  await settled(page);
  await button(page, 'Keys').focus();
  await page.keyboard.press('Enter');
  await dialog(page, 'Keys').waitFor();
  await page.setViewportSize({ width: 800, height: 800 });
  await page.keyboard.press('Escape');
  await button(page, 'Keys').waitFor({ state: 'detached' });
  assert.ok(await page.evaluate(() => document.activeElement?.closest('main')));
  await page.setViewportSize({ width: 1280, height: 800 });
});

test.run();

/** A phone: one row of a title bar, lists as cards that begin near the top, and targets for a finger. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeVisits, journey, phone, see } from './harness';
import { box, button, chooseTool, dialog, fits, heading, rows, settled, table } from './seen';

test.after(closeVisits);

/** What is too small for a finger, would make the phone zoom, is cut, or is beside the screen. */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const named = (one: Element) => one.getAttribute('aria-label') ?? (one.textContent?.trim() || one.tagName);
    const small = [...document.querySelectorAll<HTMLElement>('button, select, input, nav a')]
      .filter((one) => one.checkVisibility())
      .flatMap((one) => {
        // A box to tick takes clicks around it too.
        const { width: w, height: h } = getComputedStyle(one, '::before'),
          { width, height } = one.matches('.pick')
            ? { width: parseFloat(w), height: parseFloat(h) }
            : ((one.matches('[role=switch]') && one.closest('label')) || one).getBoundingClientRect();
        const isTyped = one.matches('select, input:not([type=checkbox])');
        return [
          ...(Math.min(width, height) < 24 ? [`${named(one)} is ${width} by ${height}`] : []),
          ...(isTyped && parseFloat(getComputedStyle(one).fontSize) < 16 ? [`${named(one)} has small letters`] : []),
        ];
      });
    const card = document.querySelector('main .stack tbody tr');
    const inCard = [...(card?.querySelectorAll('a, .money, time, button, select') ?? [])]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth)
      .map((one) => `beside the screen: ${one.textContent}`);
    // The room for fingers around a link or switch goes 11 px beyond its cell, which is less than a line.
    const cut = [...document.querySelectorAll('main tbody td')]
      .filter((one) => one.scrollHeight > one.clientHeight + (one.querySelector('a, .link, .switch') ? 12 : 1))
      .map((one) => `cut: ${one.textContent}`);
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
    return [...new Set([...small, ...inCard, ...cut, ...wide])];
  });
/** What of a card is lower than a finger is wide. */
const lowIn = (page: Page) =>
  page
    .locator('main tbody')
    .first()
    .evaluate((body) =>
      [...body.querySelectorAll('tr:first-child :is(a, button, select)')].flatMap((one) => {
        const { height } = one.getBoundingClientRect();
        return one.checkVisibility() && height < 44 ? [`${one.textContent}: ${height}`] : [];
      }),
    );

for (const [person, path, list, isWorked] of [
  ['ann', '/', 'Users', true],
  ['ann', '/?tab=purchases', 'Latest Purchases (Tenant)', false],
  ['ann', '/?tab=returns', 'Returns', false],
  ['super', '/users', 'Users', true],
  ['super', '/purchases', 'Latest Purchases (All Tenants)', false],
  ['super', '/deposits', 'Deposits (Platform Only)', false],
  ['super', '/redeems', 'Redeems', true],
  ['super', '/tenants', 'Tenants', false],
  ['super', '/payment-methods', '', false],
  ['super', '/admins?tenant=2', '', false],
  ['super', '/platforms', '', false],
  ['super', '/overview', '', false],
] as const) {
  journey(
    `the bar is one row, the first card is near the top, a finger hits everything: ${person}, ${path}`,
    async () => {
      const page = await see(person, path, phone);
      assert.ok((await box(page.getByRole('banner'))).height <= 56);
      assert.equal(await faultsOf(page), []);
      if (!list) return;
      const card = await box(rows(table(page, list)).first());
      // No button is cropped, which costs a line where there are many.
      assert.ok(card.y <= (person === 'super' ? 250 : 210), `it begins at ${card.y} px`);
      assert.ok(card.x >= 0 && card.x + card.width <= 390, 'no wider than the screen');
      if (!isWorked) return;
      assert.equal(await lowIn(page), []);
      const actions = page.locator('main tbody .actions').first().locator(':is(a, button):visible');
      const tops = await actions.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.ok(Math.max(...tops) - Math.min(...tops) < 1, 'its actions stand in one line');
    },
  );
}

journey('on a tablet a finger hits the action whose picture it sees, also once other styles have come', async () => {
  const tablet = { viewport: { width: 820, height: 1100 }, hasTouch: true };
  const page = await see('ann', '/', tablet);
  await page.waitForFunction(() => document.adoptedStyleSheets.length === 2); // app.css and screens.css
  const first = rows(table(page, 'Users')).first();
  await first.waitFor();
  const found = await first.locator('.icons').evaluate((icons) => {
    const { left, top, height } = icons.getBoundingClientRect(),
      actions = [...icons.children];
    const missed = actions.filter((one, place) => {
      const hit = document.elementFromPoint(left + place * 44 + 22, top + height / 2);
      return hit !== one || one.clientWidth < 44 || one.clientHeight < 44;
    });
    return { actions: actions.length, missed: missed.map((one) => one.textContent) };
  });
  assert.equal(found, { actions: 7, missed: [] });
});

journey('on a phone filters that make no sense are shown, and a card says where the money goes', async () => {
  const page = await see('super', '/redeems?from=2030-02-02&to=2030-01-01', phone);
  await page.getByText('From is after To.').waitFor();
  const from = page.getByLabel('From');
  await from.fill('');
  const platform = rows(table(page, 'Redeems')).first().locator('.platform');
  await platform.waitFor();
  const payout = await platform.evaluate((one) => getComputedStyle(one, '::after').content);
  assert.match(payout, /^", [A-Z][\w ]+, [^ ]+"$/);
  assert.ok(await from.evaluate((one) => one === document.activeElement), 'it is still at hand');
  const download = button(page, 'Export CSV');
  assert.not(await download.isVisible(), 'what is rarely used is folded');
  await button(page, 'Tools').click();
  await download.waitFor();
  await button(page, 'Create Manual Redeem').waitFor();
});

journey('on a tablet no amount of a user lies below the actions', async () => {
  for (const [person, path] of [
    ['ann', '/'],
    ['super', '/users'],
  ] as const) {
    const page = await see(person, path, { viewport: { width: 820, height: 1100 }, hasTouch: true });
    const row = rows(table(page, 'Users')).first();
    await row.waitFor();
    for (const width of [768, 810, 820, 1024, 1055, 1056]) {
      await page.setViewportSize({ width, height: 1100 });
      await settled(page);
      const [amount, actions] = [await box(row.locator('.credit .money')), await box(row.locator('.actions'))];
      assert.ok(amount.x + amount.width <= actions.x, `${person}, ${width} px: ${amount.x + amount.width - actions.x}`);
    }
  }
});

journey('a list of cards is still a table to a screen reader', async () => {
  const page = await see('ann', '/?size=25', phone);
  await rows(table(page, 'Users')).nth(24).waitFor();
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length;
  assert.is(count('table'), 1);
  assert.is(count('row'), 26, 'the head and 25 users');
  assert.is(count('columnheader'), 7);
  assert.ok(count('cell') >= 25 * 6, `${count('cell')} cells`);
});

journey('the menu of the bar holds the figures and the tools, whose dialogs fit', async () => {
  const page = await see('ann', '/', phone);
  const menu = page.getByRole('group', { name: 'Account menu' });
  await page.getByRole('banner').locator('.who').click();
  await menu.getByRole('button', { name: /^New Sign Ups Today: \d/ }).click();
  await dialog(page, 'New Players Today').waitFor();
  await button(dialog(page, 'New Players Today'), 'Close').click();
  await chooseTool(page, 'Books');
  await page
    .getByRole('button', { name: /^Statement of/ })
    .first()
    .click();
  await rows(table(page, 'Accounts of players')).first().waitFor();
  const wide = await page
    .locator('dialog[open] > article')
    .evaluateAll((articles) => articles.map((one) => one.scrollWidth - one.clientWidth));
  assert.equal(wide, [0, 0]);
});

journey('nothing of the notifications is cut off', async () => {
  const page = await see('ann', '/', phone);
  const cut = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.bells, .bells *, dialog[open] .stacked, dialog[open] .stacked td')]
        .filter((one) => one.getClientRects().length && one.clientWidth > 1)
        .filter((one) => getComputedStyle(one).display !== 'inline')
        .filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left < -1 || right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 2;
        })
        .map((one) => `${one.tagName} ${one.className} ${one.textContent?.slice(0, 40)}`),
    );
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('group', { name: 'Notifications' });
  await menu.getByText('Mark all as read').waitFor();
  assert.equal(await cut(), []);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  assert.ok(await bell.evaluate((element) => element === document.activeElement), 'the focus is where it was');
  await page.keyboard.press('Enter');
  await button(menu, 'Rules and channels').click();
  await settled(page);
  const settings = dialog(page, 'Notifications');
  await button(settings, 'Edit Large redeem').waitFor();
  assert.equal(await cut(), []);
  const edit = await button(settings, 'Edit Pending money').boundingBox();
  assert.ok(edit!.height >= 44 && edit!.width >= 44, 'reached by a thumb');
  assert.ok(edit!.y + edit!.height <= (await button(settings, 'Close').boundingBox())!.y, 'six rules at once');
  await button(settings, 'Show rows: Balance changed by hand without a reason').click();
  await settled(page);
  assert.equal(await cut(), []);
});

journey('the menu is a drawer, and the tenant of a view stands in the bar', async () => {
  const page = await see('super', '/tenant/2/admin?tab=redeems', phone);
  await heading(page, 'Acme').waitFor();
  await see('super', '/tenants', phone);
  await button(page, '☰ Menu').click();
  await page.getByRole('dialog').getByRole('link', { name: 'Users' }).click();
  await heading(page, 'Users').waitFor();
  assert.is(await page.getByRole('dialog').count(), 0);
  await button(page, '☰ Menu').click();
  await button(page.getByRole('dialog'), 'Close menu').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

journey('in a window as low as one of 200 % zoom the bar scrolls away and rows take its place', async () => {
  const page = await see('super', '/redeems');
  await page.setViewportSize({ width: 720, height: 450 });
  await settled(page);
  const bar = page.getByRole('banner');
  assert.ok((await box(bar)).height <= 56);
  assert.ok(await fits(page));
  await page.evaluate(() => scrollTo(0, 600));
  assert.ok((await box(bar)).y < -40, 'it is not sticky');
  const seen = await rows(table(page, 'Redeems')).evaluateAll(
    (all) =>
      all.filter((row) => row.getBoundingClientRect().bottom > 0 && row.getBoundingClientRect().top < innerHeight)
        .length,
  );
  assert.ok(seen >= 2, `${seen} rows`);
});

test.run();

/**
 * Everything can be read and reached at any width: amounts of any length, the frame of the app, a low window, under the
 * mouse, in colours of one's own. Widths are the least between two breakpoints of the styles, where room is least.
 */
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newGate } from '../server/gate';
import { eventually } from '../server/running';
import { closeVisits, journey, see } from './harness';
import { box, button, rows, settled, table } from './seen';

test.after(closeVisits);

const EDGES = [320, 768, 901, 1056, 1200, 1440];

/** What is cut, runs into something else, or stands beside the window. */
const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll<HTMLElement>('.top *, .side nav a, main h2, main h3, main header button'),
    ].filter((one) => one.checkVisibility() && one.textContent?.trim() && !one.closest('[popover], .unseen, svg'));
    const said = (one: Element) => `${one.tagName} ${one.textContent?.trim().slice(0, 40)}`;
    const inRows = [...document.querySelectorAll('main .frame tbody tr:nth-child(-n + 8)')].flatMap((row) => {
      const shown = [...row.querySelectorAll('.money')].filter((money) => money.checkVisibility());
      const amounts = shown.map((money) => ({
        words: money.textContent,
        money: money.getBoundingClientRect(),
        cell: money.closest('td')!,
      }));
      return amounts.flatMap(({ words, money, cell }, n) => {
        const next = amounts[n + 1]?.money,
          { left, right } = cell.getBoundingClientRect();
        return [
          ...(cell.scrollWidth > cell.clientWidth || money.left < left - 1 || money.right > right + 1
            ? [`${words} is wider than its cell`]
            : []),
          ...(next && money.right > next.left + 1 && money.bottom > next.top + 1 && next.bottom > money.top + 1
            ? [`${words} runs into the next`]
            : []),
        ];
      });
    });
    return [
      ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
      ...parts
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
        .map((one) => `cut: ${said(one)}`),
      ...parts
        .filter((one) => one.closest('.top, h2, h3') && one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => `outside: ${said(one)}`),
      ...inRows,
    ];
  });
async function faultsAtEdges(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of EDGES) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    let found: string[] = []; // what stays: the app answers a new width a moment later than the styles do
    await eventually(async () => (found = await faultsOf(page)).length === 0, 3);
    faults.push(...found.map((words) => `${width} px: ${words}`));
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return faults;
}

for (const [person, path] of [
  ['super', '/users?size=25'],
  ['super', '/purchases?size=25'],
  ['super', '/redeems?size=25'],
  ['super', '/tenant/2/admin?tab=redeems&size=25'],
  ['ann', '/?size=25'],
  ['ann', '/?tab=platforms'],
  ['ann', '/?tab=overview'],
] as const) {
  journey(`at every width nothing is cut, and the page does not scroll sideways: ${person}, ${path}`, async () => {
    const page = await see(person, path);
    await page.getByRole('button', { name: /^Notifications/ }).waitFor();
    assert.equal(await faultsAtEdges(page), []);
    if (path !== '/purchases?size=25') return;
    await page.setViewportSize({ width: 1024, height: 768 });
    const reference = page.locator('tbody td.reference[title]').first();
    assert.is(await reference.evaluate((element) => getComputedStyle(element).textOverflow), 'ellipsis');
    assert.is(await reference.getAttribute('title'), await reference.textContent(), 'whole under the mouse');
    await button(page, 'Columns').click();
    await page.getByLabel('Type (no room)', { exact: true }).waitFor();
  });
}

/** Usual amounts, thousands lost, millions, and the most there can be: GGR, credit, bonus, VIP, loyalty. */
const amounts = [
  [-999.99, 9999.99, 999.99, 999.99, 999.99],
  [-1000, 10, 0, 0, 0],
  [-123456.78, 1234567.89, 12345.67, 1234567.89, 1000],
  [99999999999.99, 99999999999.99, 0, 0, 99999999999.99],
];
journey('no amount is cut or runs into another at any width, however long it is', async () => {
  const page = await see('ann', '/users?search=zzzz-nobody');
  await page.route(/\/user-management\/users\//, async (route) => {
    const response = await route.fetch(),
      answer = await response.json();
    const users = answer.users.map((user: object, n: number) => {
      const [individual_ggr, credit_balance, bonus_balance, vip_balance, loyalty_balance] = amounts[n % 4] ?? [];
      return { ...user, individual_ggr, credit_balance, bonus_balance, vip_balance, loyalty_balance };
    });
    await route.fulfill({ response, json: { ...answer, users } });
  });
  await see('ann', '/users?size=25');
  await rows(table(page, 'Users')).nth(3).waitFor({ state: 'attached' });
  const faults = await faultsAtEdges(page);
  await page.unrouteAll();
  assert.equal(faults, []);
});

/** Where the controls of the bar, the menu and the head of the screen stand, by their words. */
const places = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.top :is(a, button), .side nav a, main header :is(button, input)')]
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const { x, y } = one.getBoundingClientRect();
        return [(one.textContent || one.getAttribute('aria-label') || one.id).replace(/[-\d]+/g, ''), x, y] as const;
      }),
  );
for (const [width, path, list] of [
  [1440, '/', 'Users'],
  [1024, '/?tab=platforms', 'Platforms'],
  [820, '/?tab=redeems', 'Redeems'],
  [390, '/', 'Users'],
] as const) {
  journey(`on a slow line nothing moves after the first paint: ${path}, ${width} px`, async () => {
    const page = await see('ann', '/users?search=zzzz-nobody');
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((found) => {
        for (const entry of found.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const seen = newGate();
    await page.route('**/api/v1/**', async (route) => {
      await seen.opened;
      await route.continue();
    });
    await page.goto(new URL(path, page.url()).href);
    const waiting = page.getByRole('region', { name: list, exact: true });
    await waiting.getByText('Loading…').waitFor();
    const [first, kept] = [await places(page), await box(waiting.locator('tbody'))];
    seen.open();
    await page.getByRole('button', { name: /^Notifications/ }).waitFor();
    if (path === '/' && width > 767) await button(page, 'Columns').waitFor();
    await rows(table(page, list)).first().waitFor();
    await settled(page);
    const last = await places(page);
    const shifts = await page.evaluate(() => Reflect.get(window, 'shifts') as number[]);
    await page.unrouteAll({ behavior: 'wait' });
    assert.ok(first.length > 3, 'something was there at first');
    assert.equal(
      first.filter(([name, x, y]) => !last.some((one) => one[0] === name && one[1] === x && one[2] === y)),
      [],
    );
    assert.ok(kept.height > 150, `the rows have their place: ${kept.height}`);
    assert.ok(shifts.reduce((sum, value) => sum + value, 0) < 0.05, shifts.join());
  });
}

journey('at 1366 by 900 at least 21 users stand whole, with amounts in every column', async () => {
  const page = await see('super', '/users?size=25');
  await page.setViewportSize({ width: 1366, height: 900 });
  await rows(table(page, 'Users')).nth(24).waitFor();
  const whole = await page.getByRole('region', { name: 'Users', exact: true }).evaluate((frame) => {
    const edge = frame.getBoundingClientRect(),
      head = frame.querySelector('thead')!.getBoundingClientRect();
    const bottom = edge.top + frame.clientTop + frame.clientHeight;
    return [...frame.querySelectorAll('tbody tr')].filter((row) => {
      const { top, bottom: end } = row.getBoundingClientRect(),
        amounts = [...row.querySelectorAll('.money')].map((money) => money.getBoundingClientRect());
      return (
        top >= head.bottom - 1 &&
        end <= bottom + 1 &&
        amounts.length === 5 &&
        amounts.every((at) => at.right <= edge.right)
      );
    }).length;
  });
  assert.ok(whole >= 21, `${whole} users`);
});

journey('the head and the first column of a list stay in sight when it is scrolled', async () => {
  const page = await see('ann', '/users');
  await page.setViewportSize({ width: 1200, height: 800 });
  await rows(table(page, 'Users')).nth(40).waitFor({ state: 'attached' });
  const frame = page.getByRole('region', { name: 'Users', exact: true });
  const moved = await frame.evaluate((element) => {
    element.querySelector('table')!.style.minWidth = '1500px'; // as texts of other fonts make it
    element.scrollTo(300, 600);
    return [element.scrollLeft, element.scrollTop];
  });
  assert.ok((moved[0] ?? 0) > 20 && moved[1] === 600, 'it is longer and wider than its frame');
  // What is painted there, not only where it would be.
  const seen = await frame.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    const at = (x: number, y: number) => document.elementFromPoint(x, y)?.closest('th, td');
    const heads = [...element.querySelectorAll('thead th')];
    return {
      corner: at(left + 12, top + 12) === heads[0],
      head: at(left + 500, top + 12)?.closest('thead') !== null && at(left + 500, top + 12)?.tagName === 'TH',
      column: at(left + 12, (top + bottom) / 2)?.matches('td:first-child') ?? false,
      rest: at(left + 500, (top + bottom) / 2)?.matches('td:not(:first-child)') ?? false,
    };
  });
  assert.equal(seen, { corner: true, head: true, column: true, rest: true });
});

for (const [person, path] of [
  ['super', '/redeems'],
  ['super', '/tenants'],
  ['ann', '/'],
] as const) {
  journey(`in a low window the page stands still, and the list and the menu scroll: ${person}, ${path}`, async () => {
    const page = await see(person, path);
    await page.setViewportSize({ width: 1366, height: 625 });
    assert.equal(
      await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]),
      [625, 1366],
    );
    const end = page.locator('.metrics').getByText('Purchases above');
    await end.scrollIntoViewIfNeeded();
    assert.ok(
      await end.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight),
      'the end of the menu can be reached',
    );
  });
}

journey('a column is named by its words alone, and a click anywhere in the head of a sortable one sorts', async () => {
  const page = await see('ann', '/users');
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  for (const name of ['Email', 'Name', 'Affiliate', 'Individual GGR', 'Credit Balance', 'Phone', 'Other Balances'])
    assert.is(await head(name).count(), 1, name);
  for (const order of ['ascending', 'descending']) {
    const { x, y, width, height } = await box(head('Email'));
    await page.mouse.click(x + width - 12, y + height / 2);
    await page.waitForFunction(
      (wanted) => document.querySelector('.users th')?.getAttribute('aria-sort') === wanted,
      order,
    );
  }
  const row = rows(table(page, 'Users')).first();
  for (const name of ['Bonus', 'VIP', 'Loyalty'])
    assert.ok(await row.getByText(name, { exact: true }).isVisible(), name);
  for (const name of ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History', 'Delete'])
    assert.ok(await button(row, name).isVisible(), name);
});

/** The least contrast that words of this size may have with the ground they have themselves (WCAG 1.4.3). */
const contrast = (of: Locator) =>
  of.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    const parts = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
    const light = (text: string) =>
      parts(text)
        .slice(0, 3)
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, n) => sum + part * ([0.2126, 0.7152, 0.0722][n] ?? 0), 0);
    if ((parts(backgroundColor)[3] ?? 1) === 0) return 21; // it has none of its own
    const [one = 0, two = 0] = [light(color), light(backgroundColor)].sort((a, b) => b - a);
    return (one + 0.05) / (two + 0.05);
  });
journey('what is under the mouse can be read, light and dark', async () => {
  const poor: string[] = [];
  const look = async (page: Page, of: Locator) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await of.hover();
      const found = await contrast(of);
      if (found < 4.5) poor.push(`${await of.textContent()}, ${colorScheme}: ${found.toFixed(2)}`);
    }
  };
  const page = await see('super', '/users?size=25');
  for (const name of ['Email', 'Credit Balance', 'Export CSV', 'Next', 'Search', 'Logout'])
    await look(page, button(page, name));
  await see('super', '/tenants');
  for (const name of ['Acme', 'Add Tenant']) await look(page, button(page, name));
  await look(page, rows(table(page, 'Tenants')).first().getByRole('button', { name: 'Edit' }));
  await see('super', '/platforms');
  for (const name of [/^Assign to/, /^Unassign/]) await look(page, page.getByRole('button', { name }).first());
  await page.emulateMedia({ colorScheme: null });
  assert.equal(poor, []);
});

journey('in colours of one’s own a dialog has an edge, and a switch shows whether it is on', async () => {
  const page = await see('super', '/payment-methods');
  await page.emulateMedia({ forcedColors: 'active' });
  const ground = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor);
  const on = page.getByRole('switch', { checked: true }).first(),
    off = page.getByRole('switch', { checked: false }).first();
  await on.waitFor();
  assert.is.not(await ground(on), await ground(off));
  await button(page, 'Add Payment Method').click();
  const edge = await page
    .getByRole('dialog')
    .locator('article')
    .evaluate((element) => getComputedStyle(element).borderTopStyle);
  assert.is(edge, 'solid');
});

test.run();

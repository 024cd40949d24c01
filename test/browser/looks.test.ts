/**
 * Everything can be read and reached: amounts of any length, on a phone, under the mouse, in a low window, in colours
 * of one's own, on paper.
 */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { oneAfterTheOther, type Person } from './harness';
import { button, heading, rows, settled, table } from './seen';

const visits = oneAfterTheOther();
async function start(person: Person, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visits.open(person, path, options);
  await page.locator('main h2').first().waitFor();
  await settled(page);
  return page;
}
test.after(() => visits.leave());

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const low = { viewport: { width: 1366, height: 625 } };

const usual = {
  individual_ggr: -999.99,
  credit_balance: 9999.99,
  bonus_balance: 999.99,
  vip_balance: 999.99,
  loyalty_balance: 999.99,
};
const lossOfThousands = {
  individual_ggr: -1000,
  credit_balance: 10,
  bonus_balance: 0,
  vip_balance: 0,
  loyalty_balance: 0,
};
const millions = {
  individual_ggr: -123456.78,
  credit_balance: 1234567.89,
  bonus_balance: 12345.67,
  vip_balance: 1234567.89,
  loyalty_balance: 1000,
};
const most = {
  individual_ggr: 99999999999.99,
  credit_balance: 99999999999.99,
  bonus_balance: 0,
  vip_balance: 0,
  loyalty_balance: 99999999999.99,
};
/** The amounts of a row that are wider than their cells, or run into the next. */
const runsOver = (row: Locator) =>
  row.evaluate((row) => {
    const boxes = [...row.querySelectorAll('.money')].map((money) => ({
      words: money.textContent,
      money: money.getBoundingClientRect(),
      cell: money.closest('td')!.getBoundingClientRect(),
    }));
    return boxes.flatMap(({ words, money, cell }, n) => {
      const next = boxes[n + 1]?.money;
      return [
        ...(money.left < cell.left - 1 || money.right > cell.right + 1 ? [`${words} is wider than its cell`] : []),
        ...(next && money.right > next.left + 1 && money.bottom > next.top + 1 && next.bottom > money.top + 1
          ? [`${words} runs into the next`]
          : []),
      ];
    });
  });
for (const [name, amounts] of [
  ['usual ones', [usual]],
  ['the usual, thousands lost, millions, and the most there can be', [usual, lossOfThousands, millions, most]],
] as const) {
  test(`no amount is cut or runs into another at any width: ${name}`, async () => {
    const page = await start('ann', '/users?search=zzzz-nobody');
    const someOf = (n: number) => amounts[n % amounts.length];
    await page.route(/\/user-management\/users\//, async (route) => {
      const response = await route.fetch(),
        answer = await response.json();
      const users = answer.users.map((user: object, n: number) => ({ ...user, ...someOf(n) }));
      await route.fulfill({ response, json: { ...answer, users } });
    });
    await start('ann', '/users?size=25');
    await rows(table(page, 'Users')).nth(3).waitFor({ state: 'attached' });
    const wrong: string[] = [];
    for (const width of [390, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      for (const n of amounts.keys())
        wrong.push(...(await runsOver(rows(table(page, 'Users')).nth(n))).map((words) => `${width} px: ${words}`));
    }
    await page.unrouteAll();
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(wrong, []);
  });
}

test('at 1366 by 900 at least 21 users stand whole, with amounts in every column', async () => {
  const page = await start('super', '/users?size=25', { viewport: { width: 1366, height: 900 } });
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

test('the head and the first column of a list stay in sight when it is scrolled', async () => {
  const page = await start('super', '/users', { viewport: { width: 1200, height: 800 } });
  const list = 'Users';
  await rows(table(page, list)).nth(40).waitFor({ state: 'attached' });
  const frame = page.getByRole('region', { name: list, exact: true });
  const moved = await frame.evaluate((element) => {
    element.scrollTo(300, 600);
    return [element.scrollLeft, element.scrollTop];
  });
  assert.ok((moved[0] ?? 0) > 50 && moved[1] === 600, 'it is longer and wider than its frame');
  // What is painted there, not only where it would be.
  const seen = await frame.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    const at = (x: number, y: number) => document.elementFromPoint(x, y)?.closest('th, td');
    const heads = [...element.querySelectorAll('thead th')];
    return {
      corner: at(left + 12, top + 12) === heads[0],
      head: at(left + 300, top + 12)?.closest('thead') !== null && at(left + 300, top + 12)?.tagName === 'TH',
      column: at(left + 12, (top + bottom) / 2)?.matches('td:first-child') ?? false,
      rest: at(left + 300, (top + bottom) / 2)?.matches('td:not(:first-child)') ?? false,
    };
  });
  assert.equal(seen, { corner: true, head: true, column: true, rest: true });
});

test('on a phone a list of cards is still a table to a screen reader', async () => {
  const page = await start('ann', '/?size=25', phone);
  await rows(table(page, 'Users')).nth(24).waitFor();
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length;
  assert.is(count('table'), 1);
  assert.is(count('row'), 26, 'the head and 25 users');
  assert.is(count('columnheader'), 7);
  assert.ok(count('cell') >= 25 * 6, `${count('cell')} cells`);
});

for (const [path, list, done] of [
  ['/redeems', 'Redeems', 'select'],
  ['/purchases', 'Latest Purchases (All Tenants)', 'select'],
  ['/users', 'Users', 'button[title="Edit Balances"]'],
] as const) {
  test(`on a phone person, amount and actions are side by side, and no row is cut: ${path}`, async () => {
    const page = await start('super', path, phone);
    await rows(table(page, list)).first().waitFor();
    const hidden = await rows(table(page, list))
      .first()
      .evaluate((row, done) => {
        const edge = row.closest('.frame')!.getBoundingClientRect().right;
        const wanted = [
          row.querySelector('a'),
          ...(done === 'select' ? [row.querySelector('.money')] : []),
          row.querySelector(done),
        ];
        return wanted.flatMap((element) =>
          element && element.getBoundingClientRect().right <= edge ? [] : [element?.outerHTML ?? 'nothing'],
        );
      }, done);
    assert.equal(hidden, []);
    const cut = await table(page, list)
      .locator('tbody')
      .evaluate((body) =>
        [...body.querySelectorAll('td')]
          .filter((cell) => cell.scrollHeight > cell.clientHeight + 1)
          .map((cell) => cell.textContent),
      );
    assert.equal(cut, []);
  });
}

for (const path of ['/users', '/redeems', '/tenants', '/payment-methods', '/admins?tenant=2', '/platforms']) {
  test(`on a phone everything is large enough to be hit, and no field makes it zoom: ${path}`, async () => {
    const page = await start('super', path, phone);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, select, input, nav a')]
        .filter((element) => element.checkVisibility())
        .flatMap((element) => {
          // A box to tick takes clicks around it too.
          const { width: w, height: h } = getComputedStyle(element, '::before'),
            { width, height } = element.matches('.pick')
              ? { width: parseFloat(w), height: parseFloat(h) }
              : (element.closest('label.switch') ?? element).getBoundingClientRect(),
            { fontSize } = getComputedStyle(element);
          const name = element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.tagName);
          return [
            ...(Math.min(width, height) < 24 ? [`${name} is ${width} by ${height}`] : []),
            ...(element.matches('select, input:not([type=checkbox])') && parseFloat(fontSize) < 16
              ? [`${name} has letters of ${fontSize}`]
              : []),
          ];
        }),
    );
    assert.equal([...new Set(small)], []);
  });
}

test('on a phone a super admin reads whose view it is', async () => {
  const page = await start('super', '/tenant/2/admin?tab=redeems', phone);
  await heading(page, 'Acme').waitFor();
  assert.ok(await heading(page, 'Acme').isVisible());
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
for (const colorScheme of ['light', 'dark'] as const) {
  test(`what is under the mouse can be read, ${colorScheme}`, async () => {
    const page = await start('super', '/users?size=25', { colorScheme });
    const poor: string[] = [];
    const look = async (of: Locator) => {
      await of.hover();
      const found = await contrast(of);
      if (found < 4.5) poor.push(`${await of.textContent()}: ${found.toFixed(2)}`);
    };
    for (const name of ['Email', 'Credit Balance', 'Export CSV', 'Next', 'Search', 'Logout'])
      await look(page.getByRole('button', { name, exact: true }));
    await start('super', '/tenants', { colorScheme });
    for (const name of ['Acme', 'Add Tenant']) await look(button(page, name));
    await look(rows(table(page, 'Tenants')).first().getByRole('button', { name: 'Edit' }));
    await start('super', '/platforms', { colorScheme });
    for (const name of [/^Assign to/, /^Unassign/]) await look(page.getByRole('button', { name }).first());
    assert.equal(poor, []);
  });
}

for (const [person, path] of [
  ['super', '/users'],
  ['super', '/redeems'],
  ['super', '/tenants'],
  ['super', '/tenant/2/admin'],
  ['ann', '/'],
  ['ann', '/?tab=purchases'],
  ['ann', '/users'],
] as const) {
  test(`in a low window the page stands still, and the list and the menu scroll: ${person}, ${path}`, async () => {
    const page = await start(person, path, low);
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

test('in colours of one’s own a dialog has an edge, and a switch shows whether it is on', async () => {
  const page = await start('super', '/payment-methods', { forcedColors: 'active' });
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

test('on paper a list stands whole, without the screen around it', async () => {
  const page = await start('super', '/users?size=50');
  await rows(table(page, 'Users')).nth(49).waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  // Nothing of it is scrolled away, once the styles of what is not seen at first are there.
  const frame = await page.getByRole('region', { name: 'Users', exact: true }).elementHandle();
  await page.waitForFunction((element) => element && element.scrollHeight <= element.clientHeight + 1, frame);
  assert.is(await button(page.getByRole('banner'), 'Logout').isVisible(), false);
  assert.is(await page.getByRole('navigation', { name: 'Screens' }).isVisible(), false);
  assert.ok(await heading(page, 'Users').isVisible());
});

test.run();

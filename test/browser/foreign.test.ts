/** The app in front of another implementation of the calls: what it sends, and how it handles any kind of answer. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Json, startForeignServer } from './foreignServer';
import { closeVisits, enter, journey, type Visit } from './harness';
import { button, choice, dialog, field, message, settled, table } from './seen';

let foreign: Awaited<ReturnType<typeof startForeignServer>>;
type Staff = 'super' | 'ann';
const staff: readonly Staff[] = ['super', 'ann'];
/** Those who look at one shape of the answers after the other. */
const visits = {} as Record<Staff, Visit>;
/** What a script of an answer has said, had one run. */
const scripts: string[] = [];
test.before(async () => {
  foreign = await startForeignServer('dist');
  for (const person of staff) {
    const visit = await enter(person, '/', { url: `${foreign.url}/` });
    visit.page.on('dialog', (asking) => {
      scripts.push(`a script has run: ${asking.message()}`);
      void asking.dismiss();
    });
    visits[person] = visit;
  }
});
test.after(async () => {
  await closeVisits();
  foreign.stop();
});

const screens = {
  super: [
    '/tenants?view=2',
    '/platforms',
    '/admins?tenant=2',
    '/purchases',
    '/users',
    '/deposits',
    '/redeems',
    '/payment-methods',
    '/tenant/2/admin',
    '/tenant/2/admin?tab=platforms',
    '/tenant/2/admin?tab=affiliate-tracking&affiliate=AFF1',
  ],
  ann: [
    '/',
    '/users',
    '/?tab=purchases',
    '/?tab=deposits',
    '/?tab=redeems',
    '/?tab=affiliate-tracking&affiliate=AFF1&range=month',
    '/?tab=platforms',
  ],
} as const;
/** What opens a dialog, wherever it stands. */
const openers = [
  /^Edit$/,
  /^Edit Balances$/,
  /^Platform Credentials$/,
  /^Transaction History$/,
  /^Create /,
  /^Add( Payment Method)?$/,
  /^Details$/,
  /^Redeem$/,
  /^Info$/,
  /^Assign to/,
  /^Edit credentials/,
  /^New Sign Ups Today/,
  /^First Purchase Today/,
];

const drawn = (page: Page) =>
  page.evaluate(() => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));
/** To another screen without loading the page again, and drawn. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await drawn(page);
}

/** Nothing on screen that no person should see. */
async function looksWell(page: Page, where: string): Promise<void> {
  const shown = await page.evaluate(() => {
    const values = [...document.querySelectorAll<HTMLInputElement>('input, select')].map(
      ({ value, ariaLabel }) => `${value} ${ariaLabel ?? ''}`,
    );
    return [document.body.innerText, document.title, ...values].join('\n');
  });
  assert.ok(shown.length > 100, `${where}: no white screen`);
  assert.is(
    /.*(undefined|\bNaN\b|\bnull\b|Invalid Date|\[object|Something went wrong).*/.exec(shown)?.[0],
    undefined,
    where,
  );
}

/** Every screen, and on each what opens a dialog there, unless one of that screen is among the `opened`. */
async function crawl(visit: Visit, person: Staff, opened: Set<string>): Promise<string[]> {
  const { page } = visit,
    wrong: string[] = [];
  for (const path of screens[person]) {
    try {
      await go(page, path);
      await page.locator('main h2').first().waitFor();
      await settled(page);
      await looksWell(page, path);
      const title = await page.locator('main h2').last().textContent();
      for (const name of openers) {
        // What stands in the bar is the same on every screen.
        const which = /Today/.test(name.source) ? name.source : `${title}: ${name.source}`;
        const opener = page.getByRole('button', { name }).and(page.locator(':enabled')).first();
        if (opened.has(which) || !(await opener.count())) continue;
        await opener.click();
        await page.locator('dialog[open]').waitFor();
        opened.add(which);
        await settled(page);
        await looksWell(page, `${path}, ${name.source}`);
        await page.keyboard.press('Escape');
        await page.locator('dialog[open]').waitFor({ state: 'detached' });
      }
    } catch (error) {
      wrong.push(`${path}: ${String(error).split('\n').slice(0, 3).join(' ')}`);
      await page.reload();
    }
  }
  const faults = visit.faults.splice(0).filter((words) => !/ApiError|Unreadable/.test(words));
  return [...wrong, ...faults, ...scripts.splice(0)];
}

journey('every screen and dialog shows what it gets, sends only what is specified, and runs no script', async () => {
  const wrong: string[] = [];
  for (const person of staff) {
    const { page } = visits[person],
      opened = new Set<string>();
    page.on('response', (response) => {
      if (response.url().includes('/api/') && response.status() >= 400)
        wrong.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    wrong.push(...(await crawl(visits[person], person, opened)));
    assert.ok(opened.size > 12, `the dialogs are found: ${[...opened].join()}`);
    await go(page, '/users');
    await page.getByText('<script>alert(1)</script>').waitFor();
    await page.getByText('<img src=x onerror=alert(1)>@mail.test').first().waitFor();
    assert.is(await page.locator('img, main script').count(), 0, 'script-like text stays text');
  }
  assert.is(wrong.join('\n'), '');
});

journey('an address that looks like another host makes no link that leads there', async () => {
  const { page } = visits.ann;
  await page.goto(`${foreign.url}//other.example/users`);
  await page.getByRole('tab').first().waitFor();
  await settled(page);
  const hosts = await page
    .getByRole('tab')
    .evaluateAll((tabs) => tabs.map((tab) => (tab instanceof HTMLAnchorElement ? tab.host : '')));
  assert.equal([...new Set(hosts)], [new URL(foreign.url).host]);
});

const sent = () => foreign.recorded.filter(({ name }) => name === 'changeRedeemStatus').map(({ body }) => body);
journey('a key meant to scroll chooses no status; one chosen with the arrows and Enter is sent', async () => {
  const { page, goTo } = visits.super;
  const focused = async () => {
    await goTo('/redeems');
    await settled(page);
    const select = choice(table(page, 'Redeems'), 'Status of redeem 41, pam@mail.test, $150.00');
    await select.focus();
    return select;
  };
  for (const key of ['ArrowDown', 'ArrowRight', 'End', 'PageDown', 's']) {
    const select = await focused();
    await page.keyboard.press(key);
    assert.is(await select.inputValue(), 'pending', key);
    await page.keyboard.press('Escape');
    assert.is(await select.inputValue(), 'pending', key);
    assert.equal(sent(), [], key);
  }
  await focused();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await message(page, 'Status updated').waitFor();
  assert.equal(sent(), [{ status: 'failed' }]);
});

journey('the wheel turned over an amount changes no cent of it', async () => {
  const { page, goTo } = visits.super;
  await goTo('/redeems');
  await button(page, 'Create Manual Redeem').click();
  const amount = field(dialog(page, 'Create Manual Redeem'), 'Amount');
  await amount.fill('150');
  await amount.hover();
  for (const way of [100, -100, -100]) await page.mouse.wheel(0, way);
  await drawn(page);
  assert.is(await amount.inputValue(), '150');
  await amount.press('ArrowUp');
  assert.is(await amount.inputValue(), '150.01', 'an arrow still steps by a cent');
});

const eachField = (change: (value: Json, key: string) => Json | undefined) =>
  function all(value: Json): Json {
    if (Array.isArray(value)) return value.map(all);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        const changed = inner !== null && typeof inner === 'object' ? all(inner) : change(inner, key);
        return changed === undefined ? [] : [[key, changed]];
      }),
    );
  };
const isKept = (key: string) =>
  key === 'id' || key.endsWith('_id') || key === 'access_token' || key === 'is_super_admin';
const ifFree = (change: (value: Json) => Json | undefined) =>
  eachField((value, key) => (isKept(key) ? value : change(value)));
/** Ways another server's answers may differ, several at once where they do not meet. */
const shapes: Record<string, (answer: Json) => Json> = {
  'every field null': ifFree(() => null),
  'optional fields missing, rows twice, and rows that are none': (answer) => {
    const fewer = ifFree(() => undefined)(answer);
    return Array.isArray(fewer) ? [...fewer, null, 7, 'row', ...fewer] : fewer;
  },
  'numbers as text, yes and no as 1 and 0, lists wrapped': (answer) => {
    const other = ifFree((value) =>
      typeof value === 'number' ? String(value) : typeof value === 'boolean' ? +value : value,
    )(answer);
    return Array.isArray(other) ? { count: other.length, results: other, next: null } : other;
  },
  'objects and numbers where text should be': eachField((value, key) =>
    typeof value !== 'string' || isKept(key) ? value : key.length % 2 ? { surprise: [value] } : 12345,
  ),
  'text that is no number and no date': ifFree(() => 'what?'),
  'lists empty': (answer) => (Array.isArray(answer) ? [] : answer),
  'everything null': () => null,
};

for (const [shape, change] of Object.entries(shapes)) {
  journey(`no white screen and no nonsense with ${shape}`, async () => {
    foreign.reshape(change);
    const opened = new Set<string>();
    for (const person of staff) {
      await visits[person].goTo('/');
      assert.is((await crawl(visits[person], person, opened)).join('\n'), '', person);
    }
  });
}

test.run();

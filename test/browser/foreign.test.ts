/** The app in front of another implementation of the calls: what it sends, and how it handles any kind of answer. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ForeignServer, type Json, startForeignServer } from './foreignServer';
import { newVisit, people, type Visit } from './harness';
import { button, field, heading, settled } from './seen';

let foreign: ForeignServer;
type Staff = 'super' | 'ann';
const staff: readonly Staff[] = ['super', 'ann'];
/** Those who look at one shape of the answers after the other. */
const visits: Partial<Record<Staff, Visit>> = {};
test.before(async () => {
  foreign = await startForeignServer('dist');
});
test.after(async () => {
  for (const visit of Object.values(visits)) await visit.close();
  await foreign.stop();
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

/** What a script of an answer has said, had one run. */
const scripts: string[] = [];
async function enter(person: Staff): Promise<Visit> {
  const visit = await newVisit({ url: `${foreign.url}/`, reducedMotion: 'reduce' });
  visit.page.on('dialog', (asking) => {
    scripts.push(`a script has run: ${asking.message()}`);
    void asking.dismiss();
  });
  await visit.signIn(person);
  return visit;
}

/** To another screen without loading the page again, and drawn. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    return new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())));
  }, path);

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
async function crawl(visit: Visit, person: Staff, opened: Set<string>, opening = openers): Promise<string[]> {
  const { page } = visit,
    wrong: string[] = [];
  for (const path of screens[person]) {
    try {
      await go(page, path);
      await page.locator('main h2').first().waitFor();
      await settled(page);
      await looksWell(page, path);
      const title = await page.locator('main h2').last().textContent();
      for (const name of opening) {
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

test('every screen and dialog shows what it gets, sends only what is specified, and runs no script', async () => {
  const wrong: string[] = [];
  for (const person of staff) {
    const visit = await enter(person),
      { page } = visit,
      opened = new Set<string>();
    page.on('response', (response) => {
      if (response.url().includes('/api/') && response.status() >= 400)
        wrong.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    try {
      wrong.push(...(await crawl(visit, person, opened)));
      assert.ok(opened.size > 12, `the dialogs are found: ${[...opened].join()}`);
      await page.evaluate(() => history.pushState(null, '', '/users'));
      await page.getByText('<script>alert(1)</script>').waitFor();
      await page.getByText('<img src=x onerror=alert(1)>@mail.test').first().waitFor();
      assert.is(await page.locator('img, main script').count(), 0, 'script-like text stays text');
      await button(page, 'Logout').click();
      await button(page, 'Login').waitFor();
    } finally {
      await visit.close();
    }
  }
  assert.is(wrong.join('\n'), '');
  assert.is(
    foreign.recorded.some(({ name }) => name === 'logout'),
    false,
    'a call that was not offered is not made',
  );
});

test('an address that looks like another host makes no link that leads there', async () => {
  const visit = await enter('ann'),
    { page } = visit;
  try {
    await page.goto(`${foreign.url}//other.example/users`);
    await page.getByRole('tab').first().waitFor();
    await settled(page);
    const hosts = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => (tab instanceof HTMLAnchorElement ? tab.host : '')));
    assert.equal([...new Set(hosts)], [new URL(foreign.url).host]);
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
  }
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
/** Ways another server's answers may differ. */
const shapes: Record<string, (answer: Json) => Json> = {
  'every field null': eachField((value, key) => (isKept(key) ? value : null)),
  'optional fields missing': eachField((value, key) => (isKept(key) ? value : undefined)),
  'numbers as text': eachField((value, key) => (typeof value === 'number' && !isKept(key) ? String(value) : value)),
  'objects where text should be': eachField((value, key) =>
    typeof value === 'string' && !isKept(key) ? { surprise: [value] } : value,
  ),
  'numbers where text should be': eachField((value, key) =>
    typeof value === 'string' && !isKept(key) ? 12345 : value,
  ),
  'yes and no as 1 and 0': eachField((value, key) => (typeof value === 'boolean' && !isKept(key) ? +value : value)),
  'text that is no number and no date': eachField((value, key) => (isKept(key) ? value : 'what?')),
  'lists empty': (answer) => (Array.isArray(answer) ? [] : answer),
  'lists wrapped': (answer) => (Array.isArray(answer) ? { count: answer.length, results: answer, next: null } : answer),
  'everything null': () => null,
  'rows twice, and rows that are none': (answer) =>
    Array.isArray(answer) ? [...answer, null, 7, 'row', ...answer] : answer,
};

/** What these change, a dialog shows as one of the other shapes does. */
const seenOnScreens = ['optional fields missing', 'numbers where text should be', 'yes and no as 1 and 0'];

for (const [shape, change] of Object.entries(shapes)) {
  test(`no white screen and no nonsense with ${shape}`, async () => {
    foreign.reshape(change);
    const opened = new Set<string>();
    for (const person of staff) {
      const visit = (visits[person] ??= await enter(person));
      await visit.goTo('/');
      const wrong = await crawl(visit, person, opened, seenOnScreens.includes(shape) ? [] : openers);
      assert.is(wrong.join('\n'), '', person);
    }
  });
}

test('a refused sign-in is the only alert of the page; a click anywhere in its name cell opens a tenant', async () => {
  foreign.reshape((answer) => answer);
  const visit = await newVisit({ url: `${foreign.url}/` }),
    { page } = visit;
  try {
    await visit.goTo('/');
    await field(page, 'Email').fill(people.super);
    await field(page, 'Password').fill('wrong');
    await button(page, 'Login').click();
    await page.getByText('Invalid credentials or not an admin.').waitFor();
    assert.equal(await page.getByRole('alert').allInnerTexts(), ['Invalid credentials or not an admin.']);

    await visit.signIn('super');
    await page.getByRole('cell', { name: 'Acme', exact: true }).click();
    await heading(page, 'Users').waitFor();
    assert.is(new URL(page.url()).pathname, '/tenant/2/admin');
  } finally {
    await visit.close();
  }
});

test.run();

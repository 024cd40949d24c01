/** How the app begins and behaves on a line, in a real browser: drawn before React, nothing asked twice, and what happens when the line goes. */
import type { Page, Route } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newVisit, type Person, type Visit } from './harness';

let visit: Visit | undefined;
async function start(person: Person): Promise<Visit> {
  await visit?.close();
  visit = await newVisit();
  await visit.signIn(person);
  return visit;
}
test.after(() => visit?.close());

/** What this page itself has asked for and has come, over the line or from the browser's own cache. */
const answeredBy = (page: Page, source: 'line' | 'cache'): Promise<string[]> => page.evaluate((source) => performance.getEntriesByType('resource')
  .filter((entry) => entry instanceof PerformanceResourceTiming && entry.responseStatus > 0 && (entry.transferSize > 0) === (source === 'line')).map(({ name }) => name), source);

/** What it no longer wanted, or nobody answered. */
const givenUp = (page: Page): Promise<string[]> => page.evaluate(() => performance.getEntriesByType('resource')
  .filter((entry) => entry instanceof PerformanceResourceTiming && entry.responseStatus === 0 && entry.transferSize === 0).map(({ name }) => name));

test('whoever is signed in sees the rows before React has arrived; it takes over the very same, with what was pressed, chosen and typed meanwhile', async () => {
  const { page, goTo, faults } = await start('ann');
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => { release = resolve; });
  await page.route(/\/assets\/main-/, async (route) => { await held; await route.continue(); });
  await goTo('/users');
  const row = page.locator('tbody tr:not(.note)').nth(2);
  await row.waitFor();
  const drawn = await row.elementHandle();
  await page.getByRole('searchbox').pressSequentially('@'); // which every row has
  await page.getByLabel('Colour mode').selectOption('Dark');
  await page.getByRole('button', { name: 'Create User' }).click();
  assert.is(await page.getByRole('dialog').count(), 0, 'React is not here yet');
  release();
  await page.getByRole('dialog', { name: 'Create User' }).waitFor();
  assert.ok(await drawn?.evaluate((element) => element.isConnected), 'taken over, not drawn again');
  await page.keyboard.press('Escape');
  await page.waitForURL(/search=%40/);
  assert.is(await page.getByRole('searchbox').inputValue(), '@');
  assert.is(await page.getByLabel('Colour mode').inputValue(), 'dark');
  assert.is(await page.locator('html').getAttribute('data-theme'), 'dark');
  assert.equal(faults, []);
});

test('the rows stand before a formatter is made: the first of a page takes longer than all of them', async () => {
  const { page, goTo } = await start('ann');
  await page.addInitScript(() => {
    const made: string[] = [];
    Object.assign(window, { made });
    for (const kind of ['NumberFormat', 'DateTimeFormat'] as const) {
      Object.assign(Intl, { [kind]: new Proxy(Intl[kind], { construct(target, args) { made.push(kind); return Reflect.construct(target, args); } }) });
    }
  });
  await page.route(/\/assets\/main-/, () => undefined); // never comes
  await goTo('/users');
  await page.getByRole('cell', { name: /^\$\d/ }).first().waitFor();
  assert.equal(await page.evaluate('made'), []);
});

for (const [person, paths] of [
  ['super', ['/', '/users', '/tenant/2/admin', '/tenant/2/admin?tab=redeems', '/platforms', '/admins?tenant=2', '/purchases', '/deposits', '/redeems', '/payment-methods']],
  ['ann', ['/', '/users', '/?tab=purchases', '/?tab=affiliate-tracking', '/?tab=platforms']],
] as const) {
  test(`no screen of ${person} asks for anything twice`, async () => {
    const { page, goTo, faults } = await start(person);
    await page.getByText(/^New Sign Ups Today: \d/).waitFor();
    await page.waitForLoadState('networkidle');
    for (const path of paths) {
      await goTo(path);
      await page.getByRole('button', { name: 'Logout' }).waitFor();
      await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/dashboard-metrics'))); // the last to be asked for
      await page.waitForLoadState('networkidle');
      const asked = [...await answeredBy(page, 'line'), ...await givenUp(page)];
      assert.ok(asked.some((one) => one.includes('/api/v1/')), path);
      assert.equal(asked.filter((one, at) => asked.indexOf(one) !== at), [], path);
    }
    assert.equal(faults, []);
  });
}

test('a second visit fetches the page and the figures, and nothing else', async () => {
  const { page, goTo } = await start('ann');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  await page.waitForLoadState('networkidle');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  const fetched = await page.evaluate(() => performance.getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming && entry.transferSize > 0).map(({ name }) => new URL(name).pathname));
  assert.equal(fetched.filter((path) => !path.startsWith('/api/')), []);
});

const isList = (url: string) => url.includes('/user-management/users/?');
/** Every answer takes so long that whatever is on screen before it did not come from the server. */
async function slowLine(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 5000, downloadThroughput: -1, uploadThroughput: -1 });
}

test('a visit some minutes after the last shows its rows at once, marked as being refreshed, and then what the server says', async () => {
  const { page, goTo, faults } = await start('super');
  await goTo('/users');
  await page.getByText(/^Showing 1 to 50 /).waitFor();
  await page.waitForLoadState('networkidle');
  await slowLine(page);
  await goTo('/users');
  await page.locator('tbody[aria-busy=true] tr:not(.note)').nth(49).waitFor({ state: 'attached' });
  assert.equal((await answeredBy(page, 'line')).filter(isList), [], 'the server has not answered yet');
  await page.locator('tbody[aria-busy=false] tr:not(.note)').nth(49).waitFor({ state: 'attached' });
  assert.is((await answeredBy(page, 'line')).filter(isList).length, 1);
  assert.equal(faults, []);
});

test('nobody sees the rows of another session', async () => {
  const { page, goTo, signIn } = await start('super');
  await goTo('/users');
  await page.getByText(/^Showing 1 to 50 /).waitFor();
  const asked = await page.evaluate(() => localStorage.getItem('asked'));
  assert.ok(asked);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByLabel('Email').waitFor();
  assert.is(await page.evaluate(() => localStorage.length), 0);
  await signIn('super');
  await page.waitForLoadState('networkidle');
  await page.evaluate((text) => localStorage.setItem('asked', text ?? ''), asked); // even where that had been left behind
  await slowLine(page);
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').nth(49).waitFor({ state: 'attached' });
  const fromLine = (await answeredBy(page, 'line')).filter(isList), fromCache = (await answeredBy(page, 'cache')).filter(isList);
  assert.equal([fromLine.length, fromCache.length], [1, 0]);
});

test('a list that has not changed comes back as 304', async () => {
  const { page, goTo } = await start('ann');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  const cdp = await page.context().newCDPSession(page), statuses: number[] = [];
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => { if (/json/.test(headers['Content-Type'] ?? headers['content-type'] ?? '') || statusCode === 304) statuses.push(statusCode); });
  await page.getByRole('button', { name: /^Email/ }).click();
  await page.waitForLoadState('networkidle');
  await page.goBack();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(300);
  assert.ok(statuses.includes(304), statuses.join());
});

test('typing in the search asks once it pauses, and drops what is under way', async () => {
  const { page, goTo, faults } = await start('ann');
  await page.clock.install(); // so that a slow machine makes no pause of its own
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  const searches: string[] = [], dropped: string[] = [];
  const searchOf = (url: string) => new URL(url).searchParams.get('search') ?? '';
  await page.route(/user-management\/users\/\?.*search=a/, async (route: Route) => {
    searches.push(searchOf(route.request().url()));
    if (searches.length === 1) await new Promise((done) => { setTimeout(done, 5000); });
    await route.continue().catch(() => undefined); // dropped by then
  });
  page.on('requestfailed', (request) => dropped.push(searchOf(request.url())));
  const box = page.getByRole('searchbox');
  await page.clock.pauseAt(new Date(Date.now() + 600_000));
  for (const words of ['ann', '@acme']) {
    const asked = searches.length;
    for (const key of words) {
      await box.press(key);
      await page.clock.runFor(100);
    }
    assert.is(searches.length, asked, 'not while one types');
    await page.clock.runFor(300);
    while (searches.length === asked) await page.waitForTimeout(20);
  }
  await page.clock.resume();
  await page.getByText(/^Showing 1 to 1 of 1 users$/).waitFor();
  assert.equal(searches, ['ann', 'ann@acme']);
  assert.equal(dropped, ['ann']);
  assert.equal(faults, []);
});

test('a lost line says so, loses nothing typed, and recovers by itself', async () => {
  const { page, goTo } = await start('ann');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline. What is on screen may be old.').waitFor();
  await page.getByRole('searchbox').fill('ann@acme');
  await page.getByText('The server cannot be reached.').waitFor();
  assert.ok(await page.locator('tbody tr:not(.note)').count() > 1, 'the rows are still there');
  await page.context().setOffline(false);
  await page.getByText(/^Showing 1 to 1 of 1 users$/).waitFor();
  assert.is(await page.getByRole('searchbox').inputValue(), 'ann@acme');
  assert.is(await page.getByText('You are offline.').count(), 0);
});

test.run();

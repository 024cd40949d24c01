/** How the app starts in a real browser, requests nothing twice, and behaves when the connection is lost. */
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, journey, newVisit } from './harness';

/** What this page itself has asked for: fetched over the network, kept from before, or given up. */
const entries = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, responseStatus: status, transferSize: bytes }) => ({ name, status, bytes })),
  );

for (const [person, paths] of [
  [
    'super',
    [
      ...['/', '/users', '/tenant/2/admin', '/tenant/2/admin?tab=redeems', '/platforms', '/admins?tenant=2'],
      ...['/purchases', '/deposits', '/redeems', '/payment-methods'],
    ],
  ],
  ['ann', ['/', '/users', '/?tab=purchases', '/?tab=affiliate-tracking', '/?tab=platforms']],
] as const) {
  journey(`no screen of ${person} asks for anything twice`, async () => {
    const { page, goTo } = await enter(person);
    await page.getByText(/^New Sign Ups Today: \d/).waitFor();
    await page.waitForLoadState('networkidle');
    for (const path of paths) {
      await goTo(path);
      await page.getByRole('button', { name: 'Logout' }).waitFor();
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/dashboard-metrics')),
      ); // the last to be asked for
      await page.waitForLoadState('networkidle');
      // Neither kept from before nor without an address of its own.
      const asked = (await entries(page))
        .filter(({ status, bytes }) => status > 0 === bytes > 0)
        .map(({ name }) => name);
      assert.ok(
        asked.some((one) => one.includes('/api/v1/')),
        path,
      );
      assert.equal(
        asked.filter((one, at) => asked.indexOf(one) !== at),
        [],
        path,
      );
    }
  });
}

journey('a second visit fetches the page and the figures, and nothing else', async () => {
  const { page, goTo } = await enter('ann');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  await page.waitForLoadState('networkidle');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  const fetched = (await entries(page)).filter(({ bytes }) => bytes > 0).map(({ name }) => new URL(name).pathname);
  assert.equal(
    fetched.filter((path) => !path.startsWith('/api/')),
    [],
  );
});

journey('a list that has not changed comes back as 304', async () => {
  const { page, goTo } = await enter('ann');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  const cdp = await page.context().newCDPSession(page),
    statuses: number[] = [];
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
    if (/json/.test(headers['Content-Type'] ?? headers['content-type'] ?? '') || statusCode === 304)
      statuses.push(statusCode);
  });
  await page.getByRole('button', { name: /^Email/ }).click();
  await page.waitForLoadState('networkidle');
  await page.goBack();
  for (let n = 0; n < 300 && !statuses.includes(304); n++) await page.waitForTimeout(20);
  assert.ok(statuses.includes(304), statuses.join());
});

for (const person of ['ann', null] as const) {
  journey(`when a script of the app does not arrive, the page says so to ${person ?? 'whoever signs in'}`, async () => {
    const { page, goTo, signIn, faults } = await newVisit();
    if (person) await signIn(person);
    await page.route(/\/assets\/chunk-/, (route) => route.abort());
    await goTo('/users');
    await page.getByRole('alert').getByText('The app could not be loaded.', { exact: false }).waitFor();
    assert.is(await page.getByLabel('Email').isVisible(), person === null);
    faults.splice(0);
  });
}

journey('a lost line says so, loses nothing typed, and recovers by itself', async () => {
  const { page, goTo, faults } = await enter('ann');
  await goTo('/users');
  await page.locator('tbody tr:not(.note)').first().waitFor();
  await page.context().setOffline(true);
  await page.getByText('You are offline. What you see may be out of date.').waitFor();
  await page.getByRole('searchbox').fill('ann@acme');
  await page.getByText('The server cannot be reached.').waitFor();
  assert.ok((await page.locator('tbody tr:not(.note)').count()) > 1, 'the rows are still there');
  await page.context().setOffline(false);
  await page.getByText(/^Showing 1 to 1 of 1 users$/).waitFor();
  assert.is(await page.getByRole('searchbox').inputValue(), 'ann@acme');
  assert.is(await page.getByText('You are offline.').count(), 0);
  assert.equal(
    faults.splice(0).filter((fault) => !fault.startsWith('ApiError: HTTP 0')),
    [],
    'only that nothing could be reached',
  );
});

test.run();

/** The main job in a real browser, from sign-in to a server killed hard, which must have kept all of it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { whenDone } from '../closing';
import { killTree, type Running } from '../server/running';
import { demoData, newVisit, startDemo, startedServer } from './harness';
import { type Done, mainJourney, purchaseOf } from './mainJourney';
import { hasNginx, startNginx } from './nginx';
import { balancesOf, cell, choose, heading, rows, rowWith, searchUsers, table } from './seen';

const dataDir = demoData();
let server: Running, done: Done;
whenDone(async () => {
  await server?.end('SIGTERM');
});

test.before(async () => {
  server = await startDemo(dataDir);
});

test('a super admin opens and adds tenants, finds and edits a player, and settles a purchase to the cent', async () => {
  const visit = await newVisit({ url: server.url });
  try {
    done = await mainJourney(visit, 'Journey');
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
  }
});

test("another tenant's admin reaches none of it by any address of the app", async () => {
  const visit = await newVisit({ url: server.url });
  const { page } = visit;
  try {
    await visit.signIn('ben');
    const search = encodeURIComponent(done.player.email);
    for (const path of [
      '/',
      '/tenants',
      '/platforms',
      '/admins?tenant=2',
      '/purchases',
      '/deposits',
      '/redeems',
      '/payment-methods',
      '/tenant/2/admin',
      '/tenant/2/admin?tab=redeems',
    ]) {
      await visit.goTo(path);
      await page.getByRole('navigation', { name: 'Tenant', exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      const shown = await page.locator('body').innerText();
      assert.match(shown, 'Tenant Admin Panel');
      assert.not.match(shown, /acme/i, `${path} shows nothing of Acme's`);
    }
    await visit.goTo(`/users?search=${search}`);
    await page.getByText('No users found.').waitFor();
    assert.is(await rows(table(page, 'Users')).count(), 0);
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
  }
});

test('all of it is still there when the server was killed hard and started again', async () => {
  killTree(server.pid);
  await server.ended;
  server = await startDemo(dataDir);
  const visit = await newVisit({ url: server.url });
  const { page } = visit;
  try {
    await visit.signIn('super');
    await rowWith(table(page, 'Tenants'), done.tenantName).waitFor();
    await choose(page, 'Screens', 'Users');
    await searchUsers(page, done.player.email);
    const row = rowWith(table(page, 'Users'), done.player.email);
    assert.is(await cell(row, 'Phone'), done.player.phone);
    assert.equal(await balancesOf(row), done.player.balances);
    const purchase = await purchaseOf(page, done.purchase.reference);
    assert.is(await purchase.getByRole('combobox').inputValue(), 'success');
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
  }
});

(hasNginx() ? test : test.skip)("the same through somebody else's web server, below a path", async () => {
  const nginx = await startNginx({ dist: 'dist', apiPort: Number(new URL((await startedServer()).url).port) });
  const visit = await newVisit({ url: nginx.url });
  try {
    const { tenantName } = await mainJourney(visit, 'Path');
    await visit.page.reload();
    await heading(visit.page, 'Users').waitFor();
    await choose(visit.page, 'Screens', 'Tenants');
    await rowWith(table(visit.page, 'Tenants'), tenantName).waitFor();
    assert.is(new URL(visit.page.url()).pathname, '/backoffice/tenants');
    assert.equal(visit.faults, []);
  } finally {
    await visit.close();
    await nginx.stop();
  }
});

test.run();

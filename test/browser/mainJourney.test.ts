/**
 * The main job in a real browser, through somebody else's web server below a path where there is one, from sign-in to a
 * server killed hard, which must have kept all of it.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { whenDone } from '../closing';
import { freePort } from '../openPort';
import { killTree, type Running } from '../server/running';
import { demoData, enter, journey, newVisit, startDemo } from './harness';
import { type Done, mainJourney, purchaseOf } from './mainJourney';
import { type Delivery, hasNginx, startNginx } from './nginx';
import { balancesOf, cell, choose, heading, rows, rowWith, searchUsers, table } from './seen';

const dataDir = demoData();
let server: Running, done: Done, url: string, nginx: Delivery | undefined;
const start = async (port: number) => {
  server = await startDemo(dataDir, { PORT: String(port) });
};
whenDone(async () => {
  await server?.end('SIGTERM');
});

let apiPort = 0;
test.before(async () => {
  apiPort = await freePort();
  await start(apiPort);
  nginx = hasNginx() ? await startNginx({ dist: 'dist', apiPort }) : undefined;
  url = nginx?.url ?? server.url;
});
test.after(() => nginx?.stop());

journey('a super admin opens and adds tenants, finds and edits a player, and settles a purchase', async () => {
  const visit = await newVisit({ url });
  done = await mainJourney(visit, 'Journey');
  await visit.page.reload();
  await heading(visit.page, 'Users').waitFor();
  await choose(visit.page, 'Screens', 'Tenants');
  await rowWith(table(visit.page, 'Tenants'), done.tenantName).waitFor();
  assert.is(visit.page.url(), `${url}tenants`);
});

journey("another tenant's admin reaches none of it by any address of the app", async () => {
  const { page, goTo } = await enter('ben', '/', { url });
  for (const path of [
    ...['/', '/tenants', '/platforms', '/admins?tenant=2', '/purchases', '/deposits', '/redeems', '/payment-methods'],
    ...['/tenant/2/admin', '/tenant/2/admin?tab=redeems'],
  ]) {
    await goTo(path);
    await page.getByRole('navigation', { name: 'Tenant', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const shown = await page.locator('body').innerText();
    assert.match(shown, 'Tenant Admin Panel');
    assert.not.match(shown, /acme/i, `${path} shows nothing of Acme's`);
  }
  await goTo(`/users?search=${encodeURIComponent(done.player.email)}`);
  await page.getByText('No users found.').waitFor();
  assert.is(await rows(table(page, 'Users')).count(), 0);
});

journey('all of it is still there when the server was killed hard and started again', async () => {
  killTree(server.pid);
  await server.ended;
  await start(apiPort);
  const { page } = await enter('super', '/', { url });
  await rowWith(table(page, 'Tenants'), done.tenantName).waitFor();
  await choose(page, 'Screens', 'Users');
  await searchUsers(page, done.player.email);
  const row = rowWith(table(page, 'Users'), done.player.email);
  assert.is(await cell(row, 'Phone'), done.player.phone);
  assert.equal(await balancesOf(row), done.player.balances);
  const purchase = await purchaseOf(page, done.purchase.reference);
  assert.is(await purchase.getByRole('combobox').inputValue(), 'success');
});

test.run();

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
import { balancesOf, cell, choose, heading, rowWith, searchUsers, table } from './seen';

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

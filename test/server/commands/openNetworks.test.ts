/** `npm run open-networks` as the operator of a server runs it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openNetworks } from '../../../src/server/commands/openNetworks';
import { findRunning } from '../../../src/server/db/embedded/embedded';
import { openDatabase } from '../../../src/server/db/open';
import { admin, newDataDir, newFolder, run, runHere, signIn } from '../running';

const folder = newFolder('open-networks'),
  dataDir = join(folder, 'data');
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
const open = (...words: string[]) => runHere(openNetworks, words, { DATA_DIR: dataDir });

test('super admins who are locked out get in again, while the server runs, and the log says so', async () => {
  assert.match((await open('two')).stderr, /^Usage: npm run open-networks -- \[TENANT_ID\] \[--demo\]\n$/);
  await newDataDir(dataDir);
  const server = await run({ dataDir });
  const db = await openDatabase(findRunning(dataDir)!);
  await db.sql`update tenants set allowed_networks = '{192.0.2.0/24}' where id = 1`;
  const enter = () => signIn(server.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD);
  assert.is(await enter(), 403);
  assert.match((await open('77')).stderr, 'There is no tenant with the number 77.');
  assert.match((await open()).stdout, 'Platform can be used from everywhere again; before from 192.0.2.0/24.');
  assert.is(await enter(), 200);
  assert.match((await open('1')).stdout, 'Platform could be used from everywhere before.');
  const logged = await db.sql`select kind, object_id from audit_log where call = 'open-networks'`;
  assert.equal(logged, Array(2).fill({ kind: 'tenant', object_id: '1' }));
  await db.close();
  assert.is(await server.end('SIGTERM'), 0);
});

test.run();

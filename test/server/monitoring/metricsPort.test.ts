/** METRICS_PORT, as an operator sets it: the built server as a process of its own. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, metricsAddress, newFolder, run } from '../running';

const folder = newFolder('metrics');
const dataDir = join(folder, 'data');
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

test('the metrics are on the port of their own and not on the public one, with heads of the audit log', async () => {
  const server = await run({ dataDir, env: { METRICS_PORT: '0' } });
  const address = await metricsAddress(server);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  assert.is((await fetch(address)).headers.get('X-Content-Type-Options'), 'nosniff');
  const read = async () => (await fetch(address)).text();
  const heads = /^backoffice_audit_heads_age_seconds [\d.]+$/m;
  await eventually(async () => heads.test(await read())); // the first are logged soon after the start
  const text = await read();
  assert.match(text, /^backoffice_database_up 1$/m);
  assert.match(text, heads);
  assert.is((await fetch(`${server.url}metrics`)).status, 404);

  const taken = await run({
    dataDir: join(folder, 'other'),
    env: { METRICS_PORT: new URL(address).port },
  });
  assert.is(await taken.ended, 1);
  assert.match(taken.stderr(), /^Port \d+ of 127\.0\.0\.1 is already in use; set METRICS_PORT to another\.\n$/);
  assert.is(await server.end('SIGTERM'), 0);
});

test('with a token alone they are on the public port, for whoever sends it; with both on the other one', async () => {
  const METRICS_TOKEN = 'a-token-of-the-operator';
  const ask = async (address: string, token: string) =>
    (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).status;
  const server = await run({ dataDir, env: { METRICS_TOKEN } });
  assert.is(await ask(`${server.url}metrics`, 'another-token-of-somebody'), 401);
  assert.is(await ask(`${server.url}metrics`, METRICS_TOKEN), 200);
  assert.not.ok(server.stdout().includes(METRICS_TOKEN));
  assert.is(await server.end('SIGTERM'), 0);

  const both = await run({ dataDir, env: { METRICS_TOKEN, METRICS_PORT: '0' } });
  assert.is(await ask(`${both.url}metrics`, METRICS_TOKEN), 404);
  assert.is(await ask(await metricsAddress(both), 'another-token-of-somebody'), 401);
  assert.is(await ask(await metricsAddress(both), METRICS_TOKEN), 200);
  assert.is(await both.end('SIGTERM'), 0);
});

test.run();

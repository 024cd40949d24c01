/** kill -9 of server and database while shifts are closed: each is open or closed afterwards, as a whole. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { enter, killTree, newDataDir, newFolder, type Running, run } from '../running';

const folder = newFolder('shift-killed'),
  dataDir = join(folder, 'data');
let server: Running;
test.before(() => newDataDir(dataDir));
test.after(() => {
  killTree(server.pid);
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<Api> {
  server = await run({ dataDir, env: { LOG_LEVEL: 'silent' } });
  assert.is.not(server.url, '', server.stderr());
  return enter(server);
}

test('a shift is open or closed, with all of its counts', async () => {
  let api = await start();
  const { id: tenant_id } = await api.createTenant({ body: { name: 'Acme' } });
  const accounts: number[] = [];
  for (let n = 0; n < 20; n++) {
    const body = { name: `Till ${n}`, kind: 'cash' as const, methods: [], is_active: true, tenant_id };
    accounts.push((await api.createValueAccount({ body })).id);
  }
  const counts = accounts.map((account_id) => ({ account_id, counted: '10' }));
  const ends: Record<string, number> = { open: 0, closed: 0 };
  // killed before the call has left, and then ever later
  for (const delay of [null, 0, 3, 6, 9, 12]) {
    const { own_id } = await api.getShiftDay({ tenant_id });
    const id = own_id ?? (await api.openShift({ body: { counts, tenant_id } })).id;
    const answer = api.closeShift({ id, body: { counts, tenant_id } }).then(
      () => true,
      () => false,
    );
    if (delay !== null) await setTimeout(delay);
    killTree(server.pid);
    const isDone = await answer;
    await server.ended;
    api = await start();
    const paper = await api.getShift({ id, tenant_id });
    const isClosed = paper.closed_at !== null;
    assert.ok(isClosed || !isDone, 'what was answered is kept');
    assert.is(paper.counts.length, accounts.length);
    assert.ok(paper.counts.every(({ counted, opening }) => opening === 10 && (counted === 10) === isClosed));
    ends[isClosed ? 'closed' : 'open']!++;
  }
  assert.ok(ends['open'], JSON.stringify(ends));
});

test.run();

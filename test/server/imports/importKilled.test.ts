/** kill -9 of server and database in the middle of an import; the same file again then makes it whole. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import type { ImportKind } from '../../../src/contract/imports';
import { verifyLedger } from '../../../src/server/books/verify';
import { findRunning } from '../../../src/server/db/embedded/embedded';
import { openDatabase } from '../../../src/server/db/open';
import { importFile, summary } from '../../importFile';
import { catchError } from '../catchError';
import { enter, killTree, newDataDir, newFolder, type Running, run } from '../running';

const folder = newFolder('import-killed'),
  dataDir = join(folder, 'data');
const TENANT = 2,
  ROWS = 1800;
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

/** Ends the server while the third batch is on its way, whatever becomes of that; then all of it once more. */
async function cutOffThenAgain(kind: ImportKind, text: string): Promise<ReturnType<typeof summary>> {
  const api = await start();
  let sent = 0,
    done = 0;
  const importRows: Api['importRows'] = (input) => {
    const answer = api.importRows(input);
    if (++sent === 3) killTree(server.pid);
    return answer;
  };
  const onProgress = ({ created }: { created: number }) => {
    done = created;
  };
  await catchError(importFile({ ...api, importRows }, kind, text, { tenant_id: TENANT, onProgress }));
  assert.is(done, 1000);
  await server.ended;
  const again = summary(await importFile(await start(), kind, text, { tenant_id: TENANT }));
  await server.end('SIGTERM');
  return again;
}

const players = [
  'source_id,email,credit',
  ...Array.from({ length: ROWS }, (_, n) => `P${n},p${n}@mail.test,10.10`),
].join('\n');
const money = [
  'source_id,user_source_id,type,status,amount,initiated_at,completed_at,platform',
  ...Array.from({ length: ROWS }, (_, n) => {
    if (n % 20 === 0) return `M${n},P${n},REDEEM,pending,5,2026-01-01,,yolo`;
    const day = `2026-01-0${1 + (n % 9)}`;
    return `M${n},P${n},${n % 3 ? 'TOP_UP' : 'REDEEM'},success,1.01,${day},${day}T10:00Z,yolo`;
  }),
].join('\n');

test('an import that dies with its server is made whole by the same file', async () => {
  const api = await start();
  await api.createTenant({ body: { name: 'Acme' } });
  await server.end('SIGTERM');
  for (const [kind, text] of [
    ['players', players],
    ['transactions', money],
  ] as const) {
    const { created, existing, rejects } = await cutOffThenAgain(kind, text);
    assert.equal([created + existing, rejects], [ROWS, []]);
    assert.ok(existing === 1000 || existing === 1500, `${existing} were there`);
  }
  const last = await start();
  const { users, pagination } = await last.listPlayers({ tenant_id: TENANT, search: 'p20@' });
  assert.equal([users[0]?.credit_balance, pagination.total_users], [5.1, 1]);
  assert.is((await last.listPlayers({ tenant_id: TENANT })).pagination.total_users, ROWS);
  const db = await openDatabase(findRunning(dataDir)!);
  try {
    assert.equal(await verifyLedger(db.sql), []);
    const [sums] = await db.sql<{ past: number; pending: number }[]>`
      select
        (select count(*) from transactions where is_history)
        + (select count(*) from redeems where is_history) as past,
        (select count(*) from redeems where status = 'pending') as pending`;
    assert.equal(sums, { past: ROWS - ROWS / 20, pending: ROWS / 20 });
  } finally {
    await db.close();
  }
});

test.run();

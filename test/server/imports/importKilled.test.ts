/** kill -9 of server and database in the middle of an import; the same file again then makes it whole. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import type { ImportKind } from '../../../src/contract/imports';
import { verifyLedger } from '../../../src/server/books/verify';
import { ROLE } from '../../../src/server/db/embedded/configFiles';
import { readPostmaster } from '../../../src/server/db/embedded/postgresProcess';
import { openDatabase } from '../../../src/server/db/open';
import { createApi } from '../../createApi';
import { importFile, summary } from '../../importFile';
import { firstAdmin, killTree, newFolder, type Running, run } from '../running';

const folder = newFolder('import-killed'),
  dataDir = join(folder, 'data');
const TENANT = 2,
  ROWS = 1800;
let server: Running, admin: { email: string; password: string };
test.after(() => {
  killTree(server.pid);
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<Api> {
  server = await run({ dataDir, env: { LOG_LEVEL: 'silent' } });
  assert.is.not(server.url, '', server.stderr());
  admin ??= firstAdmin(server);
  const base = server.url.replace(/\/$/, '');
  const { access_token } = await createApi({ base }).login({ body: admin });
  return createApi({ base, token: () => access_token });
}

/** Ends the server while the third batch is on its way, whatever becomes of that; then all of it once more. */
async function cutOffThenAgain(kind: ImportKind, text: string): Promise<ReturnType<typeof summary>> {
  const api = await start();
  let sent = 0,
    done = 0;
  const send = api.importRows;
  const cut: Api = {
    ...api,
    importRows: (input) => {
      const answer = send(input);
      if (++sent === 3) killTree(server.pid);
      return answer;
    },
  };
  await importFile(cut, kind, text, {
    tenant_id: TENANT,
    onProgress: ({ created }) => {
      done = created;
    },
  }).then(
    () => assert.unreachable('it was cut off'),
    () => {},
  );
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
  const {
    users: [one],
    pagination,
  } = await last.listPlayers({ tenant_id: TENANT, search: 'p20@' });
  assert.equal([one?.credit_balance, pagination.total_users], [5.1, 1]);
  assert.is((await last.listPlayers({ tenant_id: TENANT })).pagination.total_users, ROWS);
  const db = await openDatabase({
    socketFolder: readPostmaster(join(dataDir, 'postgres'))?.socketFolder ?? '',
    port: 5432,
    user: ROLE,
    database: ROLE,
  });
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

/** npm run verify, as a process of its own. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSecrets } from '../../../src/server/auth/secrets';
import { admin, newDataDir, newFolder, run, serverBundle, signIn } from '../running';
import { pastTheServer } from './verifyProgram';

const folder = newFolder('verify');
const dataDir = join(folder, 'data');
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

async function verify(env: Record<string, string> = {}, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [await serverBundle(), 'verify', ...args], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
  });
  return { code: status, stdout, stderr };
}
const behindItsBack = (statement: string) => pastTheServer(dataDir, (sql) => sql.unsafe(statement));

test('it says that there is nothing to verify', async () => {
  const { code, stderr } = await verify();
  assert.is(code, 1);
  assert.match(stderr, /^There is no database in .*\n$/);
});

test('asked for help it says how it and the other commands are called', async () => {
  const { code, stdout } = await verify({}, '--help');
  assert.is(code, 0);
  assert.match(stdout, /^Usage:\n {2}npm start /);
  assert.match(stdout, /npm run verify \[-- --since LOG\] {2}/);
});

test('it finds sound books on a running and a stopped server, and what was changed in between', async () => {
  await newDataDir(dataDir);
  const server = await run({ dataDir });
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 200);
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, 'a wrong password'), 401);
  const [books, both] = ['The ledger adds up.\n', 'The ledger and the audit log agree.\n'];
  const intact = 'The audit log is intact: 3 entries, nothing edited, deleted or inserted.\n';
  assert.equal(await verify(), { code: 0, stdout: `${books}${intact}${both}`, stderr: '' });

  await behindItsBack("update audit_log set address = '10.0.0.9' where id = (select max(id) from audit_log)");
  assert.is((await verify()).code, 1);
  const noted = await pastTheServer(dataDir, (sql) => sql<{ findings: number }[]>`select findings from upkeep`);
  assert.is(noted[0]?.findings, 1, 'the metrics tell of it');
  assert.is(await server.end('SIGTERM'), 0);
  const { code, stdout } = await verify();
  assert.is(code, 1);
  const edited = 'Entry N of the audit log was edited or inserted: its MAC does not match.\n';
  const found = 'The audit log was tampered with: 1 finding in 3 entries.\n';
  assert.is(stdout.replace(/Entry \d+/, 'Entry N'), `${books}${edited}${found}${both}`);
});

test('it refuses a key that is not the one of the database', async () => {
  const { code, stderr } = await verify({ SECRET_KEY: 'a'.repeat(64) });
  assert.is(code, 1);
  assert.match(stderr, /^SECRET_KEY, or the key file .* is not the key that this database was created with\.\n$/);
});

test('an audit log that has begun is not begun anew: nothing is written until it is mended', async () => {
  const server = await run({ dataDir });
  await behindItsBack('truncate audit_log, audit_lanes');
  assert.is(await server.end('SIGTERM'), 0);
  const next = await run({ dataDir });
  assert.is(await signIn(next.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 500);
  const { stdout } = await verify();
  assert.match(stdout, /^The record of the last entry of audit log shard 0 was deleted\.$/m);
  assert.match(stdout, /^The entry that records the ledger was deleted from the audit log\.$/m);

  // Nor if somebody puts back the key check of a version that had no audit log.
  const secrets = createSecrets(Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'base64'));
  const old = secrets.encrypt('this key opens this database', ['installation']);
  await behindItsBack(`update installation set key_check = '${old}'`);
  const refusal = 'The database was not set up by version 0.2.0. Start that on it first.\n';
  assert.equal(await verify(), { code: 1, stdout: '', stderr: refusal });
  assert.is(await next.end('SIGTERM'), 0);
  const last = await run({ dataDir });
  assert.equal([await last.ended, last.stderr()], [1, refusal]);
});

test.run();

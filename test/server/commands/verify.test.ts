/** npm run verify, as a process of its own. */

import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSecrets } from '../../../src/server/auth/secrets';
import { readPostmaster } from '../../../src/server/db/leftover';
import { openDatabase } from '../../../src/server/db/open';
import { newFolder, run, serverBundle, signIn } from '../running';

const folder = newFolder('verify');
const dataDir = join(folder, 'data');
let program = '';
test.before(async () => {
  program = join(dirname(await serverBundle()), 'verify.mjs');
  await build({
    entryPoints: ['src/server/commands/verify.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.sql': 'text' },
    logLevel: 'error',
  });
});
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const verify = (env: Record<string, string> = {}, ...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: '/', env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
/** Past the triggers, while the server runs. */
async function behindItsBack(statement: string): Promise<void> {
  const db = await openDatabase({
    socketFolder: readPostmaster(join(dataDir, 'postgres'))?.socketFolder ?? '',
    port: 5432,
    user: 'back_office',
    database: 'back_office',
  });
  await db.tx((sql) =>
    sql.unsafe(`alter table audit_log disable trigger user; ${statement}; alter table audit_log enable trigger user`),
  );
  await db.close();
}
const admin = { ADMIN_EMAIL: 'first@admin.test', ADMIN_PASSWORD: 'chosen by hand' };

test('it says that there is nothing to verify', async () => {
  const { code, stderr } = await verify();
  assert.is(code, 1);
  assert.match(stderr, /^There is no database in .*\n$/);
});

test('asked for help it says how it and the other commands are called', async () => {
  const { code, stdout } = await verify({}, '--help');
  assert.is(code, 0);
  assert.match(stdout, /^Usage:\n {2}npm start /);
  assert.match(stdout, /npm run verify {12}/);
});

test('it finds sound books on a running and a stopped server, and what was changed in between', async () => {
  const server = await run({ dataDir, env: admin });
  assert.is.not(server.url, '', server.stderr());
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 200);
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, 'a wrong password'), 401);
  const whole = {
    code: 0,
    stdout: 'The ledger adds up.\nThe audit log is intact: 2 entries, nothing edited, deleted or inserted.\n',
    stderr: '',
  };
  assert.equal(await verify(), whole);

  await behindItsBack("update audit_log set address = '10.0.0.9' where id = (select max(id) from audit_log)");
  assert.is(await server.end('SIGTERM'), 0);
  const { code, stdout } = await verify();
  assert.is(code, 1);
  assert.match(
    stdout,
    new RegExp(
      '^The ledger adds up\\.\\n' +
        'Entry \\d+ of the audit log was edited or inserted: its MAC does not match\\.\\n' +
        'The audit log was tampered with: 1 finding in 2 entries\\.\\n$',
    ),
  );
});

test('it refuses a key that is not the one of the database', async () => {
  const { code, stderr } = await verify({ SECRET_KEY: 'a'.repeat(64) });
  assert.is(code, 1);
  assert.match(stderr, /^SECRET_KEY, or the key file .* is not the key that this database was created with\.\n$/);
});

test('a database from before the audit log gets one at its next start', async () => {
  const server = await run({ dataDir });
  const secrets = createSecrets(Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'base64'));
  const old = secrets.encrypt('this key opens this database', ['installation']);
  await behindItsBack(`truncate audit_log, audit_lanes; update installation set key_check = '${old}'`);
  assert.is(await server.end('SIGTERM'), 0);
  const next = await run({ dataDir });
  assert.is(await signIn(next.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 200);
  assert.is(
    (await verify()).stdout,
    'The ledger adds up.\nThe audit log is intact: 1 entry, nothing edited, deleted or inserted.\n',
  );

  // Once it has begun, nobody without the key can make it begin anew: nothing is written until it is mended.
  await behindItsBack('truncate audit_log, audit_lanes');
  assert.is(await next.end('SIGTERM'), 0);
  const last = await run({ dataDir });
  assert.is(await signIn(last.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 500);
  assert.match((await verify()).stdout, /The record of the last entry of audit log shard 0 was deleted\./);
  assert.is(await last.end('SIGTERM'), 0);
});

test.run();

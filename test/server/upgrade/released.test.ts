/** Databases of released versions, as they were backed up then: restored, migrated, verified, and worked with. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readManifest } from '../../../src/server/backup/manifest';
import { verifyLedger } from '../../../src/server/books/verify';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { migrations } from '../../../src/server/db/migrations/list';
import { openDatabase } from '../../../src/server/db/open';
import { countFacts } from '../../../src/server/totals/countFacts';
import { pastTheServer, runVerify } from '../commands/verifyProgram';
import { enter, newFolder, type Running, run, serverBundle } from '../running';
import { owner } from './fillServer';

const backups = resolve('test/server/upgrade/backups');
const folder = newFolder('released');
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const command = async (dataDir: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [await serverBundle(), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
  });
  return { status, stdout, stderr };
};
async function restored(version: string, name = version): Promise<string> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const key = readFileSync(join(backups, version, 'secret.key')); // in a clone everybody may read it
  writeFileSync(join(dataDir, 'secret.key'), key, { mode: 0o600 });
  const { status, stdout, stderr } = await command(dataDir, 'restore', join(backups, version));
  assert.is(status, 0, stderr);
  assert.match(stdout, /The checksums of all tables match\..*The ledger adds up\..*The audit log is intact\./s);
  return dataDir;
}
const enterAsOwner = (server: Running) => enter(server, owner.email, owner.password);

const versions = readdirSync(backups).sort();

for (const version of versions) {
  test(`${version}: comes to the newest schema with everything that was in it`, async () => {
    const { tables } = readManifest(join(backups, version));
    const empty = tables.filter(({ rows }) => rows === 0);
    assert.equal(empty, [], 'every table of that version had rows');
    const dataDir = await restored(version);
    const server = await run({ dataDir });
    assert.is.not(server.url, '', server.stderr());

    await pastTheServer(dataDir, async (sql) => {
      const applied = await sql<{ name: string }[]>`select name from migrations order by name`;
      assert.equal(
        applied.map(({ name }) => name),
        migrations.map(({ name }) => name),
      );
    });
    const sue = await enterAsOwner(server);
    const { users } = await sue.listPlayers({ search: 'pam@mail.test' });
    assert.equal(
      users.map(({ first_name, last_name, affiliate_id }) => [first_name, last_name, affiliate_id]),
      [['Pám 名前', `O'Hara, "Jr."`, 'AFF1']],
    );
    const { pending, success, failed } = await sue.sumListed({ list: 'redeems' });
    assert.equal([pending.amount, success.amount, failed.amount], [250, 100, 110]);
    const acme = (await sue.listTenants({})).find(({ name }) => name === 'Acme')!;
    const body = { rotate: false, password: owner.password };
    const { secret } = await sue.revealWebhookSecret({ tenant_id: acme.id, platform: 'apex', body });
    assert.ok(secret.length > 20, 'what was encrypted can be read');

    const { code, stdout, stderr } = await runVerify(dataDir);
    assert.is(code, 0, stdout + stderr);
    assert.match(stdout, /^The ledger adds up\.\nThe audit log is intact: .*\nThe ledger and the audit log agree\.\n$/);
    assert.is(await server.end('SIGTERM'), 0);
  });
}

test('the totals of 0.2.0 become facts, to which only what came since is added', async () => {
  const dataDir = await restored('0043_approvals_ended', 'taken-over');
  const embedded = await startEmbedded({ folder: dataDir });
  const db = await openDatabase(embedded.address);
  const countDays = async (table: string) => {
    const [{ days }] = (await db.sql`
      select count(*)::int as days from ${db.sql(table)} where unit = 'day' and tenant_id <> 1`) as [{ days: number }];
    return days;
  };
  try {
    // A player who was moved has the facts of the tenant counted anew; without that they are taken over.
    await db.sql`update players set affiliate_id = null where email = 'quinn@mail.test'`;
    await db.sql`delete from total_changes`;
    const before = await countDays('part_totals');
    assert.ok(before > 5);
    await migrate(db);
    assert.is(await countDays('facts'), before);
    assert.equal(await verifyLedger(db.sql), []);
    await countFacts(db);
    assert.is(await countDays('facts'), before, 'nothing has come since');
    assert.equal(await verifyLedger(db.sql), []);
  } finally {
    await db.close();
    await embedded.stop();
  }
});

test('a version older than the database does not start, and no command of it works: one sentence says so', async () => {
  const dataDir = join(folder, versions.at(-1)!);
  const server = await run({ dataDir });
  await pastTheServer(dataDir, async (sql) => {
    await sql`insert into migrations (name, checksum) values ('9999_later', 'x')`;
  });
  assert.is(await server.end('SIGTERM'), 0);
  const said = 'The migration 9999_later is from a newer version. Run that version.\n';
  const old = await run({ dataDir });
  assert.equal([await old.ended, old.stderr()], [1, said]);
  for (const words of [['backup', join(folder, 'backup')], ['change-key'], ['reset-password', owner.email]]) {
    const { status, stderr } = await command(dataDir, ...words);
    assert.equal([status, stderr], [1, said], words[0]);
  }
  assert.equal(await runVerify(dataDir), { code: 1, stdout: '', stderr: said });
});

test.run();

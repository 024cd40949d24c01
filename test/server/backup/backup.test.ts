/** Backups of a database in use are put back byte by byte. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/server/audit/verify';
import { secretContext } from '../../../src/server/auth/secrets';
import { getTableFile, readManifest } from '../../../src/server/backup/manifest';
import { listTables } from '../../../src/server/backup/tables';
import { writeBackup } from '../../../src/server/backup/write';
import { verifyLedger } from '../../../src/server/books/verify';
import { setUpDatabase } from '../../../src/server/commands/setup';
import { migrate } from '../../../src/server/db/migrate';
import type { Database } from '../../../src/server/db/open';
import { pluck } from '../../answers';
import { fund } from '../../seed';
import { db as source } from '../../world';
import { catchError } from '../catchError';
import { begin, end, folder, good, readContents, restore, secrets, target } from './twoServers';

/** More than are read or written at once. */
const PLAYERS = 2500;
test.before(() => begin(PLAYERS));
test.after(end);

test('a backup holds every table but the sessions and the counts of failed sign-ins, is closed to other users, and says what it is', async () => {
  const manifest = readManifest(good);
  const left = [
    ...['sessions', 'rate_limits', 'row_claims', 'upkeep', 'book_checks', 'book_differences'],
    ...['notification_deliveries', 'event_outbox', 'mail_queue', 'mail_links', 'passkey_challenges', 'sso_flows'],
  ];
  const names = pluck(await listTables(source.sql), 'name');
  assert.equal(pluck(manifest.tables, 'name').sort(), names.filter((name) => !left.includes(name)).sort());
  assert.equal(manifest.left_out, left);
  assert.equal(manifest.ledger, []);
  assert.is(manifest.tables.find(({ name }) => name === 'players')!.rows, PLAYERS);
  assert.is(statSync(good).mode & 0o777, 0o700);
  for (const file of readdirSync(good)) assert.is(statSync(join(good, file)).mode & 0o777, 0o600, file);
  for (const { name, rows, sha256 } of manifest.tables) {
    const text = gunzipSync(readFileSync(getTableFile(good, name)));
    assert.is(createHash('sha256').update(text).digest('hex'), sha256, name);
    const [counted] = await source.sql<{ rows: number }[]>`select count(*) as rows from ${source.sql(name)}`;
    assert.is(rows, counted!.rows, name);
  }
});

test('an empty database takes a backup: every row, every counter, the secrets too; the sessions are over', async () => {
  await restore(good, { isReplacing: false });
  const [there, here] = [await readContents(source), await readContents(target)];
  assert.match(there['sessions']!, /^1 /);
  assert.match(here['sessions']!, /^0 /);
  const left = { sessions: '', rate_limits: '' };
  assert.equal({ ...here, ...left }, { ...there, ...left });
  assert.equal(await verifyLedger(target.sql), []);
  assert.equal((await verifyAudit(target, secrets)).sentences, []);
  const sequences = async (db: Database) => [
    ...(await db.sql`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`),
  ];
  assert.equal(await sequences(target), await sequences(source));
  const [method] = await target.sql`select * from payment_methods limit 1`;
  const place = secretContext.paymentMethod(method!['tenant_id'], method!['payment_platform']);
  assert.match(secrets.decrypt(method!['credentials_secret'], place), /^\{/);
});

test('the restored database works on: migrations agree, triggers count and refuse, new rows get new ids', async () => {
  assert.equal(await migrate(target), []);
  const first = { isDemo: false, adminEmail: 'admin@localhost', adminPassword: undefined, businessTimezone: 'UTC' };
  assert.is(await setUpDatabase(target, secrets, first), undefined);
  assert.match((await catchError(target.sql`update transfers set amount = 1`)).message, /append-only/);
  const { sql } = target;
  const players = async () =>
    (await sql`select sum(players)::bigint as players from player_counts where tenant_id = 2`)[0]!['players'];
  const before = await players();
  const [player] = await sql`insert into players (tenant_id, email) values (2, 'after@restore.test') returning id`;
  assert.equal([await players(), player!['id']], [before + 1, PLAYERS + 1]);
});

test('a database in use gives way only when told to', async () => {
  const before = await readContents(target);
  assert.match((await catchError(restore(good, { isReplacing: false }))).message, /not empty; add --replace/);
  assert.equal(await readContents(target), before);
  await restore(good);
  assert.not.equal(await readContents(target), before);
});

test('a backup taken while money moves is of one moment', async () => {
  let isDone = false,
    moved = 0;
  const worker = async (nth: number) => {
    for (let n = nth; !isDone; n += 3) {
      await fund({ tenant_id: 2, id: 3 + (n % 300) }, 'credit', '0.01');
      moved++;
    }
  };
  const workers = [0, 1, 2].map(worker);
  const busy = join(folder, 'busy');
  try {
    while (moved < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = moved;
    await writeBackup(source, busy, secrets);
    assert.ok(moved > before, 'money moved meanwhile');
  } finally {
    isDone = true;
    await Promise.all(workers);
  }
  assert.equal(readManifest(busy).ledger, []);
  await restore(busy);
  assert.equal(await verifyLedger(target.sql), []);
  assert.not.equal((await readContents(target))['transfers'], (await readContents(source))['transfers']);
});

test.run();

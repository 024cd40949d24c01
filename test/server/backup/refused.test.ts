/** What is wrong with a backup or its place is refused or said, and a restore that was broken off is repeated. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { getTableFile, MANIFEST, MANIFEST_MAC, type Manifest, openBackup } from '../../../src/server/backup/manifest';
import { restoreBackup } from '../../../src/server/backup/restore';
import { listTables } from '../../../src/server/backup/tables';
import { writeBackup } from '../../../src/server/backup/write';
import { verifyLedger } from '../../../src/server/books/verify';
import { beginRestore, migrate, refuseOther } from '../../../src/server/db/migrate';
import type { Database } from '../../../src/server/db/open';
import { pluck } from '../../answers';
import { secretKey, db as source } from '../../world';
import { catchError } from '../catchError';
import { begin, changed, end, folder, forged, good, readContents, restore, secrets, target } from './twoServers';

test.before(async () => {
  await begin(3);
  await restore(good, { isReplacing: false });
});
test.after(end);

/** It is refused with these words, and what was there before is there still. */
async function refuses(work: () => Promise<unknown>, words: RegExp): Promise<void> {
  const before = await readContents(target);
  assert.match((await catchError(work())).message, words);
  assert.equal(await readContents(target), before);
}

test('beside a server at work nothing is restored', () => {
  const beside = () => restoreBackup(target, openBackup(good, [secretKey]), { isReplacing: true });
  return refuses(beside, /server is using/);
});

test('what a broken restore leaves is refused by a server and by commands, and is restored again', async () => {
  const broken = /^A restore of this database is under way, or was broken off: then run it again\.$/;
  await target.tx((tx) => beginRestore(tx, 'one'));
  assert.match((await catchError(migrate(target))).message, broken);
  assert.match((await catchError(refuseOther(target.sql))).message, broken);
  assert.equal(pluck(await listTables(target.sql), 'name'), ['migrations']);
  await restore(good, { isReplacing: false });
  assert.equal(await migrate(target), []);
  assert.equal(await verifyLedger(target.sql), []);
});

const damages: [name: string, change: (folder: string, manifest: Manifest) => void, words: RegExp][] = [
  [
    'a file cut short',
    (at) => {
      const file = getTableFile(at, 'transfers'),
        bytes = readFileSync(file);
      writeFileSync(file, bytes.subarray(0, bytes.length / 2));
    },
    /transfers is damaged/,
  ],
  ['a file that is no archive', (at) => writeFileSync(getTableFile(at, 'wallets'), 'nothing'), /wallets is damaged/],
  ['a missing file', (at) => rmSync(getTableFile(at, 'redeems')), /redeems is damaged/],
  ['a changed row', (at) => rewrite(at, 'players', (text) => text.replace('@', '@x.')), /table players does not match/],
  [
    'a missing row',
    (at) => rewrite(at, 'redeems', (text) => text.slice(text.indexOf('\n') + 1)),
    /In the backup the table redeems does not match its checksum \(\d+ of \d+ rows\)/,
  ],
  [
    'a row that fits no table',
    (at, manifest) => rewriteRight(at, manifest, 'tenants', (text) => text.replace('"id":', '"id":"x","i":')),
    /tenants is damaged/,
  ],
  ['a table of another shape', (_, { tables }) => void tables[0]!.columns.pop(), /does not match its migrations/],
  [
    "a newer version's backup",
    (_, { migrations }) => void migrations.push({ name: '9999_later', checksum: 'x' }),
    /is from a newer version/,
  ],
  [
    'money made by hand, with its checksum put right',
    (at, manifest) =>
      rewriteRight(at, manifest, 'wallets', (rows) => rows.replace(/("credit_balance":)(\d+)/, '$11$2')),
    /ledger is not the one that was backed up/,
  ],
];
/** With its checksum. */
function rewriteRight(at: string, { tables }: Manifest, table: string, change: (text: string) => string): void {
  const text = rewrite(at, table, change);
  tables.find(({ name }) => name === table)!.sha256 = createHash('sha256').update(text).digest('hex');
}
function rewrite(at: string, table: string, change: (text: string) => string): string {
  const before = gunzipSync(readFileSync(getTableFile(at, table))).toString('utf8'),
    text = change(before);
  assert.is.not(text, before);
  writeFileSync(getTableFile(at, table), gzipSync(text));
  return text;
}
for (const [name, change, words] of damages) {
  test(`${name} is refused, and what was there before is there still`, async () => {
    const from = forged(name.replace(/\W+/g, '-'), change);
    await refuses(() => restore(from), words);
    rmSync(from, { recursive: true });
  });
}

test('a backup without the key it was made with is refused', () =>
  refuses(async () => openBackup(good, [randomBytes(32)]), /is not the key of this backup/));

/** Makes the admin a super admin, as somebody who can write to the folder would. */
const raise = (at: string, manifest: Manifest) =>
  rewriteRight(at, manifest, 'admins', (rows) => rows.replaceAll(/"role_id":\d+/g, '"role_id":1'));
const lies: [name: string, change: (folder: string, manifest: Manifest) => void][] = [
  ['a raised admin, with the checksum put right', raise],
  ['another order of tables', (_, manifest) => manifest.tables.reverse()],
  ['a table left out', (_, manifest) => manifest.tables.splice(0, 1)],
  ['another moment', (_, manifest) => Object.assign(manifest, { made_at: '2020-01-01T00:00:00.000Z' })],
  ['a sequence set back', (_, manifest) => Object.assign(manifest.sequences[0]!, { last_value: 1 })],
  ['other findings of the ledger', (_, manifest) => manifest.ledger.push('Tenant 2: all is well.')],
];
for (const [name, change] of lies) {
  test(`${name}: without the key the change is found, and nothing is restored`, async () => {
    const from = changed(name.replace(/\W+/g, '-'), change);
    await refuses(() => restore(from), /was changed after it was made/);
    rmSync(from, { recursive: true });
  });
}

test('a backup without its HMAC is refused', async () => {
  const from = changed('old', () => {});
  rmSync(join(from, MANIFEST_MAC));
  await refuses(() => restore(from), /has no manifest\.hmac, so it cannot be checked/);
});

test('a backup whose audit log had been edited before is restored, and says so', async () => {
  const from = forged('edited-log', (at, manifest) =>
    rewriteRight(at, manifest, 'audit_log', (rows) => rows.replace(/"address":"[^"]*"/, '"address":"elsewhere"')),
  );
  assert.match((await restore(from)).audit.join(), /^Entry \d+ of the audit log was edited or inserted/);
});

test('counts of failed sign-ins in an older backup, which would lock people out, stay out', async () => {
  const from = forged('with-counters', (at, manifest) => {
    const line = '{"key":"account:x","points":99,"expire":99999999999999}\n';
    writeFileSync(getTableFile(at, 'rate_limits'), gzipSync(line));
    const sha256 = createHash('sha256').update(line).digest('hex');
    manifest.tables.push({ name: 'rate_limits', columns: ['key', 'points', 'expire'], rows: 1, sha256 });
  });
  await restore(from);
  assert.is((await target.sql`select 1 from rate_limits`).length, 0);
});

test('books that do not add up are backed up, which is said, and come back as they were', async () => {
  await source.sql`update wallets set credit_balance = credit_balance + 5 where player_id = 1`;
  const wrong = join(folder, 'wrong-books');
  const { ledger } = await writeBackup(source, wrong, secrets);
  await source.sql`update wallets set credit_balance = credit_balance - 5 where player_id = 1`;
  assert.is(ledger.length, 1);
  await restore(wrong);
  assert.equal(await verifyLedger(target.sql), ledger);
});

test('a folder that exists is not written over, and one that cannot be made leaves nothing behind', async () => {
  const before = readFileSync(join(good, MANIFEST), 'utf8');
  const why = async (of: Database, at: string) => (await catchError(writeBackup(of, at, secrets))).message;
  assert.match(await why(source, good), /already exists/);
  assert.is(readFileSync(join(good, MANIFEST), 'utf8'), before);
  assert.match(await why(source, join(good, MANIFEST, 'x')), /cannot be created/);
  await target.sql`drop schema public cascade`;
  await target.sql`create schema public`;
  assert.match(await why(target, join(folder, 'of-nothing')), /nothing to back up/);
  assert.not.ok(readdirSync(folder).some((name) => /part-|of-nothing/.test(name)));
});

test('what is no backup is refused in one sentence', async () => {
  for (const [text, words] of [
    [undefined, /no backup in/],
    ['{', /damaged/],
    ['{"format":2}', /damaged or from an unknown version/],
  ] as const) {
    const at = mkdtempSync(join(folder, 'none-'));
    if (text !== undefined) writeFileSync(join(at, MANIFEST), text);
    assert.match((await catchError(restore(at))).message, words);
  }
});

test.run();

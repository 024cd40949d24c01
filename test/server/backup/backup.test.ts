/** Backups of a database in use, and what becomes of them: put back byte by byte, or nothing is changed. */
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/server/audit/verify';
import { type Secrets, secretContext } from '../../../src/server/auth/secrets';
import {
  getTableFile,
  MANIFEST,
  MANIFEST_MAC,
  type Manifest,
  openBackup,
  readManifest,
} from '../../../src/server/backup/manifest';
import { restoreBackup } from '../../../src/server/backup/restore';
import { listTables } from '../../../src/server/backup/tables';
import { writeBackup } from '../../../src/server/backup/write';
import { verifyLedger } from '../../../src/server/books/verify';
import { encryptKeyCheck, setUpDatabase } from '../../../src/server/commands/setup';
import { type Embedded, startEmbedded } from '../../../src/server/db/embedded/embedded';
import { beginRestore, migrate, refuseOther } from '../../../src/server/db/migrate';
import { type Database, openDatabase } from '../../../src/server/db/open';
import { adjustBalances } from '../../../src/server/ledger/adjust';
import { withKey } from '../../integrations';
import { as, PASSWORD, people, reset, secretKey, services, db as source } from '../../world';
import { catchError } from '../catchError';

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
let secrets: Secrets, embedded: Embedded, target: Database;
/** A backup made before the first test. */
const good = join(folder, 'good');
const PLAYERS = 2500;

/** The small world, with more players than are read or written at once, a row in every table, and tricky characters. */
async function fillSource(): Promise<void> {
  await reset();
  secrets = services.secrets;
  const { sql } = source;
  await sql`delete from installation`;
  const keyCheck = encryptKeyCheck(secrets);
  await sql`insert into installation (is_demo, is_filled, key_check) values (false, true, ${keyCheck})`;
  await sql`
    insert into players (tenant_id, email, phone_number)
    select 2, 'p' || n || '@mail.test', '+1 ' || n from generate_series(3, ${PLAYERS}) n`;
  await sql`insert into wallets (tenant_id, player_id) select tenant_id, id from players where id > 2`;
  await sql`
    update players set first_name = E'tab\t, line\n, back\\slash, \\N, "quote", {brace}, 名前 🎲', last_name = ''
    where id = 1`;
  const sue = await as('sue');
  await sue.saveAssignment({ tenant_id: 2, platform_id: 3, body: { username: 'u', password: 'p' } });
  await sue.createPaymentMethod({
    tenant_id: 2,
    payment_platform: 'apex',
    body: { api_key: 'k', secret_key: 's', merchant_id: 'm' },
  });
  await sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: false, password: PASSWORD } });
  await withKey(
    (
      await sue.createApiKey({
        body: { name: 'Shop', scopes: ['transactions:write'], tenant_id: 2, password: PASSWORD },
      })
    ).key,
  ).pushTopUp({ body: { email: 'p3@mail.test', amount: '5', payment_method: 'apex', payment_reference: 'r' } });
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome)
    values (2, 'apex', 'd', 'payment.pending', 'received')`;
  await sue.changePurchaseStatus({ id: 3, body: { status: 'success' } });
  const password = secrets.encrypt('p', secretContext.playerCredential(2, 1, 'vblink'));
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, 1, 'vblink', 'u', ${password})`;
}

test.before(async () => {
  await fillSource();
  embedded = await startEmbedded({ folder: join(folder, 'target'), poolSize: 6 });
  target = await openDatabase(embedded.address, { poolSize: 6 });
  await writeBackup(source, good, secrets);
});
test.after(async () => {
  await source.sql`delete from installation`;
  await target.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Closes every connection but one: a restore refuses to work beside others. */
const alone = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
  await target.close();
  const db = await openDatabase(embedded.address, { poolSize: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
    target = await openDatabase(embedded.address, { poolSize: 6 });
  }
};
const restore = (from: string, { isReplacing = true } = {}) =>
  alone(async (db) => restoreBackup(db, openBackup(from, [secretKey]), { isReplacing }));

/** Everything a database holds, by table. */
async function readContents({ sql }: Database): Promise<Record<string, string>> {
  const tables = await listTables(sql);
  const entries = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ hash: string }[]>`
        select count(*) || ' '
          || md5(coalesce(string_agg(t::text, E'\n' order by t::text collate "C"), '')) as hash
        from ${sql(name)} t`;
      return [name, row!.hash];
    }),
  );
  return Object.fromEntries(entries);
}

/** A copy of the good backup, changed. */
function changed(name: string, change: (folder: string, manifest: Manifest) => void): string {
  const copy = join(folder, name);
  cpSync(good, copy, { recursive: true });
  const manifest = readManifest(copy);
  change(copy, manifest);
  writeFileSync(join(copy, MANIFEST), JSON.stringify(manifest));
  return copy;
}
/** The same by somebody who has the key. */
function forged(name: string, change: (folder: string, manifest: Manifest) => void): string {
  const copy = changed(name, change);
  writeFileSync(join(copy, MANIFEST_MAC), secrets.manifestMac(readFileSync(join(copy, MANIFEST), 'utf8')));
  return copy;
}

test('a backup holds every table but the sessions and the counts of failed sign-ins, is closed to other users, and says what it is', async () => {
  const manifest = readManifest(good);
  const left = [
    ...['sessions', 'rate_limits', 'row_claims', 'upkeep', 'book_checks', 'book_differences'],
    ...['notification_deliveries', 'event_outbox', 'mail_queue', 'mail_links', 'passkey_challenges', 'sso_flows'],
  ];
  const names = (await listTables(source.sql)).map(({ name }) => name);
  assert.equal(
    manifest.tables.map(({ name }) => name).toSorted(),
    names.filter((name) => !left.includes(name)).toSorted(),
  );
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
  const sequences = (db: Database) =>
    db.sql`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`.then((rows) =>
      JSON.stringify(rows),
    );
  assert.is(await sequences(target), await sequences(source));
  const [method] = await target.sql<
    { tenant_id: number; payment_platform: string; credentials_secret: string }[]
  >`select * from payment_methods limit 1`;
  assert.match(
    secrets.decrypt(
      method!.credentials_secret,
      secretContext.paymentMethod(method!.tenant_id, method!.payment_platform),
    ),
    /^\{/,
  );
});

test('the restored database works on: migrations agree, triggers count and refuse, new rows get new ids', async () => {
  assert.equal(await migrate(target), []);
  assert.is(
    await setUpDatabase(target, secrets, {
      isDemo: false,
      adminEmail: 'admin@localhost',
      adminPassword: undefined,
      businessTimezone: 'UTC',
    }),
    undefined,
  );
  assert.match((await catchError(target.sql`update transfers set amount = 1`)).message, /append-only/);
  const players = async () =>
    (
      await target.sql<
        { players: number }[]
      >`select sum(players)::bigint as players from player_counts where tenant_id = 2`
    )[0]!.players;
  const before = await players();
  const [player] = await target.sql<
    { id: number }[]
  >`insert into players (tenant_id, email) values (2, 'after@restore.test') returning id`;
  assert.is(await players(), before + 1);
  assert.is(player!.id, PLAYERS + 1);
});

test('a database in use gives way only when told to', async () => {
  const before = await readContents(target);
  assert.match((await catchError(restore(good, { isReplacing: false }))).message, /not empty; add --replace/);
  assert.equal(await readContents(target), before);
  await restore(good);
  assert.not.equal(await readContents(target), before);
});

test('beside a server at work nothing is restored', async () => {
  const before = await readContents(target);
  assert.match(
    (await catchError(restoreBackup(target, openBackup(good, [secretKey]), { isReplacing: true }))).message,
    /server is using/,
  );
  assert.equal(await readContents(target), before);
});

test('what a broken restore leaves is refused by a server and by commands, and is restored again', async () => {
  const broken = /^A restore of this database is under way, or was broken off: then run it again\.$/;
  await target.tx((tx) => beginRestore(tx, 'one'));
  assert.match((await catchError(migrate(target))).message, broken);
  assert.match((await catchError(refuseOther(target.sql))).message, broken);
  assert.equal(
    (await listTables(target.sql)).map(({ name }) => name),
    ['migrations'],
  );
  await restore(good, { isReplacing: false });
  assert.equal(await migrate(target), []);
  assert.equal(await verifyLedger(target.sql), []);
});

test('a backup taken while money moves is of one moment', async () => {
  let isDone = false,
    moved = 0;
  const worker = async (nth: number) => {
    for (let n = nth; !isDone; n += 3) {
      await source.tx((tx) =>
        adjustBalances(tx, {
          tenant_id: 2,
          player_id: 3 + (n % 300),
          admin_id: people.sue.id,
          changes: [{ kind: 'credit', operation: 'add', amount: '0.01' }],
        }),
      );
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
  [
    'a changed row',
    (at) => rewrite(at, 'players', (text) => text.replace('@', '@x.')),
    /In the backup the table players does not match its checksum/,
  ],
  [
    'a missing row',
    (at) => rewrite(at, 'redeems', (text) => text.slice(text.indexOf('\n') + 1)),
    /In the backup the table redeems does not match its checksum \(\d+ of \d+ rows\)/,
  ],
  [
    'a row that fits no table',
    (at, manifest) =>
      putRight(
        manifest,
        'tenants',
        rewrite(at, 'tenants', (text) => text.replace('"id":', '"id":"x","i":')),
      ),
    /tenants is damaged/,
  ],
  [
    'a table of another shape',
    (_, manifest) => {
      manifest.tables[0]!.columns.pop();
    },
    /does not match its migrations/,
  ],
  [
    "a newer version's backup",
    (_, manifest) => {
      manifest.migrations.push({ name: '9999_later', checksum: 'x' });
    },
    /is from a newer version/,
  ],
  [
    'money made by hand, with its checksum put right',
    (at, manifest) => {
      const text = rewrite(at, 'wallets', (rows) => rows.replace(/"credit_balance":(\d+)/, '"credit_balance":1$1'));
      putRight(manifest, 'wallets', text);
    },
    /ledger is not the one that was backed up/,
  ],
];
function putRight({ tables }: Manifest, table: string, text: string): void {
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
    const before = await readContents(target);
    assert.match((await catchError(restore(from))).message, words);
    assert.equal(await readContents(target), before);
    rmSync(from, { recursive: true });
  });
}

test('a backup without the key it was made with is refused', async () => {
  const before = await readContents(target);
  assert.throws(() => openBackup(good, [randomBytes(32)]), /is not the key of this backup/);
  assert.equal(await readContents(target), before);
});

/** Makes the admin a super admin, as somebody who can write to the folder would. */
const raise = (at: string, manifest: Manifest) => {
  const text = rewrite(at, 'admins', (rows) => rows.replaceAll(/"role_id":\d+/g, '"role_id":1'));
  putRight(manifest, 'admins', text);
};
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
    const before = await readContents(target);
    assert.match((await catchError(restore(from))).message, /was changed after it was made/);
    assert.equal(await readContents(target), before);
    rmSync(from, { recursive: true });
  });
}

test('a backup without its HMAC is refused', async () => {
  const from = changed('old', () => {});
  rmSync(join(from, MANIFEST_MAC));
  const before = await readContents(target);
  assert.match((await catchError(restore(from))).message, /has no manifest\.hmac, so it cannot be checked/);
  assert.equal(await readContents(target), before);
});

test('a backup whose audit log had been edited before is restored, and says so', async () => {
  const edit = (at: string, manifest: Manifest) => {
    const text = rewrite(at, 'audit_log', (rows) => rows.replace(/"address":"[^"]*"/, '"address":"elsewhere"'));
    putRight(manifest, 'audit_log', text);
  };
  const from = forged('edited-log', edit);
  assert.match((await restore(from)).audit.join(), /^Entry \d+ of the audit log was edited or inserted/);
  await restore(good);
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
  assert.match((await catchError(writeBackup(source, good, secrets))).message, /already exists/);
  assert.is(readFileSync(join(good, MANIFEST), 'utf8'), before);
  assert.match(
    (await catchError(writeBackup(source, join(good, MANIFEST, 'x'), secrets))).message,
    /cannot be created/,
  );
  await target.sql`drop schema public cascade`;
  await target.sql`create schema public`;
  assert.match(
    (await catchError(writeBackup(target, join(folder, 'of-nothing'), secrets))).message,
    /nothing to back up/,
  );
  assert.equal(
    readdirSync(folder).filter((name) => /part-|of-nothing/.test(name)),
    [],
  );
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

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { type Embedded, startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { migrations } from '../../../src/server/db/migrations/list';
import { type Database, DatabaseRefused, openDatabase } from '../../../src/server/db/open';
import { catchError } from '../catchError';

const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
let embedded: Embedded;
let db: Database;

test.before(async () => {
  embedded = await startEmbedded({ folder });
  db = await openDatabase(embedded.address);
});
test.after(async () => {
  await db.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
});

const files = [
  { name: '1_first', text: 'create table first (id int); insert into first values (1);' },
  { name: '2_second', text: 'alter table first add column name text' },
];

test('every migration is on the list, in the order of its name', () => {
  const written = readdirSync('src/server/db/migrations')
    .filter((name) => name.endsWith('.sql'))
    .sort();
  assert.ok(written.length > 10);
  assert.equal(
    migrations.map(({ name }) => `${name}.sql`),
    written,
  );
});

test('migrations run in order, once, also when several servers start together', async () => {
  const ran = await Promise.all([migrate(db, files), migrate(db, files), migrate(db, files)]);
  assert.equal(ran.flat().sort(), ['1_first', '2_second']);
  assert.equal(
    (await db.sql`select * from first`).map((row) => ({ ...row })),
    [{ id: 1, name: null }],
  );
  assert.equal(await migrate(db, files), []);
});

test('a migration that fails leaves nothing behind and can be run once mended', async () => {
  const broken = [...files, { name: '3_third', text: 'create table third (id int); select 1 / 0;' }];
  assert.match((await catchError(migrate(db, broken))).message, /division by zero/);
  assert.equal(await migrate(db, [...files, { name: '3_third', text: 'create table third (id int)' }]), ['3_third']);
});

test('a migration changed after it was applied is refused, and so is a database newer than the program', async () => {
  const third = { name: '3_third', text: 'create table third (id int)' };
  const changed = await catchError(
    migrate(db, [{ name: '1_first', text: 'create table first (id bigint)' }, ...files.slice(1), third]),
  );
  assert.instance(changed, DatabaseRefused);
  assert.match(changed.message, /1_first was changed/);
  assert.match((await catchError(migrate(db, files))).message, /The migration .*3_third is from a newer version/);
});

test('payments that became two before, and keys of before, come through the migration that forbids both', async () => {
  const place = mkdtempSync(join(tmpdir(), 'migrate-'));
  const old = await startEmbedded({ folder: place }),
    { sql, tx, ...more } = await openDatabase(old.address);
  try {
    const all = { sql, tx, ...more };
    await migrate(
      all,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === '0017_once'),
      ),
    );
    await sql.unsafe(`
      insert into tenants (name, time_zone) values ('Platform', 'UTC'), ('Acme', 'UTC');
      insert into roles (name) values ('admin') on conflict do nothing;
      insert into admins (tenant_id, role_id, email, password_hash) values (2, 1, 'a@acme.test', '');
      insert into players (tenant_id, email) values (2, 'p@mail.test');
      insert into wallets (tenant_id, player_id) values (2, 1);
      insert into transactions (tenant_id, id, player_id, transaction_type, amount, payment_method, payment_reference)
      values (2, 1, 1, 'TOP_UP', 5, 'Apex Processing', 'r'), (2, 2, 1, 'TOP_UP', 5, 'apex', 'r'),
        (2, 3, 1, 'TOP_UP', 5, 'Card', 'r');
      insert into payment_references values (2, 'TOP_UP', 'apex', 'r', 1), (2, 'TOP_UP', 'Card', 'r', 3);
      insert into imported values (2, 'transactions', 3, 'key', 'prints');
      insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id) values (2, 'Shop', 'gbk_', '', '{}', 1);
      insert into idempotency_keys (tenant_id, api_key_id, idempotency_key, request_hash) values (2, 1, 'one', '')`);
    await migrate(all);
    assert.equal(
      [...(await sql`select id, processor from transactions order by id`)].map((row) => Object.values(row)),
      [
        [1, 'apex'],
        [2, null],
        [3, null],
      ],
    );
    assert.equal(
      [...(await sql`select caller, idempotency_key from idempotency_keys`)].map((row) => ({ ...row })),
      [{ caller: 'key 1', idempotency_key: 'one' }],
    );
    assert.equal(
      [...(await sql`select method, is_imported from payment_references order by 1`)].map((row) => Object.values(row)),
      [
        ['apex', false],
        ['Card', true],
      ],
    );
    assert.match(
      (await verifyLedger(sql)).join(),
      "Purchases 1, 2 of tenant 2 have the same payment reference 'r' of apex",
    );
  } finally {
    await more.close();
    await old.stop();
    rmSync(place, { recursive: true, force: true });
  }
});

test('the sums get rid of their limit in their place: no row is written, and no index is built', async () => {
  const place = mkdtempSync(join(tmpdir(), 'migrate-'));
  const old = await startEmbedded({ folder: place }),
    { sql, tx, ...more } = await openDatabase(old.address);
  const tables = ['day_totals', 'method_totals', 'player_totals', 'part_totals', 'statement_lines'];
  try {
    const all = { sql, tx, ...more };
    await migrate(
      all,
      migrations.filter(({ name }) => name < '0042'),
    );
    await sql.unsafe(`
      insert into tenants (name, time_zone) values ('Platform', 'UTC'), ('Acme', 'UTC');
      insert into player_totals (tenant_id, player_id, unit, starts, purchases) values (2, 1, 'day', '2026-01-01', 5.1);
      insert into total_changes (tenant_id, player_id, kind) values (2, 1, 'wallet')`);
    const files = async () => [
      ...(await sql`
        select c.relname, pg_relation_filenode(c.oid) as file from pg_class c
        where c.oid = any (${tables}::text[]::regclass[])
          or c.oid in (select indexrelid from pg_index where indrelid = any (${tables}::text[]::regclass[]))
        order by 1`),
    ];
    const before = await files();
    assert.ok(before.length >= 10);
    await migrate(all);
    assert.equal(await files(), before);
    const limited = await sql`
      select table_name, column_name from information_schema.columns
      where table_schema = 'public' and data_type = 'numeric'
        and numeric_precision = 16`;
    assert.equal([...limited], []);
    const [row] = await sql`
      select purchases::text, (select noted_at from total_changes) as noted_at from player_totals`;
    assert.equal({ ...row }, { purchases: '5.10', noted_at: null });
  } finally {
    await more.close();
    await old.stop();
    rmSync(place, { recursive: true, force: true });
  }
});

test.run();

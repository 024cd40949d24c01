import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
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
  const listed = migrations.map(({ name }) => `${name}.sql`);
  for (const name of written) assert.ok(listed.includes(name), `${name} is not in db/migrations/list.ts`);
  assert.equal(listed, written);
});

test('migrations run in order, once, also when several servers start together', async () => {
  const ran = await Promise.all([migrate(db, files), migrate(db, files), migrate(db, files)]);
  assert.equal(ran.flat().sort(), ['1_first', '2_second']);
  assert.equal(await db.sql`select * from first`, [{ id: 1, name: null }]);
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

test('a database of the version that the first migration replaces goes on; an older and a changed one are refused', async () => {
  await db.sql`delete from migrations`;
  const record = (name: string, checksum: string) =>
    db.sql`insert into migrations (name, checksum) values (${name}, ${checksum})`;
  const replaces = { name: '3_last', checksum: 'as released' };
  const squashed = [
    { name: '3_schema', text: 'create table would_fail (id no_type)', replaces },
    { name: '4_fourth', text: 'create table fourth (id int)' },
  ];
  await record('1_first', 'x');
  const older = await catchError(migrate(db, squashed));
  assert.instance(older, DatabaseRefused);
  assert.is(older.message, 'The database is from a version before 0.2.0. Upgrade it to 0.2.0 first.');
  await record('3_last', 'edited');
  assert.match((await catchError(migrate(db, squashed))).message, /3_last was changed after it was applied/);
  await db.sql`update migrations set checksum = ${replaces.checksum} where name = '3_last'`;
  assert.equal(await migrate(db, squashed), ['4_fourth']);
  const kept = await db.sql`select name from migrations order by name`;
  assert.equal(kept, [{ name: '3_schema' }, { name: '4_fourth' }]);
  assert.equal(await migrate(db, squashed), []);
});

test.run();

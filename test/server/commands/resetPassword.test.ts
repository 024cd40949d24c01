/** `npm run reset-password` as the operator of a server runs it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/server/audit/verify';
import { readKeyFile } from '../../../src/server/auth/keyFile';
import { createSecrets } from '../../../src/server/auth/secrets';
import { resetPassword } from '../../../src/server/commands/resetPassword';
import { findRunning } from '../../../src/server/db/embedded/embedded';
import { type Database, openDatabase } from '../../../src/server/db/open';
import { catchError } from '../catchError';
import { admin, enter, newDataDir, newFolder, type Running, run, runHere, signIn } from '../running';

const folder = newFolder('reset-password'),
  dataDir = join(folder, 'data');
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

async function reset(words: string[], env: Record<string, string> = {}) {
  const said = await runHere(resetPassword, words, { DATA_DIR: dataDir, ...env });
  return { ...said, password: /is now (\S+) \(shown only now\)/.exec(said.stdout)?.[1] ?? '' };
}
async function behindItsBack<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(findRunning(dataDir)!);
  return work(db).finally(db.close);
}

let server: Running; // of one test after the other

test('what it cannot do is one clear line', async () => {
  const usage = /^Usage: npm run reset-password -- EMAIL \[--end-two-factor\] \[--keep-api-keys\] \[--demo\]\n$/;
  for (const word of ['c@d.test', '--force']) assert.match((await reset(['a@b.test', word])).stderr, usage);
  const program = await run({ args: ['reset-password'], dataDir });
  assert.match(program.stderr(), usage);
  assert.match((await reset(['a@b.test'])).stderr, /^There is no database in .*\n$/);
});

test('on a running server it sets the new password, ends the sessions and leaves a valid audit entry', async () => {
  await newDataDir(dataDir);
  server = await run({ dataDir });
  const api = await enter(server);
  assert.match((await reset(['nobody@admin.test'])).stderr, /^No admin has the e-mail nobody@admin\.test\.\n$/);
  assert.is((await api.listTenants()).length, 1);

  const { code, stdout, stderr, password } = await reset(['First@Admin.test']);
  assert.equal([code, stderr], [0, '']);
  assert.match(
    stdout,
    /^The password of first@admin\.test is now \S{20} \(shown only now\)\. All sessions of the account have ended\.\n$/,
  );
  assert.is(Reflect.get(await catchError(api.listTenants()), 'status'), 401);
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 401);
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, password), 200);

  await behindItsBack(async (db) => {
    const entries = await db.sql`
      select admin_id, kind, object_id, address, before, after from audit_log where call = 'reset-password'`;
    const masked = { password: '••••••••' };
    const by = { admin_id: null, kind: 'admin', object_id: '1', address: 'the server itself' };
    assert.equal([...entries], [{ ...by, before: masked, after: masked }]);
    assert.equal((await verifyAudit(db, createSecrets(readKeyFile(dataDir)))).sentences, []);
  });
  assert.not.match(server.stdout() + server.stderr(), new RegExp(password));
});

test('on a stopped server too; two-factor sign-in stays on unless named, and a disabled account disabled', async () => {
  await behindItsBack(async ({ sql }) => {
    await sql`
      insert into two_factor (admin_id, secret, confirmed_at, recovery_salt) values (1, 'sealed', now(), 'salt')`;
    await sql`update admins set is_active = false where id = 1`;
  });
  assert.is(await server.end('SIGTERM'), 0);

  const kept = await reset([admin.ADMIN_EMAIL]);
  assert.is(kept.code, 0, kept.stderr);
  const told =
    'Two-factor sign-in is still on for this account. Add --end-two-factor to turn it off.\n' +
    'The account is disabled. Another admin must enable it.\n';
  assert.ok(kept.stdout.endsWith(told), kept.stdout);
  const ended = await reset([admin.ADMIN_EMAIL, '--end-two-factor']);
  assert.match(ended.stdout, /\nTwo-factor sign-in is now off for this account\.\n/);

  server = await run({ dataDir });
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, ended.password), 401, 'disabled');
  await behindItsBack(async ({ sql }) => {
    await sql`update admins set is_active = true where id = 1`;
    const [entry] = await sql`select before, after from audit_log where call = 'reset-password' order by id desc`;
    const password = '••••••••';
    assert.equal(entry, { before: { password, two_factor: true }, after: { password, two_factor: false } });
  });
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, kept.password), 401);
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, ended.password), 200);
});

test('it enables the account that keeps its password beside single sign-on, and unlinks it', async () => {
  await behindItsBack(async ({ sql }) => {
    await sql`
      insert into admins (tenant_id, role_id, email, password_hash, is_active)
      select 1, role_id, 'last@admin.test', 'x', false from admins where id = 1`;
    await sql`
      insert into identity_providers (tenant_id, issuer, client_id, client_secret, groups_claim, group_permissions,
        is_active, only_sso, break_glass_admin_id, set_by)
      select 1, 'https://login.test', 'office', 'x', 'groups', '[]', true, true, id, 1 from admins
      where email = 'last@admin.test'`;
    await sql`insert into identities (issuer, subject, admin_id) select 'https://login.test', email, id from admins`;
  });
  const only = await reset([admin.ADMIN_EMAIL]);
  assert.is(await signIn(server.url, admin.ADMIN_EMAIL, only.password), 403);
  const REFUSED = 'Only single sign-on is taken here, so this password is refused until that is switched off.';
  assert.match(only.stdout, `\n${REFUSED}\n`);
  const { stdout, password } = await reset(['last@admin.test']);
  const enabled = 'The account is enabled again: it is the one that keeps its password beside single sign-on.';
  assert.match(stdout, `\n${enabled}\n`);
  assert.not.match(stdout, REFUSED);
  assert.is(await signIn(server.url, 'last@admin.test', password), 200);
  await behindItsBack(async ({ sql }) => {
    assert.is((await sql`select 1 from identities`).length, 0);
    const entries = await sql`select after from audit_log where call = 'reset-password' order by id desc limit 1`;
    const ended = { is_active: true, removed_identities: ['https://login.test'] };
    assert.equal(entries[0]?.['after'], { password: '••••••••', ...ended });
    const [last] = await sql`select sign_in_set_by from admins where email = 'last@admin.test'`;
    assert.is(last?.['sign_in_set_by'], null, 'nobody else could be in by it');
    await sql`delete from identity_providers`;
    await sql`delete from admins where email = 'last@admin.test'`;
  });
});

test('it revokes the API keys that the account made, unless they are to be kept', async () => {
  const listed = () => behindItsBack(({ sql }) => sql`select name from api_keys where revoked_at is null order by id`);
  const active = async () => (await listed()).map(({ name }) => name);
  await behindItsBack(async ({ sql }) => {
    await sql`insert into tenants (name, time_zone) values ('Acme', 'UTC')`;
    await sql`
      insert into admins (tenant_id, role_id, email, password_hash) values (2, 2, 'ann@acme.test', 'x')`;
    await sql`
      insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
      select 2, 'Of ' || email, 'gbk_x', sha256(email::bytea), '{players:write}', id from admins`;
  });
  const kept = await reset([admin.ADMIN_EMAIL, '--keep-api-keys']);
  assert.equal(await active(), ['Of first@admin.test', 'Of ann@acme.test']);
  assert.not.match(kept.stdout, /API keys/);
  const { stdout } = await reset([admin.ADMIN_EMAIL]);
  assert.match(stdout, /API keys that the account had made are revoked: Of first@admin\.test \(gbk_x…\)\.\n/);
  assert.equal(await active(), ['Of ann@acme.test']);
  assert.is(await server.end('SIGTERM'), 0);
});

test('another key than the one of the database changes nothing', async () => {
  const { code, stderr } = await reset([admin.ADMIN_EMAIL], { SECRET_KEY: 'a'.repeat(64) });
  assert.is(code, 1);
  assert.match(stderr, /is not the key that this database was created with/);
});

test.run();

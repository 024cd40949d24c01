/** `npm run change-key` as its operator runs it: on a running and a stopped server, killed at any point, repeated. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/server/audit/verify';
import { readKeys } from '../../../src/server/auth/keyFile';
import { openKeyring } from '../../../src/server/auth/keyring';
import { prefixOf, secretContext } from '../../../src/server/auth/secrets';
import { changeKey } from '../../../src/server/commands/changeKey';
import type { Database } from '../../../src/server/db/open';
import { withDatabase } from '../../../src/server/db/withDatabase';
import { importFile, summary } from '../../importFile';
import { admin, enter, eventually, newDataDir, newFolder, type Running, run, runHere, serverBundle } from '../running';

const folder = newFolder('change-key'),
  dataDir = join(folder, 'data');
const ROWS = 1200;
const TENANT = 2;
test.after(async () => {
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

type Env = Record<string, string>;
const command = (words: string[] = [], env: Env = {}) => runHere(changeKey, words, { DATA_DIR: dataDir, ...env });
/** In a process of its own, which can be killed. */
const begin = async (): Promise<ChildProcess> =>
  spawn(process.execPath, [await serverBundle(), 'change-key'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    stdio: 'ignore',
  });
const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on('exit', () => resolve());
  });

/** It runs between the tests too; the commands and what looks into the database use that of a running server. */
let server: Running;
async function start(env: Env = {}): Promise<void> {
  server = await run({ dataDir, env });
  assert.is.not(server.url, '', server.stderr());
}
async function stop(): Promise<void> {
  assert.is(await server.end('SIGTERM'), 0, `${server.stdout()}${server.stderr()}`);
}
const signIn = () => enter(server);
/** The database, also beside its running server. */
const inDatabase = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
  withDatabase({ dataDir, allowUnsafeDatabase: false }, { mustExist: true }, work);
const keysOf = (env: Env = {}) => {
  const key = (name: string) => (env[name] === undefined ? undefined : Buffer.from(env[name], 'base64'));
  return () => readKeys({ dataDir, secretKey: key('SECRET_KEY'), newSecretKey: key('NEW_SECRET_KEY') });
};
const playerSecret = (id: number) => secretContext.playerCredential(TENANT, id, 'vblink');

/** As the version before this one encrypted. */
function encryptV1(key: Buffer, text: string, context: readonly (string | number)[]): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(JSON.stringify(context)));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return ['v1', ...[nonce, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
}

/** Everything can be read and is what it was, the audit log is whole. Returns the id of the key. */
const checkAll = (env: Env = {}): Promise<string> =>
  inDatabase(async (db) => {
    const secrets = await openKeyring(db.sql, keysOf(env));
    const rows = await db.sql<{ player_id: number; password_secret: string }[]>`
      select player_id, password_secret from player_credentials order by player_id`;
    assert.is(rows.length, ROWS);
    for (const { player_id, password_secret } of rows)
      assert.is(secrets.decrypt(password_secret, playerSecret(player_id)), `secret ${player_id}`);
    assert.equal((await verifyAudit(db, secrets)).sentences, []);
    return secrets.keyId;
  });

/** How many values of any table some other key than this one has encrypted. */
const countOthers = (keyId: string): Promise<number> =>
  inDatabase(async ({ sql }) => {
    const columns = await sql<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and is_generated = 'NEVER'`;
    const counts = await Promise.all(
      columns.map(async ({ table, column }) => {
        const [row] = await sql<{ count: number }[]>`
          select count(*) from ${sql(table)}
          where ${sql(column)} ~ '^v[12]([.][A-Za-z0-9_-]+){3,4}$' and not starts_with(${sql(column)}, ${prefixOf(keyId)})`;
        return row?.count ?? 0;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  });

const importedFile = `source_id,email,first_name\n1,one@import.test,One\n2,two@import.test,Two\n`;
const method = { tenant_id: TENANT, payment_platform: 'apex' } as const;

/** A server with a secret of each kind; half of the players' are as the last version wrote them. */
test.before(async () => {
  await newDataDir(dataDir);
  await start();
  const api = await signIn();
  await api.createTenant({ body: { name: 'Acme', description: '' } });
  await api.saveAssignment({ tenant_id: TENANT, platform_id: 3, body: { username: 'u', password: 'platform secret' } });
  await api.createPaymentMethod({ ...method, body: { api_key: 'key', secret_key: 'secret', merchant_id: 'm' } });
  const store = { api_key: 'k', store_id: 's', server_url: 'https://btcpay.test' };
  await api.createPaymentMethod({ tenant_id: TENANT, payment_platform: 'btcpay', body: store });
  const body = { rotate: false, password: admin.ADMIN_PASSWORD };
  for (const platform of ['apex', 'btcpay'] as const)
    await api.revealWebhookSecret({ tenant_id: TENANT, platform, body });
  await api.setUpTwoFactor({ body: { password: admin.ADMIN_PASSWORD } });
  await importFile(api, 'players', importedFile, { tenant_id: TENANT });
  await inDatabase(async (db) => {
    const secrets = await openKeyring(db.sql, keysOf());
    const [key = Buffer.alloc(0)] = keysOf()();
    await db.tx(async (sql) => {
      await sql`
        insert into players (tenant_id, id, email)
        select ${TENANT}, n, 'p' || n || '@mail.test' from generate_series(1001, 1000 + ${ROWS}::int) n`;
      const rows = Array.from({ length: ROWS }, (_, n) => {
        const id = 1001 + n;
        const encrypt = (text: string) =>
          n % 2 ? secrets.encrypt(text, playerSecret(id)) : encryptV1(key, text, playerSecret(id));
        return { player_id: id, sealed: encrypt(`secret ${id}`) };
      });
      await sql`
        insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
        select ${TENANT}, player_id, 'vblink', 'u', sealed
        from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (player_id bigint, sealed text)`;
    });
  });
});

test('on a stopped server everything is encrypted anew, and what is told by HMACs is still known', async () => {
  const before = await checkAll();
  await stop();
  const { code, stdout, stderr } = await command();
  assert.is(code, 0, stderr);
  await start();
  const done = /Encrypted 120\d values with the new key\.\nThe secret key has been changed\. The old one is in/;
  assert.match(stdout, done);
  const after = await checkAll();
  assert.is.not(after, before);
  assert.is(await countOthers(after), 0);
  assert.equal(readdirSync(dataDir).filter((name) => name.startsWith('secret.key')).length, 2);
  for (const name of ['secret.key', `secret.key.${before}`])
    assert.is(statSync(join(dataDir, name)).mode & 0o777, 0o600, name);

  const api = await signIn();
  const again = summary(await importFile(api, 'players', importedFile, { tenant_id: TENANT }));
  assert.is(again.existing, 2, 'rows of an import are recognized');
  const { entries } = await api.getAudit({});
  const changes = entries.filter(({ call }) => call === 'change-key').map((entry) => [entry.before, entry.after]);
  assert.equal(changes, [[{ key_id: before }, { key_id: after }]]);
});

/** Runs the work while the server is used: reading and writing secrets, and writing to the audit log. */
async function underLoad(work: (more: () => Promise<unknown>) => Promise<void>, env: Env = {}): Promise<number> {
  const api = await signIn();
  let isDone = false,
    calls = 0,
    last = '';
  const worker = async (nth: number) => {
    while (!isDone) {
      const password = `platform secret ${nth} ${calls}`;
      await api.saveAssignment({ tenant_id: TENANT, platform_id: 3 + nth, body: { username: 'u', password } });
      assert.is((await api.listPaymentMethods({})).length, 2);
      if (nth === 0) last = password;
      calls++;
    }
  };
  const workers = Promise.all([0, 1, 2].map(worker));
  try {
    await Promise.race([
      workers,
      work(async () => {
        const before = calls;
        assert.ok(await eventually(() => calls >= before + 6, 60), 'the server is at work');
      }),
    ]);
  } finally {
    isDone = true;
  }
  await workers;
  await inDatabase(async (db) => {
    const secrets = await openKeyring(db.sql, keysOf(env));
    const [row] = await db.sql<{ password_secret: string }[]>`
      select password_secret from tenant_platforms where tenant_id = ${TENANT} and platform_id = 3`;
    assert.is(secrets.decrypt(row!.password_secret, secretContext.platformCredentials(TENANT, 3)), last);
  });
  return calls;
}

test('under a server at work no call fails, and everything it wrote can be read with the new key alone', async () => {
  const before = await checkAll();
  const calls = await underLoad(async (more) => {
    await more();
    const child = await begin();
    await ended(child);
    assert.is(child.exitCode, 0);
    await more();
  });
  assert.ok(calls > 10, String(calls));
  const after = await checkAll();
  assert.is.not(after, before);
  assert.is(await countOthers(after), 0);
});

test('killed at any moment and repeated, also under a server at work, nothing is lost and it comes to its end', async () => {
  const before = await checkAll();
  await underLoad(async () => {
    for (const ms of [400, 700, 1000, 1300, 1600]) {
      const child = await begin();
      await setTimeout(ms);
      child.kill('SIGKILL');
      await ended(child);
      await checkAll();
    }
    assert.is((await command()).code, 0);
  });
  const after = await checkAll();
  assert.is.not(after, before);
  assert.is(await countOthers(after), 0);
  assert.not.ok(existsSync(join(dataDir, 'secret.key.next')));
});

/** Kills the command where the database holds it up: in the statement that the trigger is on. */
async function killIn(trigger: string): Promise<void> {
  await inDatabase(({ sql }) =>
    sql.unsafe(`create function hold() returns trigger language plpgsql as $$
      begin perform pg_sleep(60); return new; end $$; create trigger hold before ${trigger} execute function hold()`),
  );
  const sleeping = () =>
    inDatabase(({ sql }) => sql<{ pid: number }[]>`select pid from pg_stat_activity where wait_event = 'PgSleep'`);
  const child = await begin();
  assert.ok(await eventually(async () => (await sleeping()).length > 0, 60), trigger);
  child.kill('SIGKILL');
  await ended(child);
  await inDatabase(async ({ sql }) => {
    for (const { pid } of await sleeping()) await sql`select pg_terminate_backend(${pid})`;
    await sql.unsafe('drop function hold() cascade');
  });
  assert.ok(await signIn(), 'the server works');
}

const rowOf = (changed: string, when: string) => `update ${changed} for each row when (${when})`;
const triggers: [moment: string, trigger: string, isBegun: boolean][] = [
  ['before anything is changed', 'insert on secret_keys for each row', false],
  ['in the middle of the values', rowOf('of password_secret on player_credentials', 'new.player_id = 1800'), true],
  ['before the old key is forgotten', rowOf('on secret_keys', 'length(new.sealed) < length(old.sealed)'), true],
];
for (const [moment, trigger, isBegun] of triggers) {
  test(`killed ${moment}, all can be read, and the next run ends what was begun`, async () => {
    const before = await checkAll();
    await killIn(trigger);
    const between = await checkAll();
    assert.is(between !== before, isBegun);
    const { code, stdout, stderr } = await command();
    assert.is(code, 0, stderr);
    assert.is(/Continuing a change/.test(stdout), isBegun);
    const after = await checkAll();
    if (isBegun) assert.is(after, between);
    assert.is.not(after, before);
    assert.is(await countOthers(after), 0);
  });
}

test('killed while the key file is replaced, the server still finds its key, and the next run puts it in place', async () => {
  const before = await checkAll();
  assert.is((await command()).code, 0);
  const after = await checkAll();
  const file = (name: string) => join(dataDir, name);
  for (const isOldKept of [false, true]) {
    renameSync(file('secret.key'), file('secret.key.next'));
    if (isOldKept) cpSync(file(`secret.key.${before}`), file('secret.key'));
    else renameSync(file(`secret.key.${before}`), file('secret.key'));
    assert.is(await checkAll(), after);
    await stop();
    await start();
    const { code, stdout } = await command();
    assert.is(code, 0);
    assert.match(stdout, /uses the new key already/);
    assert.not.ok(existsSync(file('secret.key.next')));
    assert.is(await checkAll(), after, 'no further change was begun');
  }
});

test('with keys in the settings it takes the new one from NEW_SECRET_KEY, on servers that have both', async () => {
  const old = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(),
    next = randomBytes(32).toString('base64');
  const before = await checkAll();
  assert.match((await command([], { SECRET_KEY: old })).stderr, /^Set NEW_SECRET_KEY to the new key\./);
  assert.match((await command([], { SECRET_KEY: old, NEW_SECRET_KEY: old })).stderr, /is in use/);

  const both = { SECRET_KEY: old, NEW_SECRET_KEY: next };
  await stop();
  await start({ SECRET_KEY: old });
  assert.match((await command([], both)).stderr, /^A server that does not have the new key is using/);
  await stop();
  await start(both);
  assert.is(await checkAll(), before);

  await underLoad(async () => {
    const { code, stdout, stderr } = await command([], both);
    assert.is(code, 0, stderr);
    assert.match(stdout, /Set SECRET_KEY to the new key before the next start/);
  }, both);
  const after = await checkAll({ SECRET_KEY: next });
  assert.is(await countOthers(after), 0);
  assert.match((await command([], both)).stdout, /uses the new key already/);

  await stop();
  const late = await run({ dataDir, env: { SECRET_KEY: old } });
  assert.is(await late.ended, 1);
  assert.match(late.stderr(), /^The secret key of this database was replaced \(npm run change-key\)\. Set SECRET_KEY/);
  await start(both);
  assert.match(server.stdout(), /NEW_SECRET_KEY is the key of this database now/);
  await stop();
  writeFileSync(join(dataDir, 'secret.key'), `${next}\n`);
  assert.is(await checkAll(), after);
});

test('a server that never learned of the change writes nothing more with the old key', async () => {
  const old = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(),
    next = randomBytes(32).toString('base64');
  await start({ SECRET_KEY: old });
  const api = await signIn();
  // All its connections are idle, so nobody sees that it is there.
  const idle = `application_name like '% %'`;
  await inDatabase(({ sql }) => sql.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${idle}`));
  const changed = await command([], { SECRET_KEY: old, NEW_SECRET_KEY: next });
  assert.is(changed.code, 0, changed.stderr);
  const after = await checkAll({ SECRET_KEY: next });
  const write = { tenant_id: TENANT, platform_id: 3, body: { username: 'late', password: 'late' } };
  for (const call of [() => api.saveAssignment(write), () => api.listPaymentMethods({})])
    await call().then(
      () => assert.unreachable('it does not have the key'),
      (error: { status?: number }) => assert.is(error.status, 500),
    );
  assert.ok(await eventually(() => server.stdout().includes('The secret key of this database was replaced')));
  assert.is(await countOthers(after), 0);
  await stop();
  writeFileSync(join(dataDir, 'secret.key'), `${next}\n`);
  await start();
  assert.is(await checkAll(), after);
});

test('a value that was changed past the server is named, and the key is changed once it is put right', async () => {
  const spoil = (text: string) =>
    inDatabase(({ sql }) => sql`update player_credentials set password_secret = ${text} where player_id = 1500`);
  const [kept] = await inDatabase(({ sql }) => sql`select * from player_credentials where player_id = 1500`);
  await spoil('v1.AAAA.AAAA.AAAA');
  const { code, stderr } = await command();
  assert.is(code, 1);
  const row = /^The password_secret in player_credentials \(tenant_id 2, id 500\) was not encrypted by the server/;
  assert.match(stderr, row);
  await spoil(kept!['password_secret']);
  assert.is((await command()).code, 0);
  assert.is(await countOthers(await checkAll()), 0);
});

test('a wrong word, an empty folder and an old database are one clear line', async () => {
  assert.match((await command(['now'])).stderr, /^Usage: npm run change-key/);
  assert.match((await command([], { DATA_DIR: join(folder, 'none') })).stderr, /^There is no database in/);
});

test.run();

/** `npm run backup` and `npm run restore` as their operator runs them. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { runBackup, runRestore } from '../../../src/server/commands/backup';
import { admin, enter, metricsAddress, newDataDir, newFolder, run, runHere, signIn } from '../running';

const folder = newFolder('backup-command');
const [first, second, kept] = ['first', 'second', 'kept'].map((name) => join(folder, name)) as [string, string, string];
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = admin;

const programs = { backup: runBackup, restore: runRestore };
const command = ([name, ...words]: [keyof typeof programs, ...string[]], dataDir: string) =>
  runHere(programs[name], words, { DATA_DIR: dataDir });

test('a running server can be backed up, and another server restored from it with the same contents', async () => {
  await newDataDir(first);
  const server = await run({ dataDir: first });
  const { code, stdout, stderr } = await command(['backup', kept], first);
  assert.is(code, 0, stderr);
  assert.match(stdout, /Backed up \d+ rows in \d+ tables/);
  assert.match(stdout, /The ledger adds up\./);
  assert.ok(stdout.includes(join(first, 'secret.key')), 'it says which key to keep');
  assert.is(await signIn(server.url, email, password), 200, 'the server works on');
  const inUse = await command(['restore', kept, '--replace'], first);
  assert.match(inUse.stderr, /Another server .* is already using the folder/);
  assert.is(await server.end('SIGTERM'), 0);
  const key = readFileSync(join(first, 'secret.key'), 'utf8').trim();
  const withKey = readdirSync(kept).filter((name) => readFileSync(join(kept, name), 'latin1').includes(key));
  assert.equal(withKey, [], 'the key is not in it');

  assert.match((await command(['restore', kept], second)).stderr, /key file .* is missing/);
  mkdirSync(second);
  cpSync(join(first, 'secret.key'), join(second, 'secret.key'));
  const restored = await command(['restore', kept], second);
  assert.is(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /The checksums of all tables match\..*The audit log is intact\./s);
  const other = await run({ dataDir: second });
  assert.is(await signIn(other.url, email, password), 200);
  assert.not.match(other.stdout(), /first super admin/);
  assert.is(await other.end('SIGTERM'), 0);
});

test('a stopped database is backed up too; a damaged backup changes nothing', async () => {
  const again = join(folder, 'again');
  assert.is((await command(['backup', again], second)).code, 0);
  assert.match((await command(['restore', again], second)).stderr, /not empty; add --replace/);
  writeFileSync(join(again, 'admins.jsonl.gz'), 'damaged');
  const { code, stderr } = await command(['restore', again, '--replace'], second);
  assert.is(code, 1);
  assert.match(stderr, /admins is damaged/);
  assert.is((await command(['backup', join(folder, 'after')], second)).code, 0);
  const about = (at: string) => JSON.parse(readFileSync(join(folder, at, 'manifest.json'), 'utf8')).tables;
  assert.equal(about('after'), about('again'));
});

test('a backup in which somebody made themselves a super admin is refused before a database is made', async () => {
  const changed = join(folder, 'changed'),
    third = join(folder, 'third');
  cpSync(kept, changed, { recursive: true });
  const text = gunzipSync(readFileSync(join(changed, 'admins.jsonl.gz'))).toString();
  const raised = text.replace(/"email":"[^"]*"/, '"email":"oli@evil.test"');
  assert.is.not(raised, text);
  writeFileSync(join(changed, 'admins.jsonl.gz'), gzipSync(raised));
  const manifest = JSON.parse(readFileSync(join(changed, 'manifest.json'), 'utf8'));
  const about = manifest.tables.find(({ name }: { name: string }) => name === 'admins');
  about.sha256 = createHash('sha256').update(raised).digest('hex');
  writeFileSync(join(changed, 'manifest.json'), JSON.stringify(manifest, null, 2));
  mkdirSync(third);
  cpSync(join(first, 'secret.key'), join(third, 'secret.key'));
  const { code, stderr } = await command(['restore', changed], third);
  assert.is(code, 1);
  assert.match(stderr, /^The backup in .* was changed after it was made: .*\n$/);
  assert.equal(readdirSync(third), ['secret.key']);
});

test('a restore brings back what was ended since: it says so, and revokes the API keys on request', async () => {
  const [data, at] = [join(folder, 'ended'), join(folder, 'before-the-end')];
  await newDataDir(data);
  const server = await run({ dataDir: data });
  const api = await enter(server);
  const { id: tenant_id } = await api.createTenant({ body: { name: 'Acme' } });
  const ann = { email: 'ann@acme.test', password: 'violet harbour 42' };
  const { id } = await api.createAdmin({ body: { ...ann, tenant_id, role_id: 2 } });
  const shop = { name: 'Shop', scopes: ['transactions:write' as const], password, tenant_id };
  const { key, prefix, id: keyId } = await api.createApiKey({ body: shop });
  assert.is((await command(['backup', at], data)).code, 0);
  await api.revokeApiKey({ id: keyId });
  await api.disableAdmin({ id });
  const path = calls.readTransaction.path.replace('{id}', '1');
  /** The answers to the API key and to Ann. */
  const letIn = async ({ url }: { url: string }) => [
    (await fetch(new URL(path, url), { headers: { Authorization: `Bearer ${key}` } })).status,
    await signIn(url, ann.email, ann.password),
  ];
  assert.equal(await letIn(server), [401, 401]);
  assert.is(await server.end('SIGTERM'), 0);

  const plain = await command(['restore', at, '--replace'], data);
  assert.is(plain.code, 0, plain.stderr);
  for (const words of [
    'What was ended after the backup was made works again',
    `These 2 accounts can sign in:\n- ${ann.email} (admin of Acme)\n- ${email} (super admin)`,
    `These 1 API keys work:\n- Acme: Shop (${prefix}…)`,
    'To revoke all API keys, restore with --revoke-keys.',
  ])
    assert.ok(plain.stdout.includes(words), `${words} is not in ${plain.stdout}`);
  const again = await run({ dataDir: data });
  assert.equal(await letIn(again), [404, 200], 'what it says is true');
  assert.is(await again.end('SIGTERM'), 0);

  const revoking = await command(['restore', at, '--replace', '--revoke-keys'], data);
  assert.is(revoking.code, 0, revoking.stderr);
  assert.ok(revoking.stdout.includes(`All 1 API keys were revoked:\n- Acme: Shop (${prefix}…)`), revoking.stdout);
  const last = await run({ dataDir: data });
  assert.equal(await letIn(last), [401, 200]);
  const { entries } = await (await enter(last)).getAudit({});
  const entry = entries.find(({ call }) => call === 'restore');
  assert.equal([entry?.tenant_id, entry?.after], [tenant_id, { revoked_api_keys: [`Shop (${prefix}…)`] }]);
  assert.is(await last.end('SIGTERM'), 0);
});

test('a wrong folder, setting or word is one clear line, and makes nothing', async () => {
  for (const [words, said] of [
    [['backup', 'a', 'b'], /^Usage/],
    [['backup', 'a', '--replace'], /^Usage/],
    [['restore', 'a', '--force'], /^Usage/],
    [['restore', 'a'], /^There is no backup in .*a:/],
    [['backup', 'a'], /^There is no database in .*none/],
  ] as const) {
    const { code, stderr } = await command([...words], join(folder, 'none'));
    assert.is(code, 1);
    assert.match(stderr, said);
    assert.is(stderr.trim().split('\n').length, 1, stderr);
  }
  for (const [name, said] of [
    ['backup', /^Usage: npm run backup -- FOLDER/],
    ['restore', /^Usage: npm run restore -- FOLDER \[--demo\] \[--replace\]/],
  ] as const)
    assert.match((await run({ args: [name], dataDir: join(folder, 'none') })).stderr(), said);
  assert.not.ok(existsSync(join(folder, 'none')));
});

test('with --keep a folder keeps the newest backups: only old ones of ours go, and the server is told', async () => {
  const [data, folderOfBackups] = [join(folder, 'keeping'), join(folder, 'backups')];
  const metrics = { METRICS_PORT: '0' };
  const server = await run({ dataDir: data, env: metrics });
  const address = await metricsAddress(server);
  assert.match(await (await fetch(address)).text(), /^backoffice_backup_age_seconds \+Inf$/m);
  const backUp = (...more: string[]) => command(['backup', folderOfBackups, ...more], data);
  const names = () => readdirSync(folderOfBackups).sort();

  for (const wrong of ['0', 'all', '-1', '1.5']) assert.match((await backUp(`--keep=${wrong}`)).stderr, /^Usage: /);
  const first = await backUp('--keep', '2');
  assert.is(first.code, 0, first.stderr);
  assert.match(first.stdout, /No older backup was deleted: there are not more than 2\./);
  const [oldest = ''] = names();
  assert.match(oldest, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
  assert.is(await server.end('SIGTERM'), 0);

  // What looks like a backup and is not surely ours, and what is none.
  cpSync(kept, join(folderOfBackups, 'of-another-key'), { recursive: true });
  cpSync(join(folderOfBackups, oldest), join(folderOfBackups, 'with-a-note'), { recursive: true });
  writeFileSync(join(folderOfBackups, 'with-a-note', 'note.txt'), 'do not delete');
  cpSync(join(folderOfBackups, oldest), join(folderOfBackups, 'changed'), { recursive: true });
  const manifest = join(folderOfBackups, 'changed', 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"made_at": "\d/, '"made_at": "1'));
  mkdirSync(join(folderOfBackups, 'photos'));
  symlinkSync(kept, join(folderOfBackups, 'link'));
  const others = ['changed', 'link', 'of-another-key', 'photos', 'with-a-note'];

  await nextSecond();
  assert.is((await backUp('--keep', '2')).code, 0);
  assert.is(names().length, 2 + others.length);
  await nextSecond();
  const third = await backUp('--keep', '2');
  assert.ok(third.stdout.includes(`Deleted all backups but the newest 2: ${oldest}.`), third.stdout);
  assert.match(third.stdout, /3 others were left: /);
  assert.is(names().length, 2 + others.length);
  assert.not.ok(names().includes(oldest));
  const gone = others.filter((name) => !names().includes(name));
  assert.equal(gone, []);
  assert.ok(existsSync(join(kept, 'manifest.json')), 'nothing behind a link is deleted');

  const again = await run({ dataDir: data, env: metrics });
  const told = await metricsAddress(again);
  const age = Number(/^backoffice_backup_age_seconds (\S+)$/m.exec(await (await fetch(told)).text())?.[1]);
  assert.ok(age > 0 && age < 120, String(age));
  assert.is(await again.end('SIGTERM'), 0);
  const newest = names().findLast((name) => /^\d/.test(name)) ?? '';
  const restored = await command(['restore', join(folderOfBackups, newest), '--replace'], data);
  assert.is(restored.code, 0, restored.stderr);
});

/** Backups are named by the second. */
const nextSecond = () => setTimeout(1000 - (Date.now() % 1000));

test.run();

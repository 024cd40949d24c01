/** Fifty secrets go through every call that takes one, into a server of its own. Then all its output is searched. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Secret, TOTP } from 'otpauth';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallSpec } from '../../src/contract/calls';
import { newFolder, type Running, run, serverBundle } from './running';

const folder = newFolder('planted');
const dataDir = join(folder, 'data');
const secrets: string[] = [];
/** A new secret that nobody else has. */
const plant = (): string => {
  const secret = `planted-${randomBytes(12).toString('hex')}`;
  secrets.push(secret);
  return secret;
};
/** What must be found, or the search would prove nothing. */
const KNOWN = 'not-secret-4711@mail.test';
const found = (text: string): string[] => secrets.filter((secret) => text.includes(secret));
const everywhere = (at: string): string[] =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

let server: Running;
let token = '';
const answers: string[] = [];
async function send(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> & { id: number; access_token: string } }> {
  const response = await fetch(server.url.replace(/\/$/, '') + path, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
  answers.push(`${method} ${path}\n${headers.join('\n')}\n${text.replace(/"access_token":"[^"]+"/, '')}`);
  for (const cookie of response.headers.getSetCookie())
    secrets.push(...(/checkout=([\w-]{43})/.exec(cookie)?.slice(1) ?? []));
  const answer = JSON.parse(text);
  if (typeof answer.access_token === 'string') secrets.push(answer.access_token);
  return { status: response.status, body: answer };
}
const answered = async (wanted: number, ...call: Parameters<typeof send>) => {
  const { status, body } = await send(...call);
  assert.is(status, wanted, `${call[0]} ${call[1]} ${JSON.stringify(body)}`);
  return body;
};
const done = (...call: Parameters<typeof send>) => answered(200, ...call);

/** What one answer alone may hold; it is no other's. */
async function shown(field: 'key' | 'secret', path: string, body: object): Promise<string> {
  const secret = String((await done('POST', path, body))[field]);
  assert.ok(secret.length > 30);
  secrets.push(secret);
  answers.pop();
  return secret;
}

test.before(async () => {
  const password = plant();
  server = await run({
    dataDir,
    env: { LOG_LEVEL: 'trace', ADMIN_EMAIL: 'root@platform.test', ADMIN_PASSWORD: password },
  });
  const login = (email: string, words: string) => send('POST', calls.login.path, { email, password: words });
  token = (await login('root@platform.test', password)).body.access_token;
  const { id: tenant_id } = await done('POST', calls.createTenant.path, { name: 'Planted' });
  const credentials = [
    { payment_platform: 'flikpay', of: ['api_key', 'webhook_secret'], open: { merchant_id: 'm' } },
    { payment_platform: 'apex', of: ['api_key', 'secret_key'], open: { merchant_id: 'm' } },
    { payment_platform: 'btcpay', of: ['api_key'], open: { server_url: 'https://pay.test', store_id: 's' } },
  ];
  for (const { payment_platform, of, open } of credentials) {
    const body = () => ({ ...open, ...Object.fromEntries(of.map((name) => [name, plant()])) });
    const methods = `/api/v1/admin/payment-methods/${tenant_id}`,
      made = `${methods}?payment_platform=${payment_platform}`;
    await done('POST', made, body());
    await done('PUT', `${methods}/${payment_platform}`, body());
    await answered(409, 'POST', made, body());
    await answered(422, 'PUT', `${methods}/${payment_platform}`, { ...body(), unknown: plant() });
    for (const rotate of [false, true])
      await shown('secret', `${methods}/${payment_platform}/webhook-secret`, { rotate, password });
    await answered(401, 'POST', `/api/v1/webhooks/${tenant_id}/${payment_platform}`, plant());
  }
  const account = () => ({ username: 'u', password: plant() });
  for (const platform of [1, 2, 3, 4]) {
    await done('POST', `/api/v1/admin/tenants/${tenant_id}/platforms/${platform}/credentials`, account());
    await done('POST', `/api/v1/admin/my-platforms/${platform}/credentials?tenant_id=${tenant_id}`, account());
  }
  await answered(404, 'POST', `/api/v1/admin/tenants/999/platforms/1/credentials`, account());
  const email = 'worker@planted.test',
    words = plant();
  const admin = await done('POST', calls.createAdmin.path, { email, password: words, tenant_id, role_id: 2 });
  await answered(409, 'POST', calls.createAdmin.path, { email, password: plant(), tenant_id, role_id: 2 });
  await done('PUT', `/api/v1/admin/admin-users/${admin.id}/`, { email, password: plant() });
  for (const wrong of [words, plant(), plant()]) assert.is((await login(email, wrong)).status, 401);
  assert.is((await login(plant(), plant())).status, 401); // a password in the field of the name
  await plantFactor(admin.id, email);
  const player = await done('POST', calls.createPlayer.path, { email: KNOWN, password: plant(), tenant_id });
  await done('PUT', `/api/v1/users/${player.id}`, { email: KNOWN, password: plant() });
  await answered(409, 'POST', calls.createPlayer.path, { email: KNOWN, password: plant(), tenant_id });
  await answered(422, 'POST', calls.createPlayer.path, { email: KNOWN, password: plant(), tenant_id: plant() });
  await answered(422, 'POST', calls.createAdmin.path, `{"email":"x","password":"${plant()}`);
  await answered(422, 'POST', calls.createAdmin.path, { password: { nested: plant() } });
  await answered(404, 'GET', `/api/v1/${plant()}?password=${plant()}`);
  answers.pop(); // that one shows the path it was asked for
  const scopes = ['players:write', 'transactions:write'];
  const key = await shown('key', calls.createApiKey.path, { name: 'Shop', scopes, tenant_id, password });
  const staff = token;
  token = key;
  // Without an Idempotency-Key.
  await answered(422, 'POST', calls.pushPlayer.path, { email: 'pushed@planted.test' });
  await answered(404, 'GET', calls.readTransaction.path.replace('{id}', '99'));
  await answered(401, 'GET', calls.listApiKeys.path);
  token = staff;
  while (secrets.length < 50)
    await done('POST', `/api/v1/admin/tenants/${tenant_id}/platforms/5/credentials`, account());
  secrets.push(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim());
  for (const { method, path } of Object.values(calls) as CallSpec[]) {
    if (method !== 'GET') continue;
    const url = path.replace(/\{id\}/, path.includes('/tenants/') ? String(tenant_id) : String(player.id));
    const query = 'search=mail&email=mail&affiliate_id=x&start_date=2026-01-01&end_date=2026-01-02&limit=100';
    await send('GET', `${url}?tenant_id=${tenant_id}&${query}`).catch(() => undefined); // an export is no JSON
  }
});
/** Two-factor sign-in of the worker: its secret and codes appear once, in the answers that must hold them. */
async function plantFactor(id: number, email: string): Promise<void> {
  const before = token,
    first = plant(),
    second = plant();
  await done('PUT', `/api/v1/admin/admin-users/${id}/`, { email, password: first });
  const told = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await done('POST', path, body);
    answers.pop();
    return answer;
  };
  token = (await done('POST', calls.login.path, { email, password: first })).access_token;
  const { secret } = await told(calls.setUpTwoFactor.path, { password: first });
  const code = new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate();
  const codes: unknown[] = [];
  for (const [path, body] of [
    [calls.confirmTwoFactor.path, { code }],
    [calls.renewRecoveryCodes.path, { password: first, code: null }],
  ] as const) {
    const { recovery_codes } = await told(path, { ...body, code: body.code ?? codes[0] });
    if (Array.isArray(recovery_codes)) codes.push(...recovery_codes);
  }
  assert.is(codes.length, 20);
  const { path } = calls.changePassword;
  const changed = await done('PUT', path, { current_password: first, new_password: second, code: codes[12] });
  token = changed.access_token;
  await answered(400, 'PUT', path, { current_password: plant(), new_password: plant(), code: codes[13] });
  const wrong = String(codes[10]).replace(/.$/, 'x');
  await answered(401, 'POST', calls.login.path, { email, password: second, code: wrong });
  await done('POST', calls.login.path, { email, password: second, code: codes[11] });
  secrets.push(String(secret), ...codes.flatMap((each) => [String(each), String(each).replaceAll('-', '')]));
  token = before;
}
test.after(async () => {
  server.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('fifty secrets and more have been planted', () => assert.ok(secrets.length >= 50, String(secrets.length)));

test('no answer contains one, errors included [ASVS 14.2.1]', () => {
  const all = answers.join('\n');
  assert.ok(all.includes(KNOWN) && answers.some((answer) => answer.includes('"code":"conflict"')));
  assert.equal(found(all), []);
});

test('no log line contains one, even at the lowest level [ASVS 16.2.5]', () => {
  const said = server.stdout() + server.stderr();
  assert.ok(said.split('\n').filter((line) => line.includes('"msg":"request"')).length > 50);
  assert.equal(found(said), []);
});

test('neither a backup nor any file of the database contains one, the WAL included [ASVS 14.2.4]', async () => {
  const kept = join(folder, 'kept');
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir },
    options = { encoding: 'utf8', cwd: folder, env } as const;
  const { status, stderr } = spawnSync(process.execPath, [await serverBundle(), 'backup', kept], options);
  assert.is(status, 0, stderr);
  const dump = everywhere(kept)
    .map((file) => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString('latin1'))
    .join('\n');
  assert.ok(dump.includes(KNOWN));
  assert.equal(found(dump), []);

  assert.is(await server.end('SIGTERM'), 0); // all of it is in the files now
  const files = everywhere(join(dataDir, 'postgres'));
  assert.ok(files.some((file) => file.includes('pg_wal')));
  const raw = files.map((file) => readFileSync(file).toString('latin1'));
  assert.ok(raw.filter((text) => text.includes(KNOWN)).length >= 2, 'in a table and in the journal');
  assert.equal(raw.flatMap(found), []);
});

test.run();

/**
 * Nonsense, near misses and raw bytes at every call of the contract: never a 5xx, never a crash, no memory kept, and
 * every refusal a sentence.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../src/contract/calls';
import { pageSizes } from '../../src/contract/constants';
import { scopes } from '../../src/contract/integrations';
import { type Permission, permissions } from '../../src/contract/permissions';
import { manualRedeemPlatforms } from '../../src/contract/platforms';
import { type CallSchemas, schemas } from '../../src/contract/schemas/calls';
import { verifyAudit } from '../../src/server/audit/verify';
import { secretContext } from '../../src/server/auth/secrets';
import { verifyLedger } from '../../src/server/books/verify';
import { verifyEvidence } from '../../src/server/books/verifyEvidence';
import { recordLedger } from '../../src/server/commands/setup';
import { signature } from '../integrations';
import { db, fetch, hashOfPassword, PASSWORD, pam, pat, people, reset, services, sql } from '../world';
import { count, inWords, type ProveOptions, Random } from './random';
import { entriesOf, Maker, nasty, type Shape } from './shapes';

const all = Object.entries(calls) as [CallName, CallSpec][];
const PER_ROUND = 50;
/** A tenant whose id no request can hit, so that nobody changes how its webhooks are signed. */
const [SIGNED_TENANT, WEBHOOK_SECRET] = [900_001, 'signed with this'];
const MEMORY_BYTES = 32 * 1024 * 1024;
/** After so many rounds everything has been loaded and cached that ever is. */
const WARM_ROUNDS = 40;
const TELL_MS = 60_000;
/** Of the clients: few, so that the limits by address are met. */
const addresses = ['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.3', '2001:db8::1', '2001:db8:0:0:1::2'];

/** In each round one admin has one of these: each permission alone, or all but one. */
const limits: readonly (readonly Permission[])[] = permissions.flatMap((one) => [
  [one],
  permissions.filter((other) => other !== one),
]);

const ids = [1, 2, 3, 4, '1', '2', '3', '5', 99, '999999999999999'];
const maker = new Maker(
  [
    ...ids,
    ...pageSizes,
    ...[100, 1000, '0.01', '1', '100', 12.34, '99999999999', pam.email, pat.email, people.ann.email],
    ...['new@mail.test', 'X', 'Pam', 'word word', 'aff1', 'İstanbul', '😀', "o'hara", '100%_\\', '\ud800 half'],
    ...['l'.repeat(100), 'https://hook.test/x', '2026-01-01', '2026-01-31T10:00:00Z', '2026-12-31', '1900-01-01'],
    ...['2099-12-31', 'apex'],
    ...manualRedeemPlatforms,
    ...[PASSWORD, 'a password', ''],
  ],
  {
    ...{ role_id: 2, tenant_id: 2, amount: '100', platform_name: 'yolo', payment_platform: 'apex' },
    ...{ password: 'a password', current_password: PASSWORD, new_password: 'another password' },
    ...{ user_email: pam.email, user_id: pam.id, platform: 'yolo', occurred_at: '2026-01-31T10:00:00Z' },
    ...{ currency: undefined, external_id: undefined, balance: undefined, first_line: 2 },
    header: 'email,type,status,amount,initiated_at,source_id,platform',
    rows: [
      `${pam.email},TOP_UP,pending,5,2026-01-01,A1,`,
      'nobody,"',
      `${pam.email},REDEEM,pending,1.5,2026-01-01T10:00Z,A2,yolo`,
    ].join('\n'),
  },
);

/**
 * Round `from` of a seed sends the same on every machine. So a run of hours can be done in parts, of `minutes` each, or
 * of some calls alone.
 */
export async function prove({
  seed,
  long,
  say,
  ops = long ? 100_000 : 150,
  workers = 8,
  from = 1,
  minutes = Infinity,
  calls: some,
}: ProveOptions): Promise<void> {
  const names = all.map(([name]) => name).filter((name) => !some || some.includes(name));
  assert.ok(
    names.length && names.length === (some ?? names).length,
    `no such call; there are ${all.map(([name]) => name).join(', ')}`,
  );
  const counts: Record<string, number> = {},
    answered = new Set<CallName>(),
    started = performance.now();
  const rounds = Math.max(3, Math.ceil(ops / PER_ROUND)),
    warm = Math.min(WARM_ROUNDS, Math.ceil((rounds - from + 1) / 3));
  let before = 0,
    grown = 0,
    done = 0,
    told = started;
  const tell = (what: string) => {
    const requests = done * PER_ROUND * names.length;
    say(
      `${what}, each with ${PER_ROUND} of ${names.length} calls, ${requests} requests: ${inWords(counts)}; ` +
        `memory ${(grown / 1024 / 1024).toFixed(1)} MiB more than after ${warm}`,
    );
  };
  for (let round = from; round <= rounds && performance.now() - started < minutes * 60_000; round++) {
    const random = new Random(mixed(seed, round)),
      callers = await start(random, limits[round % limits.length]!);
    const requests = random.shuffled(names.flatMap((name) => Array.from({ length: PER_ROUND }, () => name)));
    let next = 0;
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let name = requests[next++]; name; name = requests[next++]) {
          const status = await shoot(name, new Random(mixed(seed, round, next)), callers).catch((error: unknown) => {
            throw new Error(`round ${round}`, { cause: error });
          });
          count(counts, status);
          if (status === 200) answered.add(name);
        }
      }),
    );
    assert.equal(await verifyLedger(sql), [], `round ${round}`);
    assert.equal((await verifyAudit(db, services.secrets)).sentences, [], `round ${round}`);
    assert.equal(await verifyEvidence(db, services.secrets), [], `round ${round}`);
    await readAll(callers);
    if (++done === warm) before = await usedMemory();
    if (performance.now() - told < TELL_MS) continue;
    told = performance.now();
    grown = done > warm ? (await usedMemory()) - before : 0;
    tell(`so far rounds ${from} to ${round} of ${rounds}`);
    assert.ok(grown < MEMORY_BYTES, `memory grew by ${grown} bytes`);
  }
  grown = (await usedMemory()) - before;
  tell(`rounds ${from} to ${from + done - 1} of ${rounds}`);
  assert.ok(done > warm, 'too few rounds to judge the memory');
  assert.ok(grown < MEMORY_BYTES, `memory grew by ${grown} bytes`);
  // A password or a code of the moment is hit by nobody, and the rarest takes a thousand tries.
  const needsPassword = /^(login|setUp|confirm|turnOff|renewRecovery|changePassword|revealWebhook|createApiKey)/;
  if (done >= WARM_ROUNDS)
    assert.equal(
      names.filter((name) => !answered.has(name) && !needsPassword.test(name) && name !== 'revokeApiKey'),
      [],
      'calls that no request got into',
    );
}
/** One number of several, near ones far apart. */
const mixed = (...numbers: number[]): number =>
  numbers.reduce((sum, number) => Math.imul(sum ^ (sum >>> 15), 0x85ebca6b) + Math.imul(number, 0x9e3779b1), 1) >>> 0;

const collect = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();
/** What is held: buffers on their way out are given time to go. */
async function usedMemory(): Promise<number> {
  let least = Infinity;
  for (let times = 0; times < 3; times++) {
    await setTimeout(50);
    collect();
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

/** The world afresh, and accounts whose ids no request can hit, so that nobody locks them out. */
async function start(random: Random, held: readonly Permission[]) {
  await reset();
  const rows = await sql<{ id: number }[]>`
    insert into admins (id, tenant_id, role_id, email, password_hash)
    select n, tenant, r.id, email, ${hashOfPassword} from roles r join (values
      (900001, 1, 'super_admin', 'f1@x.test'),
      (900002, 2, 'admin', 'f2@x.test'),
      (900003, 3, 'admin', 'f3@x.test'),
      (900004, 2, 'admin', ${pam.email}),
      (900005, 2, 'admin', 'f5@x.test'),
      (900006, 2, 'admin', 'f6@x.test'))
      as a (n, tenant, role, email) on a.role = r.name order by n returning id`;
  await sql`update admins set permissions = ${[...permissions]} where id in (900002, 900003, 900004)`;
  await sql`update admins set permissions = ${[...held]} where id = 900006`;
  const { secrets } = services;
  await db.tx((tx) => recordLedger(tx, secrets));
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'yolo', 'x', ${secrets.encrypt('x', secretContext.playerCredential(2, pam.id, 'yolo'))})`;
  const acmeCredentials = secrets.encrypt(
    '{"api_key":"a","secret_key":"b","merchant_id":"c"}',
    secretContext.paymentMethod(2, 'apex'),
  );
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret)
    values (2, 'apex', ${acmeCredentials})`;
  await sql`insert into tenants (id, name, time_zone) values (${SIGNED_TENANT}, 'Signed', 'UTC')`;
  const webhookSecret = secrets.encrypt(WEBHOOK_SECRET, secretContext.webhookSecret(SIGNED_TENANT, 'apex'));
  const credentials = secrets.encrypt('{}', secretContext.paymentMethod(SIGNED_TENANT, 'apex'));
  await sql`
    insert into payment_methods (tenant_id, payment_platform, webhook_secret, credentials_secret)
    values (${SIGNED_TENANT}, 'apex', ${webhookSecret}, ${credentials})`;
  await sql`
    insert into players (tenant_id, email)
    values (${SIGNED_TENANT}, ${pam.email}), (${SIGNED_TENANT}, ${pat.email})`;
  await sql`
    insert into wallets (tenant_id, player_id)
    select tenant_id, id from players where tenant_id = ${SIGNED_TENANT}`;
  const keys = ['gbk_first', 'gbk_second'];
  await sql`
    insert into api_keys (tenant_id, id, name, prefix, key_hash, scopes, admin_id) overriding system value
    select n + 1, 900000 + n, key, key, sha256(key::bytea), ${[...scopes]}::text[], 900000 + n + 1
    from unnest(${keys}::text[]) with ordinality as k (key, n)`;
  // A tenant that comes to require a second factor must not put them out.
  for (const id of [...rows.map((row) => row.id), people.ann.id]) {
    const secret = secrets.encrypt('GEZDGNBVGY3TQOJQ', secretContext.twoFactor(id));
    await sql`
      insert into two_factor (admin_id, secret, confirmed_at, recovery_salt)
      values (${id}, ${secret}, now(), 'sixteen bytes ok')`;
  }
  const sessions = await Promise.all(
    [...rows.slice(0, 4), ...rows.slice(5)].map(({ id }) => services.sessions.start(sql, id, 'test')),
  );
  const tokens = sessions.map(({ token }) => token);
  const [, , , , limited] = tokens as [string, string, string, string, string];
  return {
    super: tokens[0]!,
    tokens: random.shuffled(tokens),
    checkout: sessions[3]!.checkout,
    keys,
    /** The session of an admin who has not every permission. */
    limited: { token: limited, held },
  };
}
type Callers = Awaited<ReturnType<typeof start>>;

/** What the writes have left behind can be read. */
async function readAll({ super: session, keys: [key] }: Callers): Promise<void> {
  for (const [name, { method, path, who }] of all) {
    if (method !== 'GET' || path.includes('{')) continue;
    const token = who === 'key' ? key : session;
    const query = new URLSearchParams({
      ...(name === 'getAffiliateStats' && { affiliate_id: 'aff1', start_date: '2026-01-01', end_date: '2026-01-31' }),
      ...(name === 'searchPlayers' && { email: 'a@' }),
      tenant_id: '2',
    });
    const response = await fetch(`${path}?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    const text = await response.text();
    assert.ok(response.status < 500 && response.status !== 401, `${name} after the writes: ${response.status} ${text}`);
  }
}

async function shoot(name: CallName, random: Random, callers: Callers): Promise<number> {
  const { method, path, who, needs, isSigned }: CallSpec = calls[name],
    shapes: CallSchemas = schemas[name];
  const luck = random.from(1, 100),
    fresh = who === 'session' ? await freshSession() : null;
  const url =
    path.replace(/\{(\w+)\}/g, (_, key: string) =>
      random.from(1, 10) === 1
        ? encodeURIComponent(text(random.pick(nasty))).slice(0, 300) || '0'
        : key === 'platform'
          ? 'apex'
          : String(isSigned && random.from(0, 1) === 1 ? SIGNED_TENANT : random.pick(fresh ? [...ids, fresh.id] : ids)),
    ) + (luck === 1 ? '/%ff%00' : luck === 2 ? '/' : '');
  const sent =
    method !== 'GET' && (shapes.body ? random.from(1, 20) > 1 : random.from(1, 10) === 1)
      ? bodyOf(shapes.body, random)
      : null;
  const headers: Record<string, string> = {
    'Content-Type':
      random.from(1, 15) === 1
        ? random.pick([
            'text/plain',
            'application/xml',
            'multipart/form-data; boundary=x',
            'application/json; charset=utf-16',
            ';;',
          ])
        : 'application/json',
  };
  const pickToken = () => {
    if (fresh) return fresh.token;
    if (who === 'key') return random.pick(callers.keys);
    return who === 'super' && random.from(1, 5) > 1 ? callers.super : random.pick(callers.tokens);
  };
  if (who === 'checkout') headers['Cookie'] = `checkout=${callers.checkout}`;
  // Logging out and the like must not end the sessions of the others.
  else if (who !== 'anyone')
    headers['Authorization'] =
      random.from(1, 15) === 1
        ? random.pick(['Bearer', 'Bearer x', 'Basic YTpi', `Bearer ${'a'.repeat(4000)}`])
        : `Bearer ${pickToken()}`;
  if (isSigned && typeof sent === 'string' && random.from(1, 15) > 1)
    headers['X-Signature'] = signature(WEBHOOK_SECRET, sent);
  if (who === 'key' && random.from(1, 15) > 1)
    headers['Idempotency-Key'] = random.from(1, 10) === 1 ? 'again' : randomUUID();
  if (random.from(1, 20) === 1) headers['If-None-Match'] = random.pick(['*', '"x"', 'W/"', ',,,']);
  if (random.from(1, 20) === 1) headers['Accept-Encoding'] = random.pick(['gzip', 'br', '*;q=0', 'gzip;q=x']);
  const query = queryOf(shapes.query, random);
  const response = await fetch(
    `${url}${query && '?'}${query}`,
    { method, headers, body: sent },
    { incoming: { socket: { remoteAddress: random.pick(addresses) } } },
  );
  const isBeyond = needs && headers['Authorization'] === `Bearer ${callers.limited.token}`;
  if (isBeyond && !callers.limited.held.includes(needs))
    assert.ok(response.status >= 400, `${name} without ${needs}: ${response.status}`);
  await judge(response, () => `${method} ${url}?${query} ${JSON.stringify(sent)?.slice(0, 400)}`);
  return response.status;
}

/** In no more than one statement: every eighth request has one. */
async function freshSession(): Promise<{ token: string; id: number }> {
  const token = randomBytes(32).toString('base64url'),
    checkout = randomUUID();
  const hash = createHash('sha256').update(token).digest();
  const [session] = await sql<{ id: number }[]>`
    insert into sessions (token_hash, checkout_hash, admin_id, address, expires_at)
    values (${hash}, ${checkout}::text::bytea, 900005, 'test', now() + interval '1 hour') returning id`;
  return { token, id: session?.id ?? 0 };
}
const text = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{Surrogate}/gu, '\ufffd');

/** The promise of every answer: no 5xx, and a refusal is JSON with its reason in words, never the machinery's. */
async function judge(response: Response, what: () => string): Promise<void> {
  const body =
    response.headers.get('content-encoding') === 'gzip'
      ? gunzipSync(await response.arrayBuffer()).toString()
      : await response.text();
  assert.ok(response.status < 500, `${what()}: ${response.status} ${body}`);
  if (response.status < 400) return;
  const refusal: unknown = JSON.parse(body);
  assert.ok(
    typeof refusal === 'object' &&
      refusal !== null &&
      'detail' in refusal &&
      typeof refusal.detail === 'string' &&
      refusal.detail.length > 3,
    `${what()}: ${response.status} ${body}`,
  );
  assert.not.match(body, /node_modules|\.ts:|at async|PostgresError|valibot|Invalid (type|key)/, what());
  assert.ok(response.headers.get('x-request-id'), `${what()}: headers`);
}

function queryOf(shape: Shape | undefined, random: Random): string {
  const made: [string, unknown][] = entriesOf(shape).map(([key, each]) => [
    key,
    random.from(1, 8) === 1 ? random.pick(nasty) : maker.makeNamed(key, each, random),
  ]);
  if (random.from(1, 6) === 1)
    made.push([
      text(random.pick(['tenant_id', 'id', '__proto__', 'a[]', ...nasty])).slice(0, 50),
      random.pick([1, ...nasty]),
    ]);
  if (random.from(1, 20) === 1) made.push(...made);
  return made
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        `${encodeURIComponent(key)}=${random.from(1, 30) === 1 ? '%ff%zz' : encodeURIComponent(text(value))}`,
    )
    .join('&');
}

function bodyOf(shape: Shape | undefined, random: Random): string | Uint8Array<ArrayBuffer> {
  const luck = random.from(1, 20);
  if (luck === 1) return Uint8Array.from({ length: random.from(0, 300) }, () => random.from(0, 255));
  const good = shape ? maker.make(shape, random) : {};
  const made: Record<string, unknown> = typeof good === 'object' && good !== null ? { ...good } : {};
  if (luck === 2) return JSON.stringify(random.pick(nasty)) ?? '';
  if (luck === 3) return '{"a":'.repeat(random.from(1, 5_000));
  if (luck === 4) return '['.repeat(20_000) + ']'.repeat(20_000);
  if (luck === 5) return JSON.stringify({ ...made, padding: 'x'.repeat(70_000) });
  if (luck <= 11)
    for (let n = random.from(1, 2); n > 0; n--)
      made[random.pick([...Object.keys(made), 'tenant_id', 'id', 'is_super_admin'])] = random.pick(nasty);
  const json = JSON.stringify(made);
  if (luck === 12) return json.slice(0, random.from(0, json.length));
  if (luck === 13)
    return json.replace(/[a-z]/g, (letter) =>
      random.from(1, 12) === 1 ? String.fromCharCode(random.from(0, 0xffff)) : letter,
    );
  return json;
}

/**
 * Walks the whole contract: every call refuses all callers it is not for, and shows nothing of another tenant.
 * A new call is covered the day it is added.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallName } from '../../src/contract/calls';
import { type Permission, permissionLabels, permissions } from '../../src/contract/permissions';
import { createApi } from '../createApi';
import { guest, newBrowser, type Person, pat, people, reset, send, services, signIn, sql, tokenOf } from '../world';
import { acmeIds, everyCall, type Ids, schemasOf, takes } from './everyCall';
import { canaries, make, plantCanaries, type Sent } from './planted';

/** Those that take a session. API keys have their own fences, in apiKeys.test.ts. */
const fenced = everyCall.filter(([, { who }]) => who !== 'anyone' && who !== 'checkout' && who !== 'key');

/** Nothing of anybody has these ids. */
const unknownIds: Ids = Object.fromEntries(Object.keys(acmeIds).map((word) => [word, 99]));
const unknown = { ids: unknownIds, other: 99 };
async function refuseCanaries(response: Response): Promise<void> {
  const text = `${[...response.headers].join('\n')}\n${await response.text()}`;
  for (const canary of canaries) assert.not.ok(text.toLowerCase().includes(canary.toLowerCase()), `${canary} got out`);
}
/** What the server notes about calls, whatever becomes of them. */
const noted = ['audit_log', 'audit_lanes', 'idempotency_keys'];
/** Everything Acme has, as one value. */
async function acmeNow(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'tenant_id' and table_name <> all (${noted}) order by 1`;
  const each = tables.map(
    ({ name }) => `select '${name}' as name, to_jsonb(t) - 'updated_at' as row from ${name} t where tenant_id = 2`,
  );
  return JSON.stringify(await sql.unsafe(`${each.join(' union all ')} order by 1, 2`));
}

let isPlanted = false;
/** Plants anew what a call may have changed. One that only reads, or is refused, leaves everything as it was. */
async function plantFor(name: CallName, isRefused = false): Promise<void> {
  if (!isPlanted) await plantCanaries();
  await sql`update admins set permissions = ${[...permissions]}`;
  isPlanted = isRefused || calls[name].method === 'GET';
}

const tokens: Partial<Record<string, string>> = {};
/** Every way not to be signed in. */
const strangers: Record<string, () => string | undefined> = {
  'without a token': () => undefined,
  'with an empty token': () => '',
  'with another kind of token': () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOjF9.',
  'with a tampered token': () => (tokens['sue'] ?? '').replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
  'with an expired token': () => tokens['expired'],
  'with an idle token': () => tokens['idle'],
  'with a revoked token': () => tokens['revoked'],
  "with a disabled account's token": () => tokens['disabled'],
};

test.before(async () => {
  await plantCanaries();
  for (const person of Object.keys(people) as Person[]) tokens[person] = await tokenOf(person);
  const hash = (token: string | undefined) => sql`decode(encode(sha256(${token ?? ''}::bytea), 'hex'), 'hex')`;
  tokens['expired'] = await tokenOf('sue');
  await sql`update sessions set expires_at = now() - interval '1 second' where token_hash = ${hash(tokens['expired'])}`;
  tokens['idle'] = await tokenOf('sue');
  await sql`
    update sessions set last_seen_at = now() - interval '31 minutes' where token_hash = ${hash(tokens['idle'])}`;
  tokens['revoked'] = (await signIn('sue')).access_token;
  await createApi({ fetch: newBrowser(), token: () => tokens['revoked'] ?? null }).logout();
  const [gone] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash, is_active)
    values (1, 1, 'gone@platform.test', 'x', false)
    returning id`;
  tokens['disabled'] = (await services.sessions.start(sql, gone!.id, 'test')).token;
});

for (const [name, { who }] of fenced) {
  for (const [how, token] of Object.entries(strangers)) {
    test(`${name} ${how} is 401`, async () => assert.is((await make(name, { token: token() })).status, 401));
  }
  if (name !== 'logout')
    test(`${name} is not for other roles`, async () =>
      assert.is((await make(name, { token: tokens['oli'] })).status, 403));
  if (who === 'super')
    test(`${name} is not for tenant admins`, async () =>
      assert.is((await make(name, { token: tokens['ann'] })).status, 403));
  if (who !== 'admin') continue;

  const { path } = calls[name];
  const shapes = schemasOf(name);
  const own = {
    ...(takes(shapes.query, 'tenant_id') && { query: { tenant_id: 3 } }),
    ...(takes(shapes.body, 'tenant_id') && { body: { tenant_id: 3 } }),
  };

  test(`${name} refuses a foreign tenant wherever its id stands`, async () => {
    const before = await acmeNow();
    const places: Sent[] = [
      { query: { tenant_id: 2 } },
      ...(shapes.body ? [{ body: { tenant_id: 2 } }, { body: { tenant_id: '2' } }] : []),
    ];
    for (const place of places) {
      const response = await make(name, { ...place, token: tokens['ben'] });
      assert.is(response.status, 403);
      assert.is((await response.clone().json()).detail, 'Tenant access violation');
      await refuseCanaries(response);
    }
    assert.is(await acmeNow(), before);
  });

  test(`${name} shows and changes nothing of another tenant [ASVS 8.2.2, 8.4.1]`, async () => {
    const before = await acmeNow();
    const response = await make(name, { ...own, token: tokens['ben'] });
    assert.ok(response.status < 500, `status ${response.status}`);
    const namesAnothersObject = /\{/.test(path) && !path.includes('/my-platforms/');
    if (namesAnothersObject)
      assert.is(response.status, 404, `${name}: another tenant's id in a path is 404: use tenantScope(caller)`);
    await refuseCanaries(response);
    assert.is(await acmeNow(), before);
  });

  if (/\{/.test(path)) {
    test(`${name} tells nobody whether another tenant's id exists`, async () => {
      const ask = (at: Sent['at']) => make(name, { ...own, at, token: tokens['ben'] });
      const [foreign, none] = await Promise.all([ask({ ids: acmeIds }), ask(unknown)]);
      if (!path.includes('/my-platforms/')) assert.is(foreign.status, none.status);
      assert.is(none.status, 404);
    });
  }
}

test('a search finds what is its own, so that the fences above can fail', async () => {
  const searches = ['listPlayers', 'exportPlayers', 'listPurchases', 'listRedeems', 'searchPlayers', 'search'] as const;
  for (const name of searches) {
    const text = await (await make(name, { token: tokens['ann'] })).text();
    assert.ok(canaries.filter((canary) => text.includes(canary)).length, name);
  }
});

const hold = (held: readonly Permission[]) =>
  sql`update admins set permissions = ${[...held]} where id = ${people.ann.id}`;
/** Every call that needs a permission. */
for (const [name, { needs }] of fenced.filter(([, { needs }]) => needs)) {
  test(`${name} refuses people with every permission but ${needs} [ASVS 8.2.1]`, async () => {
    await plantFor(name, true);
    await hold(permissions.filter((one) => one !== needs));
    const answer = await make(name, { token: await tokenOf('ann') });
    const before = await acmeNow();
    assert.is(answer.status, 403);
    const { detail, code } = await answer.json();
    assert.is(detail, `You need the permission ${permissionLabels[needs!]} for this`);
    assert.is(code, 'missing_permission');
    await make(name, { token: await tokenOf('ann') });
    assert.is(await acmeNow(), before);
  });
}
test('every call of admins that changes or exports something needs a permission [ASVS 8.1.1]', () => {
  const open = fenced.filter(
    ([, { who, needs, method, answer }]) => who === 'admin' && !needs && (method !== 'GET' || answer === 'csv'),
  );
  // What approvals and claims need depends on the row: approvals.test.ts and claims.test.ts try it. A shift takes one
  // permission of three: shifts.test.ts tries it. Looking is enough to keep views and to read notifications.
  const wanted =
    'claimRow releaseRow approveChange endApproval createSavedView deleteSavedView readNotifications openShift';
  assert.is(open.map(([name]) => name).join(' '), `${wanted} closeShift`);
});

/** Their ids are of the caller's own things, which are random. */
const ownIds: CallName[] = ['endSession', 'removePasskey'];
/** With what these send or give away, one permission is not enough. */
const needMore: CallName[] = [
  'createApiKey',
  'updateTeamMember',
  'createTeamMember',
  'inviteTeamMember',
  'saveIdentityProvider',
];
for (const [name, { who, needs }] of fenced) {
  const allowed: Person[] = who === 'super' ? ['sue'] : name === 'logout' ? ['sue', 'ann', 'oli'] : ['sue', 'ann'];
  for (const person of allowed) {
    const isAlone = person === 'ann' && needs !== undefined && !needMore.includes(name);
    test(`${name} lets ${person} in${isAlone ? ` with ${needs} alone` : ''}`, async () => {
      await plantFor(name);
      if (isAlone) await hold([needs]);
      const place = schemasOf(name).query && { query: { tenant_id: 2 } };
      const { status } = await make(name, { token: await tokenOf(person), ...place });
      assert.not.ok([401, 403].includes(status) || status >= 500, `status ${status}`);
      const isTheirs = person === (who === 'super' ? 'sue' : 'ann') && !ownIds.includes(name);
      const advice = `${calls[name].path} finds nothing: plant it in plantCanaries, with the id 1 or one of acmeIds`;
      assert.ok(!isTheirs || status !== 404, advice);
    });
  }
}

test('the checkout call takes the cookie and nothing else', async () => {
  await reset();
  const body = { platform_name: 'vblink', amount: '100' };
  const redeem = async (how: { token?: string; headers?: { Cookie: string } } = {}) =>
    (await send('POST', calls.submitRedeem.path, { body, ...how })).status;
  const list = async (how: { token?: string; headers?: { Cookie: string } }) =>
    (await send('GET', calls.listRedeems.path, how)).status;
  const cookie = (value: string) => ({ headers: { Cookie: `checkout=${value}` } });
  const { token, checkout } = await services.sessions.start(sql, people.oli.id, 'test');
  const tries = [{}, { token: await tokenOf('ann') }, cookie('made-up'), cookie(checkout), cookie(token)];
  for (const how of tries) assert.is(await redeem(how), 403, JSON.stringify(how));
  for (const how of [cookie(checkout), { token: checkout }]) assert.is(await list(how), 401, JSON.stringify(how));
});

test('a person whose tenant is no longer active is refused', async () => {
  await reset();
  const token = await tokenOf('ben');
  await sql`update tenants set is_active = false where id = 3`;
  assert.is((await send('GET', calls.listRedeems.path, { token })).status, 401);
});

test('what is open to anyone says nothing of tenants or people', async () => {
  await plantCanaries();
  assert.is((await guest.listPlatformNames()).length, 11);
  await refuseCanaries(await send('GET', calls.listPlatformNames.path));
  assert.ok(pat.id);
});

test.run();

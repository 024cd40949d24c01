/**
 * Walks the whole contract: every call refuses all callers it is not for, and shows nothing of another tenant.
 * A new call is covered the day it is added.
 */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type * as v from 'valibot';
import { createApi } from '../../src/app/api/createApi';
import { type CallName, type CallSpec, calls } from '../../src/contract/calls';
import { type Permission, permissionLabels, permissions } from '../../src/contract/permissions';
import { secretContext } from '../../src/server/auth/secrets';
import { type CallSchemas, schemas } from '../../src/server/schemas';
import {
  guest,
  newBrowser,
  type Person,
  pam,
  pat,
  people,
  reset,
  send,
  services,
  signIn,
  sql,
  tokenOf,
} from '../world';

const all = Object.entries(calls) as [CallName, CallSpec][];
/** Those that take a session. API keys have their own fences, in apiKeys.test.ts. */
const fenced = all.filter(([, { who }]) => who !== 'anyone' && who !== 'checkout' && who !== 'key');

/** Values that pass the shapes, by the name of their field. */
const samples: Record<string, unknown> = {
  email: 'someone@new.test',
  user_email: pam.email,
  password: 'long enough',
  username: 'login',
  name: 'Charlie',
  tenant_id: 2,
  role_id: 2,
  status: 'failed',
  platform_name: 'vblink',
  platform: 'vblink',
  payout_method: 'PayPal',
  payout_address: 'someone@pay.test',
  amount: '100',
  affiliate_id: 'AFF1',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  payment_platform: 'apex',
  limit: 100,
  page: 1,
  credit: '1',
  text: 'A note',
  tags: ['vip'],
  is_held: true,
  scopes: ['players:write'],
  rotate: false,
  q: 'canary',
  current_password: 'a guess',
  new_password: 'long enough',
  code: '123456',
  kind: 'players',
  header: 'email',
  rows: 'someone@new.test',
  first_line: 2,
  permissions: ['queue'],
  payouts_from: '500',
  edits_from: null,
  list: 'redeems',
  query: 'status=pending',
  is_shared: false,
  is_active: false,
  alarm: 'no_reason',
  month: '2025-01',
  is_muted: true,
  is_urgent: false,
  is_quiet: true,
  quiet_from: 22,
  quiet_to: 7,
  threshold: 5,
  target: 'someone@new.test',
};
/** Calls whose `kind` is another one. */
const kindOf: Partial<Record<CallName, string>> = {
  saveNotificationRule: 'large_redeem',
  muteNotificationRule: 'large_redeem',
  addNotificationChannel: 'email',
};
const names = (shape: v.GenericSchema | undefined): string[] =>
  shape && 'entries' in shape ? Object.keys(shape.entries as object) : [];
const getSample = (shape: v.GenericSchema | undefined, changes: object = {}): Record<string, unknown> => ({
  ...Object.fromEntries(
    names(shape)
      .filter((key) => key in samples)
      .map((key) => [key, samples[key]]),
  ),
  ...changes,
});

interface Ids {
  tenant: number;
  player: number;
  purchase: number;
  redeem: number;
  credential: number;
  platform: number | string;
  admin: number;
  key: number;
  approval: number;
  view: number;
}
const acme: Ids = {
  tenant: 2,
  player: pam.id,
  purchase: pam.purchase,
  redeem: pam.redeem,
  credential: 1,
  platform: 3,
  admin: people.ann.id,
  key: 1,
  approval: 1,
  view: 1,
};
const unknown: Ids = {
  tenant: 99,
  player: 99,
  purchase: 99,
  redeem: 99,
  credential: 99,
  platform: 99,
  admin: 99,
  key: 99,
  approval: 99,
  view: 99,
};

/** What kind of thing an id in a path names: the word before it says so. */
function pathWith(path: string, ids: Ids): string {
  return path
    .replace(/(\w[\w-]*)\/\{(\w+)\}/g, (_, word: string, key: string) => {
      const kinds: Record<string, number | string> = {
        tenants: ids.tenant,
        tenant: ids.tenant,
        'payment-methods': ids.tenant,
        platforms: ids.platform,
        'my-platforms': ids.platform,
        'admin-users': ids.admin,
        purchases: ids.purchase,
        redeems: ids.redeem,
        transactions: ids.redeem,
        users: ids.player,
        user: ids.player,
        'platform-credentials': ids.credential,
        sessions: 99,
        'api-keys': ids.key,
        team: ids.admin,
        approvals: ids.approval,
        'saved-views': ids.view,
        'notification-channels': ids.key,
        'notification-deliveries': ids.key,
      };
      const id = kinds[word];
      if (id === undefined) throw new Error(`say here what the id after '${word}' names (${key})`);
      return `${word}/${id}`;
    })
    .replace('{platform}', 'apex');
}

interface Sent {
  ids?: Ids;
  query?: object;
  body?: object;
  token?: string | undefined;
}
function make(name: CallName, { ids = acme, query, body, token }: Sent): Promise<Response> {
  const { method, path } = calls[name],
    shapes: CallSchemas = schemas[name];
  const search = new URLSearchParams(
    Object.entries({
      ...getSample(shapes.query),
      ...(names(shapes.query).includes('email') && { email: 'canary' }),
      ...query,
    }).map(([key, value]) => [key, String(value)]),
  );
  return send(method, `${pathWith(path, ids)}?${search}`, {
    token,
    ...(shapes.body && { body: getSample(shapes.body, { ...(kindOf[name] && { kind: kindOf[name] }), ...body }) }),
  });
}

/** What only Acme has: none of it may ever reach Bravo. */
const canaries = [
  pam.email,
  'Canary-first',
  'Canary-last',
  '555-0102000',
  'canary-login',
  'canary-referral',
  'canary-reference',
  'canary-address',
  'canary-note',
  'canary-tag',
  'canary-hold',
  'canary-key',
  'canary-delivery',
  'canary-view',
  'canary-bell',
  'canary-channel',
  people.ann.email,
  people.oli.email,
];
async function plantCanaries(): Promise<void> {
  await reset();
  await sql`update admins set permissions = ${[...permissions]}`; // missing ones have fences of their own, below
  await sql`
    update players set first_name = 'Canary-first', last_name = 'Canary-last', phone_number = '555-0102000',
      referral_id = 'canary-referral'
    where id = ${pam.id}`;
  await sql`
    update transactions set payment_reference = 'canary-reference', description = 'Canary-first'
    where id = ${pam.purchase}`;
  await sql`update redeems set payout_address = 'canary-address' where id = ${pam.redeem}`;
  await sql`
    insert into player_notes (tenant_id, player_id, admin_id, text)
    values (2, ${pam.id}, ${people.ann.id}, 'canary-note')`;
  await sql`insert into player_tags (tenant_id, player_id, tag) values (2, ${pam.id}, 'canary-tag')`;
  await sql`
    insert into payout_holds (tenant_id, player_id, admin_id, note)
    values (2, ${pam.id}, ${people.ann.id}, 'canary-hold')`;
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'vblink', 'canary-login', 'x')`;
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active, username, password_secret)
    values (2, 3, true, 'canary-login', 'x')`;
  await sql`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
    values (2, 'canary-key', 'gbk_x', 'x', '{players:write}', ${people.ann.id})`;
  await sql`
    insert into approvals (tenant_id, kind, player_id, change, first_admin_id)
    values (2, 'balances', ${pam.id}, '{"credit":"1","note":"canary-note"}', ${people.sue.id})`;
  await sql`
    insert into saved_views (tenant_id, admin_id, list, name, query, is_shared)
    values (2, ${people.ann.id}, 'redeems', 'canary-view', 'text=canary-view', true)`;
  const credentials = services.secrets.encrypt('{}', secretContext.paymentMethod(2, 'apex'));
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret)
    values (2, 'apex', ${credentials})`;
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome)
    values (2, 'apex', 'canary-delivery', 'payment.pending', 'attention')`;
  await sql`insert into notifications (tenant_id, kind, title) values (2, 'large_redeem', 'canary-bell')`;
  await sql`
    insert into notification_channels (tenant_id, kind, target, secret) values (2, 'email', 'canary-channel', 'x')`;
  await sql`
    insert into notification_deliveries (tenant_id, notification_id, channel_id, give_up_at)
    values (2, 1, 1, now() + interval '1 day')`;
}
async function refuseCanaries(response: Response): Promise<void> {
  const text = `${[...response.headers].join('\n')}\n${await response.text()}`;
  for (const canary of canaries) assert.not.ok(text.toLowerCase().includes(canary.toLowerCase()), `${canary} got out`);
}
/** Everything Acme has, as one value. */
async function acmeNow(): Promise<string> {
  const tables = [
    'players',
    'wallets',
    'transactions',
    'redeems',
    'transfers',
    'tenant_platforms',
    'player_credentials',
    'payment_methods',
    'admins',
    'player_notes',
    'player_tags',
    'payout_holds',
    'approvals',
    'saved_views',
    'imported',
    'api_keys',
    'webhook_deliveries',
    'notifications',
    'notification_rules',
    'notification_hours',
    'notification_channels',
    'notification_deliveries',
    'notification_reads',
  ];
  const rows = await Promise.all(
    tables.map(
      (table) => sql`select to_jsonb(t) - 'updated_at' as row from ${sql(table)} t where tenant_id = 2 order by 1`,
    ),
  );
  return JSON.stringify(rows);
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
  const shapes: CallSchemas = schemas[name];

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
    const own = {
      ...(shapes.query && names(shapes.query).includes('tenant_id') && { query: { tenant_id: 3 } }),
      body: { ...(names(shapes.body).includes('tenant_id') && { tenant_id: 3 }) },
    };
    const response = await make(name, { ...own, token: tokens['ben'] });
    assert.ok(response.status < 500, `status ${response.status}`);
    const namesAnothersObject = /\{/.test(path) && !path.includes('/my-platforms/');
    if (namesAnothersObject) assert.is(response.status, 404);
    await refuseCanaries(response);
    assert.is(await acmeNow(), before);
  });

  if (/\{/.test(path)) {
    test(`${name} tells nobody whether another tenant's id exists`, async () => {
      const own = { ...(names(shapes.query).includes('tenant_id') && { query: { tenant_id: 3 } }) };
      const [foreign, none] = await Promise.all(
        [acme, unknown].map((ids) => make(name, { ...own, ids, token: tokens['ben'] })),
      );
      if (!path.includes('/my-platforms/')) assert.is(foreign!.status, none!.status);
      assert.is(none!.status, 404);
    });
  }
}

/** Every call that needs a permission, and each permission alone. */
for (const [name, { needs }] of fenced.filter(([, { needs }]) => needs)) {
  const call = async (held: readonly Permission[]) => {
    await plantCanaries();
    await sql`update admins set permissions = ${[...held]} where id = ${people.ann.id}`;
    return make(name, { token: await tokenOf('ann') });
  };
  test(`${name} refuses people with every permission but ${needs} [ASVS 8.2.1]`, async () => {
    const answer = await call(permissions.filter((one) => one !== needs));
    const before = await acmeNow();
    assert.is(answer.status, 403);
    const { detail, code } = await answer.json();
    assert.equal(
      [detail, code],
      [`You need the permission ${permissionLabels[needs!]} for this`, 'missing_permission'],
    );
    await make(name, { token: await tokenOf('ann') });
    assert.is(await acmeNow(), before);
  });
  test(`${name} takes whoever has ${needs} alone`, async () => {
    const { status } = await call([needs!]);
    const needsMore = name === 'createApiKey' || name === 'updateTeamMember' || name === 'createTeamMember';
    assert.not.ok(!needsMore && [401, 403].includes(status), `status ${status}`);
  });
}
test('every call of admins that changes or exports something needs a permission [ASVS 8.1.1]', () => {
  const open = fenced.filter(
    ([, { who, needs, method, answer }]) => who === 'admin' && !needs && (method !== 'GET' || answer === 'csv'),
  );
  // What approvals need depends on what is approved, and views on whether they are shared; approvals.test.ts and
  // savedViews.test.ts try each. Whoever looks may ask for a check, and read what rang.
  assert.equal(
    open.map(([name]) => name),
    [
      'verifyBooks',
      'approveChange',
      'endApproval',
      'createSavedView',
      'updateSavedView',
      'deleteSavedView',
      'readNotifications',
    ],
  );
});

for (const [name, { who }] of fenced) {
  const allowed: Person[] = who === 'super' ? ['sue'] : name === 'logout' ? ['sue', 'ann', 'oli'] : ['sue', 'ann'];
  for (const person of allowed) {
    test(`${name} lets ${person} in`, async () => {
      await plantCanaries();
      const { status } = await make(name, {
        token: await tokenOf(person),
        ...(schemas[name] && 'query' in schemas[name] && { query: { tenant_id: 2 } }),
      });
      assert.not.ok([401, 403].includes(status) || status >= 500, `status ${status}`);
    });
  }
}

test('the checkout call takes the cookie and nothing else', async () => {
  await reset();
  const redeem = { platform_name: 'vblink', amount: '100' };
  assert.is((await send('POST', calls.submitRedeem.path, { body: redeem })).status, 403);
  assert.is((await send('POST', calls.submitRedeem.path, { body: redeem, token: await tokenOf('ann') })).status, 403);
  assert.is(
    (await send('POST', calls.submitRedeem.path, { body: redeem, headers: { Cookie: 'checkout=made-up' } })).status,
    403,
  );
  const { token, checkout } = await services.sessions.start(sql, people.oli.id, 'test');
  assert.is(
    (await send('POST', calls.submitRedeem.path, { body: redeem, headers: { Cookie: `checkout=${checkout}` } })).status,
    403,
  );
  assert.is((await send('GET', calls.listRedeems.path, { headers: { Cookie: `checkout=${checkout}` } })).status, 401);
  assert.is((await send('GET', calls.listRedeems.path, { token: checkout })).status, 401);
  assert.is(
    (await send('POST', calls.submitRedeem.path, { body: redeem, headers: { Cookie: `checkout=${token}` } })).status,
    403,
  );
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

/**
 * Nothing that was revoked has an effect afterwards. Every writing call of the contract is under way when its session,
 * key, account or permission is taken: once with its body held back, once just after it was let in. Then exports, and a
 * first decision by the API key of a disabled account.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../src/contract/calls';
import { permissions } from '../../src/contract/permissions';
import { createApp } from '../../src/server/app';
import { RateLimits } from '../../src/server/auth/rateLimits';
import { Sessions } from '../../src/server/auth/sessions';
import { listTables } from '../../src/server/backup/tables';
import { newKey, withKey } from '../integrations';
import { everyCall, schemasOf, takes } from '../server/everyCall';
import { make, plantCanaries } from '../server/planted';
import {
  as,
  asServer,
  countLockWaits,
  db,
  fetch,
  hashOfPassword,
  PASSWORD,
  pam,
  people,
  refused,
  type send,
  services,
  sql,
} from '../world';
import type { ProveOptions } from './random';

const writes = everyCall.filter(
  ([, { method, isRead, who }]) => method !== 'GET' && !isRead && who !== 'anyone',
) as readonly [CallName, CallSpec][];

interface Attacker {
  id: number;
  token: string;
  checkout: string;
}
const SIA = 'sia@platform.test';

/** What takes a right away, as people do it or, where no call does it, in the database. */
const revocations: Record<string, { isFor: (call: CallSpec) => boolean; take: (by: Attacker) => Promise<unknown> }> = {
  'account disabled': {
    isFor: ({ who }) => who !== 'key',
    take: async ({ id }) =>
      (await as('sue')).updateAdmin({
        id,
        body: { email: id === people.ann.id ? people.ann.email : SIA, is_active: false },
      }),
  },
  'permission taken': {
    isFor: ({ who, needs }) => who === 'admin' && needs !== undefined,
    take: ({ id }) => sql`update admins set permissions = '{}' where id = ${id}`,
  },
  logout: {
    isFor: ({ who }) => who !== 'key',
    take: ({ token }) =>
      fetch('/api/v1/auth/logout', { method: 'POST', headers: { Authorization: `Bearer ${token}` } }),
  },
  'own new password': {
    isFor: ({ who }) => who !== 'key',
    take: async ({ id }) => {
      const { token } = await services.sessions.start(sql, id, 'elsewhere');
      const answer = await fetch('/api/v1/auth/password', {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ current_password: PASSWORD, new_password: 'quite another long secret' }),
      });
      assert.is(answer.status, 200, await answer.text());
    },
  },
  'API key revoked': {
    isFor: ({ who }) => who === 'key',
    take: () => sql`update api_keys set revoked_at = now()`,
  },
  'tenant switched off': {
    isFor: ({ who }) => who !== 'super',
    take: () => sql`update tenants set is_active = false where id = 2`,
  },
};

const rowsOfTables = (await listTables(sql))
  .filter(({ name }) => name !== 'rate_limits' && name !== 'known_networks')
  .map(
    ({ name }) => `(select jsonb_agg(row order by row)::text from ${name} t,
      lateral (select to_jsonb(t) - '{is_used,last_seen_at,last_used_at}'::text[] as row) as seen)`,
  );
/** As a function of the database, which plans it once. */
const defineRows = () =>
  sql.unsafe(`
  create or replace function all_rows() returns text language plpgsql as $$
    begin return concat_ws(e'\n', ${rowsOfTables.join(', ')}); end $$`);
/** Every row of every table, without the times at which something was seen. One statement, as it is asked so often. */
async function everything(): Promise<string> {
  const [{ all = '' } = {}] = await sql<{ all: string }[]>`select all_rows() as all`;
  assert.ok(rowsOfTables.length > 40 && all.includes(pam.email), 'the rows are read');
  return all;
}

/** The same object, in which something happens after each of these calls. */
function thenHappens<Name extends string, T extends Record<Name, (...given: never[]) => Promise<unknown>>>(
  one: T,
  happen: () => Promise<void>,
  ...names: Name[]
): T {
  for (const name of names) {
    const call = one[name].bind(one) as (...given: unknown[]) => Promise<unknown>;
    const late = (...given: unknown[]) => call(...given).then((found) => happen().then(() => found));
    Object.assign(one, { [name]: late });
  }
  return one;
}
/** Moments at which `happen` runs while the call is under way. */
const moments: Record<string, (happen: () => Promise<void>) => typeof send> = {
  'the body held back': (happen) => sender((request) => fetchHeld(request, happen)),
  'let in already': (happen) =>
    sender(async (request) => {
      const late = {
        ...services,
        sessions: thenHappens(
          new Sessions({ idleMinutes: 30, hours: 12 }),
          happen,
          ...(['findCaller', 'findCheckoutCaller'] as const),
        ),
        rateLimits: thenHappens(new RateLimits(sql, services.secrets), happen, 'keyCall'),
      };
      const server = createApp({ db, services: late, log: pino({ level: 'silent' }), trustProxy: 0, corsOrigins: [] });
      return asServer(async () => server.fetch(new Request(request.url, request)));
    }),
};
interface Sendable extends RequestInit {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}
const sender =
  (run: (request: Sendable) => Promise<Response>): typeof send =>
  (method, url, { token, body = {}, headers } = {}) =>
    run({
      url: new URL(url, 'http://test').href,
      method,
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify(body),
    });
/** The server gets the head with the length of the body, and the body once it waits for it and something happened. */
function fetchHeld({ url, method, headers, body }: Sendable, happen: () => Promise<void>): Promise<Response> {
  const held = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await happen();
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const length = String(Buffer.byteLength(body));
  return fetch(url, {
    method,
    headers: { ...headers, 'Content-Length': length },
    body: held,
    duplex: 'half',
  } as object);
}

const confirmed: Partial<Record<CallName, object>> = {
  changePassword: { current_password: PASSWORD, new_password: 'a wholly new secret' },
  createApiKey: { password: PASSWORD },
  setUpTwoFactor: { password: PASSWORD },
  revealWebhookSecret: { password: PASSWORD },
  createTeamMember: { current_password: PASSWORD },
  updateTeamMember: { current_password: PASSWORD },
};

async function attack(name: CallName, call: CallSpec, by: Attacker, key: string, sent: typeof send): Promise<Response> {
  const through: typeof send = (method, url, raw) =>
    sent(method, url, {
      ...raw,
      ...(call.who === 'checkout' && { token: undefined, headers: { Cookie: `checkout=${by.checkout}` } }),
    });
  const shape = schemasOf(name).body;
  const own = Object.entries(confirmed[name] ?? {}).filter(([field]) => takes(shape, field));
  return make(name, { token: call.who === 'key' ? key : by.token, body: Object.fromEntries(own), by: through });
}

const keyTakes = () =>
  sql`update row_claims set admin_id = null, api_key_id = (select max(id) from api_keys where tenant_id = 2)`;
/** What some calls need besides, so that they are done when nothing is revoked. */
const ready: Partial<Record<CallName, () => Promise<unknown>>> = {
  changeReturnSettings: () => sql`update redeems set status = 'failed', completed_at = now() where tenant_id = 2`,
  dropClaim: keyTakes,
  pushStatus: keyTakes,
};

/** Acme with a key, and a second super admin. */
async function prepare(name?: CallName): Promise<string> {
  await plantCanaries();
  await sql`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, id, ${SIA}, ${hashOfPassword} from roles where name = 'super_admin'`;
  await sql`update redeems set payout_address = '$tag' where id = ${pam.redeem}`; // as its seal has it
  await sql`delete from payout_holds`;
  const { key } = await newKey();
  if (name) await ready[name]?.();
  return key;
}
async function attackerFor({ who }: CallSpec): Promise<Attacker> {
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from admins where email = ${SIA}`;
  const attacker = who === 'super' ? id : people.ann.id;
  return { id: attacker, ...(await services.sessions.start(sql, attacker, 'test')) };
}
const restore = () =>
  Promise.all([
    sql`
      update admins set is_active = true, permissions = ${[...permissions]}, password_hash = ${hashOfPassword}
      where email <> ${people.oli.email}`,
    sql`update api_keys set revoked_at = null`,
    sql`update tenants set is_active = true`,
    // So that `endSession` names the session it comes with; to truncate takes ten times as long.
    sql`with gone as (delete from sessions) select setval('sessions_id_seq', 1, false)`,
    sql`delete from rate_limits`,
  ]);

async function proveCalls(say: ProveOptions['say']): Promise<void> {
  const wouldWork: string[] = [],
    through: string[] = [];
  let count = 0;
  await defineRows();
  for (const [name, call] of writes) {
    let key = await prepare(name);
    for (const [what, { isFor, take }] of Object.entries(revocations))
      for (const [moment, hold] of Object.entries(moments)) {
        if (!isFor(call)) continue;
        await restore();
        const by = await attackerFor(call);
        let before: string | undefined;
        const taken = async () => {
          await take(by);
          before = await everything();
        };
        const { status } = await attack(name, call, by, key, hold(taken));
        assert.ok(before !== undefined, `${name}: nothing was revoked with ${moment}`);
        count++;
        const isSame = before === (await everything());
        if (isSame && status >= 400 && status < 500) continue;
        through.push(`${name}, ${what}, ${moment}: ${status}${isSame ? '' : ' with an effect'}`);
        key = await prepare(name);
      }
    // The same call in the same world, once nothing is revoked.
    await restore();
    const { status } = await attack(name, call, await attackerFor(call), key, sender(plainly));
    if (status < 300) wouldWork.push(name);
  }
  say(`${count} calls that were under way when something was revoked, ${through.length} of them had an effect`);
  say(`${wouldWork.length} of ${writes.length} writing calls are done when nothing is revoked`);
  say(`not done: ${writes.flatMap(([n]) => (wouldWork.includes(n) ? [] : n)).join(', ')}`);
  assert.equal(through, []);
  assert.ok(wouldWork.length > 0.75 * writes.length, 'most calls are right, so that their refusal says something');
}
const plainly = ({ url, ...init }: Sendable) => fetch(url, init);

/** A write that is under way is before the revocation, not after it. */
async function proveOrder(): Promise<void> {
  await prepare();
  const ann = await as('ann'),
    sue = await as('sue');
  const order: string[] = [];
  let settled: Promise<unknown> | undefined, disabled: Promise<unknown> | undefined;
  await db.tx(async (tx) => {
    await tx`select 1 from redeems where id = ${pam.redeem} for update`;
    settled = ann
      .changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } })
      .then(() => order.push('paid out'));
    while ((await countLockWaits()) < 1) await setTimeout(5);
    disabled = sue
      .updateAdmin({ id: people.ann.id, body: { email: people.ann.email, is_active: false } })
      .then(() => order.push('disabled'));
    await Promise.race([disabled, setTimeout(1_000)]);
  });
  await Promise.all([settled, disabled]);
  assert.equal(order, ['paid out', 'disabled']);
}

/** Somebody who never stops writing cannot keep their account. */
async function proveFlood(say: ProveOptions['say']): Promise<void> {
  await prepare();
  const ann = await as('ann'),
    sue = await as('sue');
  let count = 0;
  const flood = Array.from({ length: 8 }, async () => {
    for (; ; count++) {
      const status = await refused(ann.changePurchaseStatus({ id: 999_999, body: { status: 'success' } }));
      if (status !== 404) return status;
    }
  });
  while (count < 50) await setTimeout(5);
  const begun = performance.now();
  await sue.disableAdmin({ id: people.ann.id });
  const ms = performance.now() - begun;
  const ended = await Promise.all(flood);
  say(`disabled in ${ms.toFixed(0)} ms beside ${count} writes`);
  assert.equal(
    ended,
    ended.map(() => 401),
  );
  assert.ok(ms < 2_500, 'half of the time for which a lock is waited for');
}

/** A key that goes on working may not keep a decision of somebody who may decide nothing. */
async function proveFirst(): Promise<void> {
  const key = withKey(await prepare());
  await sql`update tenants set payout_approval_from = 100 where id = 2`;
  const sue = await as('sue');
  await sue.updateAdmin({
    id: people.ann.id,
    body: { email: people.ann.email, is_active: false, keep_api_keys: true },
  });
  assert.is(await refused(key.pushStatus({ id: pam.redeem, body: { status: 'success' } })), 409);
  assert.equal(await sql`select id from approvals where kind = 'redeem'`, []);
}

/** Acme with so many players that an export of them takes long. */
async function prepareMany(): Promise<void> {
  await prepare();
  for (
    let from = 1;
    from <= 8000;
    from += 500 // each in the time of a statement, on a busy machine too
  )
    await sql`
      insert into players (tenant_id, email, first_name)
      select 2, 'p' || n || '@many.test', repeat('n', 250)
      from generate_series(${from}::int, ${from + 499}::int) n`;
  await sql`analyze players`; // each wallet looks for its player
  await sql`insert into wallets (tenant_id, player_id) select tenant_id, id from players on conflict do nothing`;
}

async function proveExports(): Promise<void> {
  await prepareMany();
  for (const what of ['account disabled', 'permission taken', 'logout', 'own new password']) {
    await restore();
    const by = await attackerFor(calls.exportPlayers);
    const answer = await fetch(calls.exportPlayers.path, { headers: { Authorization: `Bearer ${by.token}` } });
    assert.is(answer.status, 200);
    const reader = answer.body!.getReader();
    await reader.read();
    await revocations[what]!.take(by);
    await setTimeout(1_100);
    let bytes = 0;
    const rest = async (): Promise<string> => {
      for (;;) {
        const part = await reader.read();
        if (part.done) return 'whole';
        bytes += part.value.length;
      }
    };
    assert.is(await rest().catch(() => 'ended'), 'ended', `an export after: ${what}`);
    assert.ok(bytes < 1_500_000, `${bytes} bytes came after: ${what}`);
  }
}

export async function prove({ say }: ProveOptions): Promise<void> {
  await proveOrder();
  await proveFlood(say);
  await proveFirst();
  await proveExports();
  await proveCalls(say);
}

/** Reads that a replica may answer: which they are, for whom, and that everything else stays at the primary. */
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { createApp } from '../../../src/server/app';
import { factsOf } from '../../../src/server/core/callFacts';
import { createRecentWriters, DATA_AGE_HEADER } from '../../../src/server/core/replicaReads';
import { openDatabase } from '../../../src/server/db/open';
import { openReplica, type Replica } from '../../../src/server/db/replica/replica';
import { db, pam, reset, services, sql, target, tokenOf, worldUrl } from '../../world';
import { eventually } from '../running';

const mayBeOld = new Set((Object.keys(calls) as CallName[]).filter((name) => factsOf(name).replica));

const standby = await openDatabase(target, { poolSize: 3, allowUnsafe: true });
test.after(() => standby.close());
test.before.each(reset);

/** A replica that is 1.2 s behind, or one that cannot be used. */
function pretend(isUsable = true) {
  const used: string[] = [];
  const replica: Replica = {
    poolSize: 3,
    async attempt(read) {
      if (!isUsable) return undefined;
      used.push('read');
      return { out: await read(standby), ageMs: 1200 };
    },
    figures: () => ({ isUsed: isUsable, lagMs: 1200, reads: { replica: used.length, primary: 0 } }),
    close: async () => {},
  };
  const log = pino({ level: 'silent' }),
    corsOrigins = ['https://app.example.test'];
  const app = createApp({ db, replica, services, log, trustProxy: 0, corsOrigins });
  const send = async (token: string, path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers };
    return app.fetch(new Request(new URL(path, 'http://test'), { ...init, headers }));
  };
  return { used, send };
}
const ageOf = (response: Response) => response.headers.get(DATA_AGE_HEADER);
const range = 'start_date=2026-01-01&end_date=2026-12-31&affiliate_id=AFF1';
const pathOf = (name: CallName) => `${calls[name].path.replace('{id}', '1')}?${name.includes('ffiliate') ? range : ''}`;

test('no call that decides about money, sessions or rights, or writes, goes to the replica', () => {
  assert.equal(
    [...mayBeOld].sort(),
    [
      ...['exportDeposits', 'exportPlayers', 'exportPurchases', 'exportRedeems', 'exportReturns'],
      ...['getAffiliateStats', 'getAffiliates', 'getAudit', 'getCharts', 'getDashboardMetrics', 'getOverview'],
      'listTenants',
    ],
    'think before you add one',
  );
  for (const name of mayBeOld) {
    const call: CallSpec = calls[name];
    assert.is(call.method, 'GET', name);
    assert.not.ok(call.isOnce || call.isSigned || call.scopes || factsOf(name).ownTransaction, name);
    assert.ok(['admin', 'super'].includes(call.who), `${name} needs a session`);
    assert.not.match(call.path, /auth|approval|session|books|password|intake/, name);
  }
});

test('these calls are answered by the replica and say how old, all others by the primary', async () => {
  const { send, used } = pretend(),
    token = await tokenOf('sue');
  for (const [name, call] of Object.entries(calls) as [CallName, CallSpec][]) {
    if (call.method !== 'GET' || call.who === 'key') continue;
    const before = used.length,
      response = await send(token, pathOf(name));
    await response.text();
    assert.is(ageOf(response), mayBeOld.has(name) ? '2' : null, `${name}: ${response.status}`);
    assert.is(used.length - before, mayBeOld.has(name) ? 1 : 0, name);
    if (mayBeOld.has(name)) assert.is(response.status, 200, name);
  }
});

test('an export from the replica is noted in the audit log of the primary', async () => {
  const { send } = pretend(),
    response = await send(await tokenOf('ann'), calls.exportPlayers.path);
  assert.match(await response.text(), /pam@mail\.test/);
  const rows = await sql`select from audit_log where call = 'exportPlayers'`;
  assert.is(rows.length, 1);
});

test('whoever has just written reads from the primary, others go on with the replica', async () => {
  const { send } = pretend(),
    [ann, sue] = [await tokenOf('ann'), await tokenOf('sue')];
  const age = async (token: string) => ageOf(await send(token, calls.getDashboardMetrics.path));
  assert.equal([await age(ann), await age(sue)], ['2', '2']);
  const edit = calls.adjustBalances.path.replace('{id}', String(pam.id));
  const edited = await send(ann, edit, { method: 'POST', body: JSON.stringify({ bonus: '1' }) });
  assert.is(edited.status, 200);
  assert.equal([await age(ann), await age(sue)], [null, '2']);
  const writers = createRecentWriters(20);
  writers.note({ admin_id: 2 });
  assert.equal([writers.has({ admin_id: 2 }), writers.has({ admin_id: 3 })], [true, false]);
  assert.ok(await eventually(() => !writers.has({ admin_id: 2 })));
});

test('a replica that cannot be used is not noticed, and nobody without a session reads from it', async () => {
  const { send } = pretend(false),
    response = await send(await tokenOf('ann'), calls.getCharts.path);
  assert.equal([response.status, ageOf(response)], [200, null]);
  const { send: sendTo, used } = pretend();
  for (const name of mayBeOld) assert.is((await sendTo('nobody', pathOf(name))).status, 401);
  assert.is((await sendTo(await tokenOf('ann'), pathOf('listTenants'))).status, 403);
  assert.is(used.length, 0);
});

test('an app elsewhere may read how old an answer is', async () => {
  const { send } = pretend(),
    headers = { Origin: 'https://app.example.test' },
    response = await send(await tokenOf('ann'), calls.getCharts.path, { headers });
  assert.match(response.headers.get('access-control-expose-headers') ?? '', new RegExp(DATA_AGE_HEADER));
});

/** What it logs, as words. */
function watched(url: string) {
  const said: string[] = [];
  const say = (about: object, words: string) => {
    const { err } = about as { err?: Error };
    said.push(err ? `${words} (${err.message})` : words);
  };
  return { said, replica: openReplica(db, url, { poolSize: 2, log: { info: say, warn: say }, lookMs: 20 }) };
}

test('a replica that is away, or is the primary itself, is never used, and that is logged once', async () => {
  for (const [url, why] of [
    ['postgres://nobody@127.0.0.1:1/nothing', /ECONNREFUSED/],
    [worldUrl(), /it is not a standby any more/],
  ] as const) {
    const { said, replica } = watched(url);
    assert.ok(await eventually(() => said.length > 0));
    assert.match(said[0]!, /^the replica is not used: all reads go to the primary/);
    assert.match(said[0]!, why);
    assert.is(await replica.attempt(async () => assert.unreachable('nothing is read there')), undefined);
    const { isUsed, reads } = replica.figures();
    assert.equal([isUsed, reads], [false, { replica: 0, primary: 1 }]);
    await replica.close();
    assert.is(said.length, 1);
  }
});

test.run();

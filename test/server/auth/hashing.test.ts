/** Crowds that make the server hash passwords: others are served first, and nothing is held meanwhile. */
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { hashPassword } from '../../../src/server/auth/passwords';
import { db, PASSWORD, people, reset, services, sql, tokenOf } from '../../world';

let logged = '';
const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) });
let server: ReturnType<typeof createApp>;
test.before.each(async () => {
  await reset();
  logged = '';
  server = createApp({ db, services, log, trustProxy: 1, corsOrigins: [] });
});

interface Sent {
  token?: string;
  address?: string;
  signal?: AbortSignal;
}
const send = async (method: string, path: string, body?: object, { token, address, signal }: Sent = {}) =>
  server.fetch(
    new Request(`http://test${path}`, {
      method,
      headers: {
        'X-Forwarded-For': address ?? '192.0.2.1',
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }),
  );
const guess = (n: number, sent: Sent = {}) =>
  send(
    'POST',
    calls.login.path,
    { email: `nobody${n}@x.test`, password: 'a guess' },
    { address: `203.0.${113 + (n >> 7)}.${n & 127}`, ...sent },
  );
const signInBen = () =>
  send('POST', calls.login.path, { email: people.ben.email, password: PASSWORD }, { address: '198.51.100.2' });
const dashboard = (token: string) => send('GET', calls.getDashboardMetrics.path, undefined, { token });

/** How many of a crowd had been answered when another call was. */
async function answeredBefore(crowd: Promise<Response>[], other: () => Promise<Response>): Promise<number> {
  let answered = 0;
  for (const each of crowd)
    void each.then(() => {
      answered++;
    });
  await Promise.race(crowd); // by now all of it waits
  assert.is((await other()).status, 200);
  const before = answered;
  await Promise.all(crowd);
  return before;
}

const CROWD = 40;
test('while somebody creates players, the dashboard of another tenant does not wait for them', async () => {
  const [token, ben] = [await tokenOf('ann'), await tokenOf('ben')];
  const crowd = Array.from({ length: CROWD }, (_, n) =>
    send('POST', calls.createPlayer.path, { email: `p${n}@x.test`, password: 'their own', tenant_id: 2 }, { token }),
  );
  const before = await answeredBefore(crowd, () => dashboard(ben));
  assert.ok(before < CROWD / 2, `${before} of ${CROWD} came first`);
  assert.ok((await Promise.all(crowd)).some(({ status }) => status === 200));
});

test('guesses from many addresses do not hold up a sign-in from a network that knows the account', async () => {
  await sql`update admins set password_hash = ${await hashPassword(PASSWORD)} where id = ${people.ben.id}`;
  assert.is((await signInBen()).status, 200);
  const crowd = Array.from({ length: 60 }, (_, n) => guess(n));
  const before = await answeredBefore(crowd, signInBen);
  assert.ok(before < 30, `${before} of 60 came first`);
});

test('what would wait more than two seconds is refused, says when to come back, and is no guess', async () => {
  const answers = await Promise.all(Array.from({ length: 400 }, async (_, n) => guess(n)));
  const busy = answers.filter(({ status }) => status === 503),
    wrong = answers.filter(({ status }) => status === 401);
  assert.is(busy.length + wrong.length, answers.length);
  assert.ok(busy.length > 50 && wrong.length > 5, `${busy.length} refused, ${wrong.length} checked`);
  assert.ok(Number(busy[0]!.headers.get('retry-after')) > 0);
  assert.is((await busy[0]!.json()).code, 'busy');
  assert.is((await sql`select 1 from audit_log`).length, wrong.length);
  assert.is((await sql`select 1 from rate_limits where key like 'address:%'`).length, wrong.length);
  assert.not.match(logged, /"level":50/, 'it is no error of ours');
});

test('a guess whose sender has gone is not checked', async () => {
  const leaving = new AbortController();
  const crowd = Array.from({ length: 30 }, (_, n) => guess(n, { signal: leaving.signal }));
  await Promise.race(crowd);
  leaving.abort();
  await Promise.allSettled(crowd);
  await guess(30); // is checked after what was before it
  const checked = (await sql`select 1 from audit_log`).length;
  assert.ok(checked < 10, `${checked} were checked for nobody`);
});

test.run();

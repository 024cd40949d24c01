/**
 * Nobody waits for another's load: 200 guesses in flight from 200 addresses, and 120 calls in flight of one tenant that
 * hash a password each; or 40 connections that send as many requests ahead as they may, or far more, with the session
 * of that tenant or an invented one. An admin of another tenant signs in and reads the dashboard meanwhile.
 */

import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import { newGate } from '../server/gate';
import { admin, withServer } from './marks';
import { count, inWords, type ProveOptions } from './random';

const GUESSES = 200,
  ADMINS = 15,
  CALLS_EACH = 8;
const SIGN_IN_MS = 2_000,
  DASHBOARD_MS = 500;
const [SIGN_INS, DASHBOARDS] = [20, 100];
/**
 * A sign-in takes less on two idle cores. Where it takes longer before the crowd comes, the limits are as much longer.
 */
const ALONE_MS = 40;
const { password } = admin;

export const prove = ({ say, rounds = 1 }: ProveOptions): Promise<void> =>
  withServer({ LOG_LEVEL: 'info', TRUST_PROXY: '1' }, async (server) => {
    const world = await prepare(server.url);
    await measure(world); // warms up
    const idle = await measure(world);
    const slowness = Math.max(1, median(idle.signIns) / ALONE_MS);
    say(`alone: ${describe(idle)}; limits ${SIGN_IN_MS} and ${DASHBOARD_MS} ms, times ${slowness.toFixed(1)}`);
    for (let round = 1; round <= rounds; round++) {
      for (const [what, hashing] of [
        ['player creations', createPlayers],
        ['password changes', changePasswords],
      ] as const) {
        const crowd = gather(world, hashing);
        await crowd.hasGathered;
        const times = await measure(world);
        const answers = await crowd.leave();
        say(
          `${GUESSES} guesses and ${ADMINS * CALLS_EACH} ${what} in flight: ${describe(times)}; ` +
            `${(median(times.dashboards) / median(idle.dashboards)).toFixed(1)} and ` +
            `${(median(times.signIns) / median(idle.signIns)).toFixed(1)} times as long as alone; crowd: ${answers}`,
        );
        refuseSlow(times, slowness);
      }
      const crowd = sendAhead(server.url, world);
      await crowd.hasGathered;
      const times = await measure(world);
      say(`${LINES} connections that send ahead: ${describe(times)}; crowd: ${crowd.leave()}`);
      refuseSlow(times, slowness);
    }
    assert.not.match(server.stdout(), /database unavailable|unexpected error/);
    assert.is(await server.end('SIGTERM'), 0);
  });

function refuseSlow(times: Times, slowness: number): void {
  assert.ok(Math.max(...times.signIns) <= SIGN_IN_MS * slowness, 'a sign-in took too long');
  assert.ok(at95(times.dashboards) <= DASHBOARD_MS * slowness, 'the dashboard took too long');
}

interface Client {
  address: string;
  token?: string;
}
interface Answer {
  status: number;
  body: string;
}
type Call = (client: Client, method: string, path: string, body?: object) => Promise<Answer>;
interface Admin extends Client {
  email: string;
  password: string;
}
type World = Awaited<ReturnType<typeof prepare>>;

function caller(url: string): Call {
  const agent = new Agent({ keepAlive: true });
  return ({ address, token }, method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body ? JSON.stringify(body) : '';
      const headers = {
        'X-Forwarded-For': address,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      };
      request(new URL(path, url), { method, agent, headers }, (response) => {
        let answer = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => void (answer += part))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body: answer }))
          .on('error', reject);
      })
        .on('error', reject)
        .end(text);
    });
}

async function prepare(url: string) {
  const call = caller(url);
  const made = async (client: Client, path: string, body: object) => {
    const answer = await call(client, 'POST', path, body);
    assert.is(answer.status, 200, `${path} ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const signedIn = async (email: string, address: string): Promise<Admin> => {
    const { access_token: token } = await made({ address }, calls.login.path, { email, password });
    return { email, password, address, token };
  };
  const sue = await signedIn(admin.email, '198.51.100.1');
  const addTenant = async (name: string, admins: string[]) => {
    const { id } = await made(sue, calls.createTenant.path, { name });
    for (const email of admins)
      await made(sue, calls.createAdmin.path, { email, password, tenant_id: id, role_id: await adminRole() });
    return Number(id);
  };
  const adminRole = async () =>
    JSON.parse((await call(sue, 'GET', calls.listRoles.path)).body).find(
      ({ name }: { name: string }) => name === 'admin',
    ).id;
  const emails = Array.from({ length: ADMINS }, (_, n) => `ann${n}@acme.test`);
  const id = await addTenant('Acme', emails);
  await addTenant('Bravo', ['ben@bravo.test']);
  const admins: Admin[] = [];
  for (const [n, email] of emails.entries()) admins.push(await signedIn(email, `192.0.2.${n + 1}`));
  const players: number[] = [];
  for (let n = 0; n < 20; n++) {
    const { id: player } = await made(sue, calls.createPlayer.path, { email: `p${n}@x.test`, password, tenant_id: id });
    players.push(Number(player));
  }
  return { call, ben: await signedIn('ben@bravo.test', '198.51.100.2'), acme: { id, admins, players } };
}

/** A call that hashes a password, of the given admin. */
type Hashing = (world: World, admin: Admin, n: number) => Promise<Answer>;
let made = 0;
const createPlayers: Hashing = ({ call, acme }, admin) =>
  call(admin, 'POST', calls.createPlayer.path, { email: `new${made++}@x.test`, password, tenant_id: acme.id });
/** Each admin changes their own password, and those of players at the same time. */
const changePasswords: Hashing = async ({ call, acme }, admin, n) => {
  if (n > 0) {
    const id = acme.players[made++ % acme.players.length];
    return call(admin, 'PUT', calls.updatePlayer.path.replace('{id}', String(id)), {
      email: `p${acme.players.indexOf(id ?? 0)}@x.test`,
      password,
    });
  }
  const wanted = `quite unlikely ${made++} words`;
  const body = { current_password: admin.password, new_password: wanted };
  const answer = await call(admin, 'PUT', calls.changePassword.path, body);
  if (answer.status === 200) {
    admin.password = wanted;
    admin.token = JSON.parse(answer.body).access_token;
  }
  return answer;
};

/** Everybody sends the next request when the last one is answered, at once. */
function gather(world: World, hashing: Hashing) {
  const counts: Record<string, number> = {};
  let isOver = false,
    missing = GUESSES + ADMINS * CALLS_EACH;
  const gathered = newGate();
  const repeat = async (what: string, send: () => Promise<Answer>) => {
    for (let times = 0; !isOver; times++) {
      const { status } = await send();
      if (times === 0 && --missing === 0) gathered.open();
      count(counts, `${what} ${status}:`);
    }
  };
  const guess = (n: number) => () =>
    world.call({ address: `203.0.${113 + (n >> 7)}.${n & 127}` }, 'POST', calls.login.path, {
      email: `nobody${made++}@x.test`,
      password: 'a guess',
    });
  const crowd = Promise.all([
    ...Array.from({ length: GUESSES }, (_, n) => repeat('guess', guess(n))),
    ...world.acme.admins.flatMap((admin) =>
      Array.from({ length: CALLS_EACH }, (_, n) => repeat('call', () => hashing(world, admin, n))),
    ),
  ]);
  crowd.catch(() => {}); // told by leave
  return {
    /** Everybody has had an answer. */
    hasGathered: gathered.opened,
    async leave() {
      isOver = true;
      await crowd;
      return inWords(counts);
    },
  };
}

/** How many connections send requests ahead, when they come back, and how many they send; eight may wait behind one. */
const LINES = 40,
  BACK_MS = 500,
  AHEAD = [9, 2_000];
/** Each sends as many again when it was answered, and comes back when it was cut off. */
function sendAhead(url: string, { acme }: World) {
  const sockets = new Set<Socket>();
  let isOver = false,
    answers = 0,
    cuts = 0;
  const gathered = newGate();
  const open = (n: number): void => {
    if (isOver) return;
    const times = AHEAD[n % AHEAD.length] ?? 1,
      token = n % 4 < 2 ? 'x'.repeat(43) : acme.admins[n % ADMINS]?.token;
    const sent = [
      `GET ${n % 3 ? calls.getAccount.path : calls.listPlayers.path} HTTP/1.1`,
      'Host: x',
      `X-Forwarded-For: 203.0.115.${n % 10}`,
      `Authorization: Bearer ${token}`,
    ];
    const requests = `${sent.join('\r\n')}\r\n\r\n`.repeat(times);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answered = 0;
    socket
      .setEncoding('latin1')
      .on('data', (text: string) => {
        const more = text.split('HTTP/1.1 ').length - 1;
        answers += more;
        answered += more;
        if (answered < times) return;
        answered = 0;
        socket.write(requests);
      })
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        cuts++;
        globalThis.setTimeout(open, BACK_MS, n);
        if (answers > LINES && cuts > LINES) gathered.open();
      });
    socket.write(requests);
    sockets.add(socket);
  };
  for (let n = 0; n < LINES; n++) open(n);
  return {
    /** Everybody has been answered or cut off. */
    hasGathered: gathered.opened,
    leave() {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      return `${answers} answers, cut off ${cuts} times`;
    },
  };
}

type Times = Awaited<ReturnType<typeof measure>>;
async function measure({ call, ben }: World) {
  const timed = async (times: number, pause: number, send: () => Promise<Answer>) => {
    const taken: number[] = [];
    while (taken.length < times) {
      const started = performance.now();
      const { status, body } = await send();
      taken.push(performance.now() - started);
      assert.is(status, 200, body);
      await setTimeout(pause);
    }
    return taken;
  };
  const { email, password: own } = ben;
  const [signIns, dashboards] = await Promise.all([
    timed(SIGN_INS, 100, () => call({ address: ben.address }, 'POST', calls.login.path, { email, password: own })),
    timed(DASHBOARDS, 20, () => call(ben, 'GET', calls.getDashboardMetrics.path)),
  ]);
  return { signIns, dashboards };
}

const ordered = (times: number[]) => [...times].sort((a, b) => a - b);
const at = (times: number[], share: number) => ordered(times)[Math.ceil(times.length * share) - 1] ?? NaN;
const at95 = (times: number[]) => at(times, 0.95);
const median = (times: number[]) => at(times, 0.5);
const describe = ({ signIns, dashboards }: Times) =>
  `dashboard ${Math.round(median(dashboards))} ms, ${Math.round(at95(dashboards))} ms at 95 of 100; ` +
  `sign-in ${Math.round(median(signIns))} ms, ${Math.round(Math.max(...signIns))} ms at most`;

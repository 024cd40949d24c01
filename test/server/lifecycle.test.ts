import { once } from 'node:events';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import { readPostmaster } from '../../src/server/db/embedded/postgresProcess';
import {
  databaseProcesses,
  descendants,
  eventually,
  findServer,
  firstAdmin,
  killTree,
  newFolder,
  type Running,
  run,
  serverBundle,
  signIn,
} from './running';

const folder = newFolder('lifecycle');
const dataDir = join(folder, 'data');
let admin = { email: '', password: '' };
test.before(async () => {
  await serverBundle();
});
test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const socketFolder = () => readPostmaster(join(dataDir, 'postgres'))?.socketFolder ?? '';
const isReady = async ({ url }: Running) => (await fetch(`${url}readyz`)).status === 200;

/** It started, and what the first start made is there. */
async function assertWorks(server: Running): Promise<void> {
  assert.is.not(server.url, '', server.stderr());
  assert.is(await signIn(server.url, admin.email, admin.password), 200);
}

test('--help prints the settings and starts nothing', async () => {
  const help = await run({ args: ['--help'], dataDir: join(folder, 'none') });
  assert.is(await help.ended, 0);
  assert.match(help.stdout(), /BUSINESS_TIMEZONE/);
  assert.not.ok(existsSync(join(folder, 'none')));
});

test('a wrong setting is one line on standard error and exit code 1', async () => {
  const wrong = await run({ dataDir: join(folder, 'none'), env: { PORT: 'eighty' } });
  assert.is(await wrong.ended, 1);
  assert.is(wrong.stderr(), 'PORT must be a whole number from 0 to 65535.\n');
  assert.is(wrong.stdout(), '');
  assert.not.ok(existsSync(join(folder, 'none')));
});

test('the first start creates the first super admin and shows the password [ASVS 6.4.1]', async () => {
  const server = await run({ dataDir });
  assert.is.not(server.url, '', server.stderr());
  admin = firstAdmin(server);
  assert.ok(admin.password.length >= 20);
  await assertWorks(server);
  assert.is(await signIn(server.url, admin.email, 'not the password'), 401);
  assert.ok(await isReady(server));
  assert.is(await server.end('SIGTERM'), 0);
});

test('only its owner can read the key file [ASVS 13.3.2]', () => {
  assert.is(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
});

test('a second start keeps the data, shows no password, and is refused to others while it lives', async () => {
  const server = await run({ dataDir });
  assert.is(firstAdmin(server).password, '');
  const second = await run({ dataDir });
  assert.is(await second.ended, 1);
  const taken = `^Another server \\(process ${server.pid}\\) is already using the folder .*\\n$`;
  assert.match(second.stderr(), new RegExp(taken));
  await assertWorks(server);

  const port = await run({ dataDir: join(folder, 'other'), env: { PORT: new URL(server.url).port } });
  assert.is(await port.ended, 1);
  assert.match(port.stderr(), /^Port \d+ of 127\.0\.0\.1 is already in use; set PORT to another\.\n$/);
  assert.equal(databaseProcesses(join(folder, 'other')), []);

  const sockets = socketFolder();
  assert.ok(existsSync(sockets));
  assert.is(await server.end('SIGINT'), 0);
  assert.equal(databaseProcesses(dataDir), [], 'Ctrl-C leaves no database behind');
  assert.not.ok(existsSync(sockets), 'nor its socket');
  assert.not.ok(existsSync(join(dataDir, 'server.lock')));
});

test('whoever is signed in stays so over a restart, also over one at once after kill -9', async () => {
  const body = JSON.stringify({ email: admin.email, password: admin.password });
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  let token = '';
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    const server = await run({ dataDir });
    if (!token) token = (await (await fetch(new URL(calls.login.path, server.url), post)).json()).access_token;
    const headers = { Authorization: `Bearer ${token}` };
    assert.is((await fetch(new URL(calls.listSessions.path, server.url), { headers })).status, 200, signal);
    await server.end(signal);
    assert.not.match(server.stdout(), /"level":[56]0/, 'the database does not complain of its end');
  }
});

test('a real database is not started as a demo [ASVS 6.3.2]', async () => {
  const server = await run({ dataDir, args: ['--demo'] });
  assert.is(await server.ended, 1);
  assert.match(server.stderr(), /^The database contains real data\. Start without --demo.*\n$/);
});

test('a key that does not fit the data is refused at the start, and so is a missing key file', async () => {
  const other = await run({ dataDir, env: { SECRET_KEY: Buffer.alloc(32, 1).toString('base64') } });
  assert.is(await other.ended, 1);
  assert.match(other.stderr(), /is not the key that this database was created with/);
  renameSync(join(dataDir, 'secret.key'), join(dataDir, 'aside'));
  const without = await run({ dataDir });
  renameSync(join(dataDir, 'aside'), join(dataDir, 'secret.key'));
  assert.is(await without.ended, 1);
  assert.match(without.stderr(), /^The key file .* is missing; put it back from a backup, or set SECRET_KEY\.\n$/);
});

/** The server that the tests below hand on: each begins with the start that the one before it made necessary. */
let server: Running;
const startAgain = async (): Promise<void> => assertWorks((server = await run({ dataDir })));

test('after kill -9 of the server alone its database stops by itself, and the next start works', async () => {
  await startAgain();
  const sockets = socketFolder();
  assert.is(await server.end('SIGKILL'), 'SIGKILL');
  assert.ok(await eventually(() => databaseProcesses(dataDir).length === 0), 'the database is still running');
  assert.ok(await eventually(() => !existsSync(sockets)), 'its socket is still there');
  await startAgain();
});

test('a database that was left running is stopped and its folder used', async () => {
  const guard = descendants(server.pid).find(({ command }) => command.includes('kill -INT'));
  assert.ok(guard, 'there is a guard to kill first');
  process.kill(guard.pid, 'SIGKILL');
  const sockets = socketFolder();
  await server.end('SIGKILL');
  const [left] = databaseProcesses(dataDir);
  assert.ok(left, 'the database lives on');
  await startAgain();
  assert.not.ok(databaseProcesses(dataDir).includes(left));
  assert.not.ok(existsSync(sockets), 'the old socket is cleared away');
});

test('after kill -9 of the whole tree the next start works', async () => {
  killTree(server.pid);
  await server.ended;
  await startAgain();
});

test('a database killed under the running server comes back without a restart', async () => {
  const [database] = descendants(server.pid).filter(({ command }) => command.includes('postgres'));
  assert.ok(database);
  process.kill(database.pid, 'SIGKILL');
  const statuses = new Set<number>();
  const isBack = async () => {
    const { status } = await fetch(`${server.url}readyz`);
    statuses.add(status);
    return statuses.has(503) && status === 200;
  };
  assert.ok(await eventually(isBack), `readyz answered ${[...statuses].join()}`);
  assert.equal([...statuses].sort(), [200, 503]);
  await assertWorks(server);
});

const takesNone = async ({ url }: Running) => !(await fetch(url).catch(() => undefined));
/** A request of which the server has the head and half the body. */
async function halfRequest(url: string): Promise<{ finish(): void; answer: Promise<string> }> {
  const body = JSON.stringify({ email: admin.email, password: admin.password });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  const answer = new Promise<string>((resolve) =>
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => void (text += part))
      .on('close', () => resolve(text))
      .on('error', () => resolve(text)),
  );
  socket.write(
    'POST /api/v1/auth/login/json HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${body.slice(0, 10)}`,
  );
  assert.ok(await eventually(() => text.startsWith('HTTP/1.1 100 ')), 'the server has the head');
  return { finish: () => socket.write(body.slice(10)), answer };
}

test('a stop lets the request under way end, takes no new ones, and waits for no idle connection', async () => {
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
  await once(idle, 'connect');
  const request = await halfRequest(server.url);
  const asked = Date.now();
  const ended = server.end('SIGTERM');
  assert.ok(await eventually(() => takesNone(server)));
  request.finish();
  assert.match(await request.answer, /^HTTP\/1\.1 200 /m);
  assert.is(await ended, 0);
  assert.ok(Date.now() - asked < 15_000, 'not the time that requests under way are given');
  idle.destroy();
});

test('Ctrl-C in the middle of a first start leaves no database behind, and the next start works', async () => {
  const early = join(folder, 'early');
  const starting = run({ dataDir: early });
  assert.ok(await eventually(() => existsSync(join(early, 'postgres'))));
  process.kill(findServer(early), 'SIGINT');
  assert.is(await (await starting).ended, 0);
  assert.ok(await eventually(() => databaseProcesses(early).length === 0));
  const next = await run({ dataDir: early });
  assert.ok(await isReady(next));
  assert.is(await next.end('SIGTERM'), 0);
});

test('a second Ctrl-C ends the server at once, and its database after it', async () => {
  const server = await run({ dataDir });
  await halfRequest(server.url);
  server.child.kill('SIGINT');
  assert.ok(await eventually(() => takesNone(server)));
  assert.is(await server.end('SIGINT'), 130);
  assert.ok(await eventually(() => databaseProcesses(dataDir).length === 0));
});

test('a sample world killed halfway is written again, signs people in, and is never taken for real data', async () => {
  const demoDir = join(folder, 'demo');
  const killed = run({ dataDir: demoDir, args: ['--demo'] });
  assert.ok(await eventually(() => existsSync(join(demoDir, 'secret.key')), 30));
  const writes = () => descendants(findServer(demoDir)).some(({ command }) => / INSERT\b/.test(command));
  assert.ok(await eventually(writes, 30), 'it has begun to write');
  const finished = await Promise.race([killed, Promise.resolve()]);
  process.kill(findServer(demoDir), 'SIGKILL');
  assert.is(finished, undefined, 'the kill came before the end');
  await killed;

  const server = await run({ dataDir: demoDir, args: ['--demo'] });
  assert.is.not(server.url, '', server.stderr());
  assert.match(server.stdout(), /super@demo\.test/);
  for (const email of ['super@demo.test', 'ann@acme.test', 'ben@bravo.test'])
    assert.is(await signIn(server.url, email, 'demo-password'), 200, email);
  assert.is(await server.end('SIGTERM'), 0);
  const real = await run({ dataDir: demoDir });
  assert.is(await real.ended, 1);
  assert.match(real.stderr(), /^The database contains sample data/);
});

test.run();

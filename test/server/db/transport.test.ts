/** The way to a database on another machine: here a real PostgreSQL that is reached by the name of this machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTransport } from '../../../src/server/db/address';
import { eventually, newFolder, nobody, run, serverBundle } from '../running';

const url = (host: string, query = '') => `postgres://owner:secret@${host}:5432/name${query}`;

test('only what stays on this machine, or is encrypted to a checked certificate, is not warned of', () => {
  const fine = [
    url('localhost'),
    url('127.0.0.1'),
    url('127.3.2.1', '?sslmode=disable'),
    url('[::1]'),
    'postgres:///name',
    'postgres://owner@%2Fvar%2Frun%2Fpostgresql/name',
    url('db.internal', '?sslmode=verify-full'),
    url('db.internal', '?sslmode=verify-ca'),
    url('db.internal', '?sslrootcert=system'),
  ];
  for (const each of fine) assert.is(describeTransport(each, { env: {} }), undefined, each);
  const plain = [
    url('db.internal'),
    url('10.0.0.5'),
    url('127.0.0.1.evil.test'),
    url('localhost.evil.test'),
    url('[::ffff:10.0.0.5]'),
    url('db.internal', '?sslmode=disable'),
    url('db.internal', '?ssl=false'),
    url('db.internal', '?sslmode=&ssl='),
    'postgres://owner@localhost,db.internal/name',
    'postgres://owner@localhost:5432,db.internal:5433/name',
  ];
  for (const each of plain) assert.match(describeTransport(each, { env: {} }) ?? '', /without TLS.*plain text/, each);
  for (const mode of ['require', 'allow', 'prefer'])
    assert.match(describeTransport(url('db.internal', `?sslmode=${mode}`), { env: {} }) ?? '', /any certificate/, mode);
  assert.match(describeTransport('postgres:///name', { env: { PGHOST: 'db.internal' } }) ?? '', /without TLS/);
  const checked = url('db.internal', '?sslmode=verify-full');
  assert.match(describeTransport(checked, { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }) ?? '', /any certificate/);
  assert.not.match(describeTransport(url('db.internal'), { env: {} }) ?? '', /secret/);
});

const installed = '/usr/lib/postgresql';
const version = existsSync(installed)
  ? readdirSync(installed).filter((name) => existsSync(join(installed, name, 'bin/postgres')))[0]
  : undefined;
/** A name of this machine that could as well be that of another. A certificate is checked for a name, not an address. */
const host = hostname();
const address = await lookup(host, 4).then(
  (found) => found.address,
  () => undefined,
);

if (version === undefined || address === undefined) {
  test.skip('the way to a PostgreSQL on a network address (none is installed, or this machine has no name)', () => {});
} else {
  const programs = join(installed, version, 'bin');
  const folder = newFolder('transport'),
    data = join(folder, 'data');
  const SECRET_KEY = Buffer.alloc(32, 9).toString('base64');
  const options = { ...nobody, cwd: '/' };
  let port = 0;
  let database: ChildProcess | undefined;
  const at = (query = '') => `postgres://owner:password@${host}:${port}/postgres${query}`;

  /** A certificate of an authority of our own, for the name. */
  function makeCertificate(): void {
    const openssl = (...args: string[]) => {
      const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
      assert.is(status, 0, stderr);
    };
    const key = ['-newkey', 'rsa:2048', '-nodes'];
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=authority');
    openssl('req', ...key, '-keyout', 'data/server.key', '-out', 'server.csr', '-subj', '/CN=database');
    writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}`);
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
    openssl('x509', '-req', '-in', 'server.csr', ...authority, '-out', 'data/server.crt');
  }

  test.before(async () => {
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(folder, 'password'), 'password');
    const own = (path: string) => {
      if (nobody.uid !== undefined && nobody.gid !== undefined) chownSync(path, nobody.uid, nobody.gid);
    };
    for (const each of [folder, data, join(folder, 'password')]) own(each);
    const access = ['--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`];
    const made = spawnSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'owner', ...access, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
      { ...options, encoding: 'utf8' },
    );
    assert.is(made.status, 0, made.stderr);
    makeCertificate();
    for (const name of ['server.key', 'server.crt']) own(join(data, name));
    writeFileSync(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
    port = await freePort();
    const settings = [`listen_addresses=${address}`, 'unix_socket_directories=', 'ssl=on'];
    database = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])],
      { ...options, stdio: 'ignore' },
    );
    const isUp = () => spawnSync(join(programs, 'pg_isready'), ['-h', address, '-p', String(port)]).status === 0;
    assert.ok(await eventually(isUp), 'PostgreSQL started');
    await serverBundle();
  });
  test.after(async () => {
    const ended = new Promise((resolve) => database?.on('exit', resolve));
    database?.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const warned = (stdout: string): string[] =>
    stdout
      .split('\n')
      .filter((line) => line.includes('leads to another machine'))
      .map((line) => JSON.parse(line).msg);

  test('a start says in one line that the way to the database is open, or open to somebody in between', async () => {
    for (const [query, words] of [
      ['', /without TLS/],
      ['?sslmode=disable', /without TLS/],
      ['?sslmode=require', /any certificate is accepted/],
    ] as const) {
      const server = await run({ env: { DATABASE_URL: at(query), SECRET_KEY } });
      assert.is.not(server.url, '', server.stderr());
      assert.is(warned(server.stdout()).length, 1, server.stdout());
      assert.match(warned(server.stdout())[0] ?? '', words);
      assert.not.match(server.stdout() + server.stderr(), /:password@/);
      assert.is(await server.end('SIGTERM'), 0);
    }
  });

  test('a command says it too', async () => {
    const { stderr } = spawnSync(process.execPath, [await serverBundle(), 'backup', join(folder, 'backup')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: at(), SECRET_KEY },
    });
    assert.match(stderr, /^Warning: DATABASE_URL leads to another machine \(.*\) without TLS: .*verify-full\.\n$/);
  });

  test('with verify-full it starts, and refuses a certificate of an unknown authority [ASVS 12.3.2]', async () => {
    const env = { DATABASE_URL: at('?sslmode=verify-full'), SECRET_KEY };
    const refused = await run({ env });
    assert.is(await refused.ended, 1);
    assert.match(refused.stderr(), /^The database of DATABASE_URL cannot be used: .*certificate.*\n$/);
    const server = await run({ env: { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt') } });
    assert.is.not(server.url, '', server.stderr());
    assert.equal(warned(server.stdout()), []);
    assert.is(await server.end('SIGTERM'), 0);
  });
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const bound = probe.address();
      probe.close(() => resolve(bound !== null && typeof bound === 'object' ? bound.port : 0));
    });
  });

test.run();

/** The way to a database on another machine: here a real PostgreSQL that is reached by the name of this machine. */
import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTransport } from '../../../src/server/db/address';
import { run, serverBundle } from '../running';
import { give, InstalledPostgres, isInstalled } from './installedPostgres';

const url = (host: string, query = '') => `postgres://owner:secret@${host}:5432/name${query}`;

test('only what stays on this machine, or is encrypted to a checked certificate, is not warned of', () => {
  const fine = [
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => url(host)),
    ...['?sslmode=verify-full', '?sslmode=verify-ca', '?sslrootcert=system'].map((query) => url('db.internal', query)),
    ...[url('127.3.2.1', '?sslmode=disable'), 'postgres:///name', 'postgres://owner@%2Fvar%2Frun%2Fpostgresql/name'],
  ];
  for (const each of fine) assert.is(describeTransport(each, { env: {} }), undefined, each);
  const plain = [
    ...['db.internal', '10.0.0.5', '127.0.0.1.evil.test', 'localhost.evil.test'].map((host) => url(host)),
    ...['?sslmode=disable', '?ssl=false', '?sslmode=&ssl='].map((query) => url('db.internal', query)),
    url('[::ffff:10.0.0.5]'),
    ...['postgres://owner@localhost,db.internal/name', 'postgres://owner@localhost:5432,db.internal:5433/name'],
  ];
  for (const each of plain) assert.match(describeTransport(each, { env: {} }) ?? '', /without TLS.*plain text/, each);
  for (const mode of ['require', 'allow', 'prefer'])
    assert.match(describeTransport(url('db.internal', `?sslmode=${mode}`), { env: {} }) ?? '', /any certificate/, mode);
  assert.match(describeTransport('postgres:///name', { env: { PGHOST: 'db.internal' } }) ?? '', /without TLS/);
  const checked = url('db.internal', '?sslmode=verify-full');
  assert.match(describeTransport(checked, { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }) ?? '', /any certificate/);
  assert.not.match(describeTransport(url('db.internal'), { env: {} }) ?? '', /secret/);
});

/** A name of this machine that could as well be that of another. A certificate is checked for a name, not an address. */
const host = hostname();
const address = (await lookup(host, 4).catch(() => undefined))?.address;

if (!isInstalled || address === undefined) {
  test.skip('the way to a PostgreSQL on a network address (none is installed, or this machine has no name)', () => {});
} else {
  const postgres = new InstalledPostgres(),
    { folder, data } = postgres;
  const SECRET_KEY = Buffer.alloc(32, 9).toString('base64');
  const at = (query = '') => `postgres://owner:password@${host}:${postgres.port}/postgres${query}`;

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
    await postgres.initialize('password');
    makeCertificate();
    for (const name of ['server.key', 'server.crt']) give(join(data, name));
    writeFileSync(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
    await postgres.start(address, 'ssl=on');
    await serverBundle();
  });
  test.after(() => postgres.remove());

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
    const env = { PATH: process.env['PATH'], DATABASE_URL: at(), SECRET_KEY };
    const words = [await serverBundle(), 'backup', join(folder, 'backup')];
    const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
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

test.run();

/** The server in front of a PostgreSQL that somebody else runs: here a real one, started on a port of its own. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, eventually, firstAdmin, run, serverBundle, signIn } from '../running';
import { InstalledPostgres, installed, isInstalled } from './installedPostgres';

if (!isInstalled) {
  test.skip(`the server in front of an installed PostgreSQL (none in ${installed})`, () => {});
} else {
  const postgres = new InstalledPostgres();
  const password = 'p@ss/word'; // as a URL wants it escaped
  const url = () => `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/postgres`;
  const SECRET_KEY = Buffer.alloc(32, 9).toString('base64');

  test.before(async () => {
    await postgres.initialize(password);
    await serverBundle();
  });
  test.after(() => postgres.remove());

  test('a database that is not there is one line without its password, and exit code 1', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const server = await run({ env: { DATABASE_URL: url().replace('127.0.0.1', host), SECRET_KEY } });
      assert.is(await server.ended, 1);
      assert.match(server.stderr(), /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED.*\n$/);
      assert.not.match(server.stderr() + server.stdout(), /word/);
    }
  });

  test('a database that can lose what it acknowledged is refused, unless that is asked for', async () => {
    await postgres.start('127.0.0.1', 'fsync=off', 'full_page_writes=off');
    const refused = await run({ env: { DATABASE_URL: url(), SECRET_KEY } });
    assert.is(await refused.ended, 1);
    const words = /^The database runs with fsync and full_page_writes off .* set ALLOW_UNSAFE_DATABASE=true\.\n$/;
    assert.match(refused.stderr(), words);
    const first = { ADMIN_EMAIL: 'first@admin.test', ADMIN_PASSWORD: 'chosen by hand' };
    const allowed = await run({ env: { DATABASE_URL: url(), SECRET_KEY, ALLOW_UNSAFE_DATABASE: 'true', ...first } });
    assert.is.not(allowed.url, '', allowed.stderr());
    assert.is(await allowed.end('SIGTERM'), 0);
    await postgres.stop();
  });

  test('the server works on it, keeps its data there, and outlives a restart of it', async () => {
    await postgres.start('127.0.0.1');
    const server = await run({ env: { DATABASE_URL: url(), SECRET_KEY } });
    assert.is.not(server.url, '', server.stderr());
    assert.is(firstAdmin(server).email, '', 'the first super admin is made once');
    assert.is(await signIn(server.url, 'first@admin.test', 'chosen by hand'), 200);
    await postgres.stop();
    assert.is((await fetch(`${server.url}readyz`)).status, 503);
    assert.is((await fetch(`${server.url}healthz`)).status, 200);
    assert.is(await signIn(server.url, 'first@admin.test', 'chosen by hand'), 503);
    await postgres.start('127.0.0.1');
    assert.ok(await eventually(async () => (await signIn(server.url, 'first@admin.test', 'chosen by hand')) === 200));
    assert.is(await server.end('SIGTERM'), 0);
  });

  test("an admin's email is not given to a user in a spelling that this locale alone takes for the same", async () => {
    const server = await run({ env: { DATABASE_URL: url(), SECRET_KEY } });
    assert.is.not(server.url, '', server.stderr());
    const chosen = 'chosen by hand';
    const owner = await enter(server);
    const { id: tenant_id } = await owner.createTenant({ body: { name: 'Acme' } });
    const role_id = (await owner.listRoles()).find(({ name }) => name === 'admin')?.id ?? 0;
    for (const email of ['sam@acme.test', 'nina@acme.test'])
      await owner.createAdmin({ body: { email, password: chosen, tenant_id, role_id, permissions: ['support'] } });
    const { id } = await owner.createPlayer({ body: { email: 'rich@x.test', password: chosen, tenant_id } });
    await owner.adjustBalances({ id, body: { credit: '500', credit_op: 'add' } });
    const sam = await enter(server, 'sam@acme.test');
    const rename = (email: string) => sam.updatePlayer({ id, body: { email } });
    await rename('ni\u0307na@acme.test'); // JavaScript's lower case of the next, but not the database's
    await rename('n\u0130na@acme.test').then(
      () => assert.unreachable('nina redeems from it'),
      ({ status }) => assert.is(status, 403),
    );
    const signedIn = await post(`${server.url}api/v1/auth/login/json`, { email: 'nina@acme.test', password: chosen });
    const [cookie = ''] = signedIn.headers.getSetCookie();
    const body = { platform_name: 'vblink', amount: '200' };
    const redeem = await post(`${server.url}api/v1/checkout/redeem`, body, { Cookie: cookie.replace(/;.*/, '') });
    assert.is(redeem.status, 400);
    assert.match(await redeem.text(), /No player account with your email/);
    assert.is(await server.end('SIGTERM'), 0);
  });

  test('a locale in which only a to z have capitals is warned of, a better one is not', async () => {
    const made = postgres.tool('psql', url(), '-qc', "create database plain locale 'C' template template0");
    assert.is(made.status, 0, made.stderr);
    for (const [name, isWarned] of [
      ['plain', true],
      ['postgres', false],
    ] as const) {
      const server = await run({ env: { DATABASE_URL: url().replace(/postgres$/, name), SECRET_KEY } });
      assert.is.not(server.url, '', server.stderr());
      assert.is(server.stdout().includes('only knows the letters A to Z'), isWarned, name);
      assert.is(await server.end('SIGTERM'), 0);
    }
  });

  test('another key than the one it was made with is refused', async () => {
    const server = await run({ env: { DATABASE_URL: url(), SECRET_KEY: Buffer.alloc(32, 8).toString('base64') } });
    assert.is(await server.ended, 1);
    const words = /^SECRET_KEY, or the key file.*is not the key that this database was created with\.\n$/;
    assert.match(server.stderr(), words);
  });
}

const post = (address: string, body: object, headers: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test.run();

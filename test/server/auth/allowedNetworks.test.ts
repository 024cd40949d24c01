/** From which networks the people of a tenant, and super admins, sign in and work. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ApiError } from '../../../src/app/api/client';
import { permissions } from '../../../src/contract/permissions';
import { isAllowed, isNetwork } from '../../../src/server/auth/allowedNetworks';
import { isRefused } from '../../answers';
import { readAuditLog } from '../../audit';
import { from, sue } from '../../callers';
import { newKey } from '../../integrations';
import { fetch, PASSWORD, type Person, people, refusal, reset, sql, tokenOf } from '../../world';

const HERE = '192.0.2.7',
  AWAY = '203.0.113.9';
const REFUSED = { status: 403, detail: 'Your network is not one of those from which this account may be used' };
const allow = (tenant: number, networks: readonly string[]) =>
  sql`update tenants set allowed_networks = ${[...networks]}::text[] where id = ${tenant}`;
const login = (person: Person, address: string) =>
  from(address).login({ body: { email: people[person].email, password: PASSWORD } });
const confirmed = { current_password: PASSWORD };

test.before.each(async () => {
  await reset();
  await sql`update admins set permissions = ${[...permissions]} where id = ${people.ann.id}`;
});

test('networks and addresses of both families are told apart from what is none', () => {
  for (const text of ['192.0.2.0/24', '192.0.2.7', '2001:db8::/32', '2001:db8::1']) assert.ok(isNetwork(text), text);
  for (const text of ['2', '192.0.2.0/33', '192.0.2', 'a', '', '192.0.2.1,192.0.2.2', '::/129', 'fe80::1%eth0'])
    assert.not.ok(isNetwork(text), text);
  assert.ok(isAllowed([], 'unknown'));
  assert.ok(isAllowed(['10.0.0.0/8', '192.0.2.0/24'], HERE) && isAllowed(['2001:db8::/32'], '2001:db8:1::5'));
  for (const address of [AWAY, 'unknown', '2001:db8::1', '']) assert.not.ok(isAllowed(['192.0.2.0/24'], address));
});

test('a sign-in from elsewhere is refused after the right password alone, and is in the log', async () => {
  await allow(2, ['192.0.2.0/24']);
  assert.equal(await refusal(login('ann', AWAY)), REFUSED);
  const problem = await login('ann', AWAY).catch((error: ApiError) => error);
  assert.is((problem as ApiError).code, 'network');
  assert.equal((await readAuditLog()).at(-1)?.after, { signed_in: false, why: REFUSED.detail });
  const wrong = from(AWAY).login({ body: { email: people.ann.email, password: 'wrong' } });
  await isRefused(wrong, 401, undefined, 'nobody without the password learns of it');
  assert.is((await login('ann', HERE)).user.email, people.ann.email);
  assert.is((await login('ben', AWAY)).user.email, people.ben.email, 'another tenant');
  assert.is((await login('sue', AWAY)).user.email, people.sue.email, 'nor super admins');
});

test('a session that is carried elsewhere reads and writes nothing, and can be ended', async () => {
  const token = await tokenOf('ann');
  await allow(2, ['192.0.2.0/24']);
  assert.ok(await from(HERE, token).listTeam({}));
  for (const call of [() => from(AWAY, token).listTeam({}), () => from(AWAY, token).listSessions({})])
    assert.equal(await refusal(call()), REFUSED);
  await from(AWAY, token).logout({});
  await isRefused(from(HERE, token).listTeam({}), 401);
});

test('super admins have networks of their own', async () => {
  const sue = from(HERE, await tokenOf('sue'));
  await sue.saveAllowedNetworks({ body: { networks: ['192.0.2.0/24'], ...confirmed } });
  assert.equal(await refusal(login('sue', AWAY)), REFUSED);
  assert.is((await login('ann', AWAY)).user.tenant_id, 2);
});

test('nobody locks themselves out by mistake, and a super admin can open a tenant again', async () => {
  const ann = from(HERE, await tokenOf('ann'));
  const save = (networks: string[]) => ann.saveAllowedNetworks({ body: { networks, ...confirmed } });
  await isRefused(save(['203.0.113.0/24']), 409, `Your own address, ${HERE}, must be in one of the networks`);
  await isRefused(save(['192.0.2.0/99']), 422, 'body.networks: 192.0.2.0/99 is no network such as 192.0.2.0/24');
  await save(['192.0.2.0/24', '192.0.2.0/24']);
  assert.equal(await ann.getAllowedNetworks({}), { networks: ['192.0.2.0/24'], your_address: HERE });
  await sue.saveAllowedNetworks({ body: { networks: [], tenant_id: 2, ...confirmed } });
  assert.is((await login('ann', AWAY)).user.tenant_id, 2);
});

test('an API key is not bound to them', async () => {
  const { key } = await newKey();
  await allow(2, ['192.0.2.0/24']);
  const init = { headers: { Authorization: `Bearer ${key}` } };
  const answer = await fetch('/api/v1/intake/players', init, { incoming: { socket: { remoteAddress: AWAY } } });
  assert.is(answer.status, 200);
});

test.run();

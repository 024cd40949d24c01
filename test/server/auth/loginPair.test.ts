/** Admins sign in by two calls in a row: the second session takes the place of the first, and of no other. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/calls';
import { guest, PASSWORD, people, reset, send, services, signIn, sql } from '../../world';

const stillIn = async (token: string): Promise<boolean> =>
  (await send('GET', calls.listRedeems.path, { token })).status === 200;
const ownSessions = async (token: string): Promise<unknown[]> =>
  (await send('GET', calls.listSessions.path, { token })).json();

test.before.each(reset);

test('the tenant login accepts an admin of that tenant and replaces the session of the general login', async () => {
  const first = await signIn('ann');
  const second = await guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  assert.is((await ownSessions(second.access_token)).length, 1, 'one sign-in is one session to the person');
  assert.is(await stillIn(first.access_token), false);
  assert.is(await stillIn(second.access_token), true);
});

test('each tenant login replaces one general login and no other session, however many start before it', async () => {
  const atTenant = () => guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  const generals = [await signIn('ann'), await signIn('ann')],
    tenants = [await atTenant()];
  const [left] = await sql<{ n: number }[]>`select count(*)::int as n from sessions where is_general`;
  assert.is(left?.n, 1);
  for (let again = 0; again < 3; again++) tenants.push(await atTenant());
  for (const { access_token } of generals) assert.is(await stillIn(access_token), false);
  for (const { access_token } of tenants) assert.is(await stillIn(access_token), true);
});

test('the tenant login leaves a session that is in use elsewhere alone', async () => {
  const used = await signIn('ann');
  assert.is(await stillIn(used.access_token), true);
  await guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  assert.is(await stillIn(used.access_token), true);
});

test('a session of the general login counts as used once it has carried a call', async () => {
  const { access_token } = await signIn('ann');
  await stillIn(access_token);
  await services.sessions.replaceUnused(sql, people.ann.id, 'unknown');
  assert.is(await stillIn(access_token), true);
});

test.run();

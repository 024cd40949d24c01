/** Admins sign in by two calls, one after the other: the first session must neither be in the way nor be missed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/calls';
import { guest, PASSWORD, people, reset, send, services, signIn, sql } from '../world';

const stillIn = async (token: string): Promise<boolean> => (await send('GET', calls.listRedeems.path, { token })).status === 200;
const ownSessions = async (token: string): Promise<unknown[]> => (await send('GET', calls.listSessions.path, { token })).json();

test.before.each(reset);

test('the tenant login takes an admin of that tenant, and the general login that came before it lapses unused', async () => {
  const first = await signIn('ann');
  const second = await guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  assert.is((await ownSessions(second.access_token)).length, 1, 'one sign-in is one session to the person');
  await sql`update sessions set last_seen_at = last_seen_at - interval '2 minutes'`;
  assert.is(await stillIn(first.access_token), false);
  assert.is(await stillIn(second.access_token), true);
});

test('whoever goes on with the general login after all, or signs in twice before using either, stays in', async () => {
  const tokens = [];
  for (let device = 0; device < 2; device++) {
    tokens.push((await signIn('ann')).access_token);
    tokens.push((await guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } })).access_token);
  }
  for (const token of tokens) assert.is(await stillIn(token), true);
  await sql`update sessions set last_seen_at = last_seen_at - interval '2 minutes'`;
  for (const token of tokens) assert.is(await stillIn(token), true);
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
  await services.sessions.letUnusedLapse(sql, people.ann.id, 'unknown');
  assert.is(await stillIn(access_token), true);
});

test.run();

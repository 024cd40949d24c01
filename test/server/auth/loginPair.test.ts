/** Admins sign in by two calls in a row: both sessions are good, and they are one to the person. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { guest, PASSWORD, people, reset, send, signIn } from '../../world';

const stillIn = async (token: string): Promise<boolean> =>
  (await send('GET', calls.listRedeems.path, { token })).status === 200;
const ownSessions = async (token: string): Promise<unknown[]> =>
  (await send('GET', calls.listSessions.path, { token })).json();
const atTenant = () => guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });

test.before.each(reset);

test('the two logins of one sign-in are one session to the person', async () => {
  await signIn('ann');
  const { access_token } = await atTenant();
  assert.is((await ownSessions(access_token)).length, 1);
  await signIn('ann');
  await atTenant();
  assert.is((await ownSessions(access_token)).length, 2);
});

test('a general login that no tenant login follows is shown before it carries a call', async () => {
  const own = await signIn('sue');
  await signIn('sue');
  assert.is((await ownSessions(own.access_token)).length, 2);
});

test('without a second factor the tenant login ends no session; a general one is shown once it carried a call', async () => {
  const general = await signIn('ann'),
    own = await atTenant();
  assert.is(await stillIn(general.access_token), true);
  assert.is(await stillIn(own.access_token), true);
  assert.is((await ownSessions(own.access_token)).length, 2);
});

test.run();

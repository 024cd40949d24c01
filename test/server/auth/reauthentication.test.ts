/** Every call that asks for the password again, and for a code where two-factor sign-in is on. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CODE_WRONG } from '../../../src/server/auth/twoFactor';
import { readAuditLog } from '../../audit';
import { hire } from '../../callers';
import { PARTY } from '../../passkey';
import { withFactor } from '../../twoFactor';
import { PASSWORD, services, sql, tokenOf } from '../../world';
import { acmeIds, everyCall, schemasOf, takes } from '../everyCall';
import { make, plantCanaries } from '../planted';

const field = (name: (typeof everyCall)[number][0]) =>
  (['current_password', 'password'] as const).find((one) => takes(schemasOf(name).body, one));
const asking = everyCall.filter(
  ([name, { who }]) => who !== 'anyone' && field(name) && takes(schemasOf(name).body, 'code'),
);
/** With two-factor sign-in alone they have something to do. */
const codeOnly = ['turnOffTwoFactor', 'renewRecoveryCodes'];

for (const [name, { who }] of asking)
  test(`${name} needs the password and the code, and guesses are counted [ASVS 7.5.1]`, async () => {
    const person = who === 'super' ? 'sue' : 'ann',
      factor = () => withFactor(person);
    await plantCanaries();
    services.passkeys = PARTY;
    services.outgoing = { hasEmail: true, hasLinks: true, appUrl: 'https://office.test/', mayBeOwn: true };
    await sql`update tenants set mail_links = true`;
    if (codeOnly.includes(name)) await factor();
    const token = await tokenOf(person);
    const { id: team } = await hire('bob@acme.test');
    const at = { ids: { ...acmeIds, ...(name === 'updateTeamMember' && { team }) } };
    const ask = async (password: string, code = '') => {
      const open = name === 'saveAllowedNetworks' && { networks: [] };
      const body = { ...open, [field(name)!]: password, code: code || undefined };
      const response = await make(name, { token, at, body });
      return [response.status, (await response.json()).detail];
    };
    for (let guess = 0; guess < 9; guess++)
      assert.equal(await ask('a guess', '000000'), [400, 'The password is wrong']);
    const wrong = { identity_confirmed: false, why: 'The password is wrong' };
    assert.equal((await readAuditLog()).at(-1)?.after, wrong);
    assert.is((await ask(PASSWORD, '000000'))[0], 429);
    await sql`delete from rate_limits`;
    if (!codeOnly.includes(name)) await factor();
    assert.is((await ask(PASSWORD))[0], 422, 'no code');
    assert.equal(await ask(PASSWORD, '000000'), [400, CODE_WRONG]);
    assert.equal((await readAuditLog()).at(-1)?.after, { ...wrong, why: CODE_WRONG });
  });

test('every call that must ask is among them', () => {
  const names = asking.map(([name]) => name);
  for (const name of ['changePassword', 'createApiKey', 'revealWebhookSecret', 'createTeamMember'] as const)
    assert.ok(names.includes(name), name);
});

test.run();

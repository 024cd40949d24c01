/** The secrets that webhooks are signed with. */
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deliver } from '../../integrations';
import { RECOVERY_CODE, withFactor } from '../../twoFactor';
import { as, countLockWaits, db, PASSWORD, pam, people, refused, reset, send, sql, tokenOf } from '../../world';

const path = '/api/v1/webhooks/2/apex';
let secret = '',
  n = 0;
const event = () => ({
  id: `evt-${++n}`,
  type: 'payment.succeeded',
  reference: `pay-${n}`,
  amount: '25.50',
  email: pam.email,
  occurred_at: '2026-01-31T10:00:00Z',
});

test.before.each(async () => {
  await reset();
  const sue = await as('sue');
  await sue.createPaymentMethod({
    tenant_id: 2,
    payment_platform: 'apex',
    body: { api_key: 'k', secret_key: 's', merchant_id: 'm' },
  });
  secret = (
    await sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: false, password: PASSWORD } })
  ).secret;
});

test('a secret is stored encrypted and bound to its row, shown again on request, and replaced at once', async () => {
  const sue = await as('sue'),
    at = { tenant_id: 2, platform: 'apex' };
  assert.match(secret, /^[\w-]{43}$/);
  assert.is((await sue.revealWebhookSecret({ ...at, body: { rotate: false, password: PASSWORD } })).secret, secret);
  const [row] = await sql<{ webhook_secret: string }[]>`select webhook_secret from payment_methods`;
  assert.ok(!row!.webhook_secret.includes(secret) && row!.webhook_secret.startsWith('v2.'));
  const { secret: newer } = await sue.revealWebhookSecret({ ...at, body: { rotate: true, password: PASSWORD } });
  assert.is.not(newer, secret);
  assert.is((await deliver(path, secret, event())).status, 401);
  assert.is((await deliver(path, newer, event())).status, 200);
  const entries = await sql`select email, before, after from audit_log where call = 'revealWebhookSecret' order by id`;
  assert.equal(
    entries.map(({ email, before, after }) => [email, before, after]),
    [
      [people.sue.email, null, { webhook_secret: '••••••••' }],
      [people.sue.email, null, null],
      [people.sue.email, { webhook_secret: '••••••••' }, { webhook_secret: '••••••••' }],
    ].map(([email, before, after], nth) => [email, nth === 0 ? { webhook_secret: null } : before, after]),
  );
});

test('a processor with a webhook_secret among its credentials signs with that', async () => {
  const sue = await as('sue'),
    at = { tenant_id: 2, platform: 'flikpay' };
  await sue.createPaymentMethod({
    tenant_id: 2,
    payment_platform: 'flikpay',
    body: { api_key: 'k', merchant_id: 'm', webhook_secret: 'from flikpay' },
  });
  const { path: there, header, has_secret } = await sue.getWebhook(at);
  assert.equal([there, header, has_secret], ['/api/v1/webhooks/2/flikpay', 'X-Signature', true]);
  assert.is((await deliver(there, 'from flikpay', event())).status, 200);
  const { secret: newer } = await sue.revealWebhookSecret({ ...at, body: { rotate: true, password: PASSWORD } });
  assert.is((await deliver(there, 'from flikpay', event())).status, 401);
  assert.is((await deliver(there, newer, event())).status, 200);
  await sue.updatePaymentMethod({ ...at, body: { api_key: '', merchant_id: 'm', webhook_secret: 'set by hand' } });
  assert.is((await deliver(there, 'set by hand', event())).status, 200);
});

test('a stolen session neither reads the secret nor makes a new one: the password is needed, guesses are counted', async () => {
  const thief = await tokenOf('sue'),
    url = '/api/v1/admin/payment-methods/2/apex/webhook-secret';
  const stored = async () => (await sql`select webhook_secret from payment_methods`)[0]!['webhook_secret'];
  const before = await stored();
  for (const rotate of [false, true]) {
    const ask = async (more: object) => {
      const response = await send('POST', url, { token: thief, body: { rotate, ...more } });
      return [response.status, (await response.json()).secret];
    };
    assert.equal(await ask({}), [422, undefined]);
    for (let n = 0; n < (rotate ? 4 : 5); n++) assert.equal(await ask({ password: 'a guess' }), [400, undefined]);
    if (rotate) assert.equal(await ask({ password: PASSWORD }), [429, undefined]);
  }
  assert.is(await stored(), before);
  const entries = await sql`select after from audit_log where call = 'revealWebhookSecret' order by id`;
  assert.equal(
    entries.map(({ after }) => after).slice(1),
    Array.from({ length: 9 }, () => ({ identity_confirmed: false, why: 'The password is wrong' })),
  );
});

test('with two-factor sign-in the secret takes a code as well, which is then used up', async () => {
  await withFactor('sue');
  const sue = await as('sue'),
    at = { tenant_id: 2, platform: 'apex' },
    body = { rotate: false, password: PASSWORD };
  assert.is(await refused(sue.revealWebhookSecret({ ...at, body })), 422);
  assert.is(await refused(sue.revealWebhookSecret({ ...at, body: { ...body, code: '000000' } })), 400);
  assert.is((await sue.revealWebhookSecret({ ...at, body: { ...body, code: RECOVERY_CODE } })).secret, secret);
  assert.is(await refused(sue.revealWebhookSecret({ ...at, body: { ...body, code: RECOVERY_CODE } })), 400);
});

test('a secret is not shown to somebody who is disabled while the password is checked', async () => {
  const sue = await as('sue');
  let asking: Promise<unknown> | undefined;
  await db.tx(async (tx) => {
    await tx`select 1 from admins where id = ${people.sue.id} for update`;
    asking = refused(
      sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: true, password: PASSWORD } }),
    );
    for (let tries = 0; tries < 100 && !(await countLockWaits()); tries++) await setTimeout(25);
    await tx`update admins set is_active = false where id = ${people.sue.id}`;
  });
  assert.is(await asking, 401);
  assert.is((await deliver(path, secret, event())).status, 200, 'and nothing was replaced');
});

test.run();

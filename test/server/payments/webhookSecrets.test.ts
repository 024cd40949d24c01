/** The secrets that webhooks are signed with. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deliver } from '../../integrations';
import { as, pam, people, reset, sql } from '../../world';

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
  secret = (await sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: false } })).secret;
});

test('a secret is stored encrypted and bound to its row, shown again on request, and replaced at once', async () => {
  const sue = await as('sue'),
    at = { tenant_id: 2, platform: 'apex' };
  assert.match(secret, /^[\w-]{43}$/);
  assert.is((await sue.revealWebhookSecret({ ...at, body: { rotate: false } })).secret, secret);
  const [row] = await sql<{ webhook_secret: string }[]>`select webhook_secret from payment_methods`;
  assert.ok(!row!.webhook_secret.includes(secret) && row!.webhook_secret.startsWith('v2.'));
  const { secret: newer } = await sue.revealWebhookSecret({ ...at, body: { rotate: true } });
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
  const { secret: newer } = await sue.revealWebhookSecret({ ...at, body: { rotate: true } });
  assert.is((await deliver(there, 'from flikpay', event())).status, 401);
  assert.is((await deliver(there, newer, event())).status, 200);
  await sue.updatePaymentMethod({ ...at, body: { api_key: '', merchant_id: 'm', webhook_secret: 'set by hand' } });
  assert.is((await deliver(there, 'set by hand', event())).status, 200);
});

test.run();

/** The writes about API keys and webhooks, as the walk of audit.test.ts asks for them. */
import type { CallName } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import { secretContext } from '../../../src/server/auth/secrets';
import { as, PASSWORD, services, sql } from '../../world';
import type { Case } from './audit.test';

const unknown = 99;
const rule = { kind: 'old_redeem', is_active: true, threshold: 48 } as const;
const boss = { kind: 'email', target: 'boss@acme.test' } as const;
const withChannel = async () => {
  await (await as('ann')).addNotificationChannel({ body: boss });
};
export const integrationCases: Partial<Record<CallName, Case>> = {
  createApiKey: {
    done: (sue) =>
      sue.createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: PASSWORD, tenant_id: 2 } }),
    refused: (sue) =>
      sue.createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: PASSWORD, tenant_id: unknown } }),
    leaves: { kind: 'api key', object_id: '1', tenant_id: 2, before: null },
  },
  revokeApiKey: {
    before: async () => {
      await (await as('ann')).createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: PASSWORD } });
    },
    done: (sue) => sue.revokeApiKey({ id: 1 }),
    refused: (sue) => sue.revokeApiKey({ id: unknown }),
    leaves: { kind: 'api key', object_id: '1', tenant_id: 2, before: { revoked: false }, after: { revoked: true } },
  },
  saveNotificationRule: {
    done: (sue) => sue.saveNotificationRule({ body: { ...rule, tenant_id: 2 } }),
    refused: (sue) => sue.saveNotificationRule({ body: { ...rule, tenant_id: unknown } }),
    leaves: {
      kind: 'notification rule',
      object_id: 'old_redeem',
      tenant_id: 2,
      before: { threshold: null },
      after: { threshold: 48 },
    },
  },
  muteNotificationRule: {
    done: (sue) => sue.muteNotificationRule({ body: { kind: 'old_redeem', is_muted: true, tenant_id: 2 } }),
    refused: (sue) => sue.muteNotificationRule({ body: { kind: 'old_redeem', is_muted: true, tenant_id: unknown } }),
    leaves: { kind: 'notification rule', object_id: 'old_redeem', tenant_id: 2, before: { muted_until: null } },
  },
  addNotificationChannel: {
    done: (sue) => sue.addNotificationChannel({ body: { ...boss, tenant_id: 2 } }),
    refused: (sue) => sue.addNotificationChannel({ body: { ...boss, tenant_id: unknown } }),
    leaves: { kind: 'notification channel', object_id: '1', tenant_id: 2, before: null, after: boss },
  },
  confirmNotificationChannel: {
    before: async () => {
      await withChannel();
      const kept = JSON.stringify({ target: boss.target, code: '12345678' }),
        secret = services.secrets.encrypt(kept, secretContext.notificationChannel(2, 1));
      await sql`update notification_channels set secret = ${secret}`;
    },
    done: (sue) => sue.confirmNotificationChannel({ id: 1, body: { code: '12345678' } }),
    refused: (sue) => sue.confirmNotificationChannel({ id: unknown, body: { code: '12345678' } }),
    leaves: { kind: 'notification channel', object_id: '1', tenant_id: 2, after: { confirmed: true } },
  },
  testNotificationChannel: {
    before: withChannel,
    done: (sue) => sue.testNotificationChannel({ id: 1 }),
    refused: (sue) => sue.testNotificationChannel({ id: unknown }),
    leaves: { kind: 'notification channel', object_id: '1', tenant_id: 2, after: { tested: true } },
  },
  switchNotificationChannel: {
    before: withChannel,
    done: (sue) => sue.switchNotificationChannel({ id: 1, body: { is_active: false } }),
    refused: (sue) => sue.switchNotificationChannel({ id: unknown, body: { is_active: false } }),
    leaves: {
      kind: 'notification channel',
      object_id: '1',
      tenant_id: 2,
      before: { is_active: true },
      after: { is_active: false },
    },
  },
  renewChannelSecret: {
    before: async () => {
      await (await as('ann')).addNotificationChannel({ body: { kind: 'webhook', target: 'https://hooks.test/' } });
    },
    done: (sue) => sue.renewChannelSecret({ id: 1 }),
    refused: (sue) => sue.renewChannelSecret({ id: unknown }),
    leaves: { kind: 'notification channel', object_id: '1', tenant_id: 2, after: { renewed: true } },
  },
  removeNotificationChannel: {
    before: withChannel,
    done: (sue) => sue.removeNotificationChannel({ id: 1 }),
    refused: (sue) => sue.removeNotificationChannel({ id: unknown }),
    leaves: { kind: 'notification channel', object_id: '1', tenant_id: 2, before: boss, after: null },
  },
  resendNotification: {
    before: async () => {
      await withChannel();
      await (await as('ann')).testNotificationChannel({ id: 1 });
      await sql`update notification_deliveries set status = 'failed'`;
    },
    done: (sue) => sue.resendNotification({ id: 1 }),
    refused: (sue) => sue.resendNotification({ id: unknown }),
    leaves: {
      kind: 'notification channel',
      object_id: '1',
      tenant_id: 2,
      before: { status: 'failed' },
      after: { status: 'waiting' },
    },
  },
  revealWebhookSecret: {
    before: async () => {
      await (await as('sue')).createPaymentMethod({
        tenant_id: 2,
        payment_platform: 'apex',
        body: { api_key: 'k', secret_key: 's', merchant_id: 'm' },
      });
    },
    done: (sue) =>
      sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: true, password: PASSWORD } }),
    refused: (sue) =>
      sue.revealWebhookSecret({ tenant_id: 2, platform: 'btcpay', body: { rotate: true, password: PASSWORD } }),
    leaves: {
      kind: 'payment method',
      object_id: 'apex',
      tenant_id: 2,
      before: { webhook_secret: null },
      after: { webhook_secret: MASK },
    },
  },
};

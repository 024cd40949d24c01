/** The writes about API keys, notifications and webhooks, as the walk of audit.test.ts asks for them. */
import { MASK } from '../../../src/contract/constants';
import { secretContext } from '../../../src/server/auth/secrets';
import { ann, sue } from '../../callers';
import { PASSWORD, services, sql } from '../../world';
import { apex, type Cases, method } from './auditCase';

const shop = { name: 'Shop', scopes: ['players:write'], password: PASSWORD, tenant_id: 2 } as const;
const createKey = { body: { ...shop, scopes: [...shop.scopes] } };
const boss = { kind: 'email', target: 'boss@acme.test' } as const;
const withChannel = () => ann.addNotificationChannel({ body: boss });
const key = { kind: 'api key', object_id: '1', tenant_id: 2 };
const rule = { kind: 'notification rule', object_id: 'old_redeem', tenant_id: 2 };
const channel = { kind: 'notification channel', object_id: '1', tenant_id: 2 };

export const integrationCases: Cases = {
  createApiKey: { done: createKey, leaves: { ...key, before: null } },
  revokeApiKey: {
    before: () => ann.createApiKey(createKey),
    done: { id: 1 },
    leaves: { ...key, before: { revoked: false }, after: { revoked: true } },
  },
  saveNotificationRule: {
    done: { body: { kind: 'old_redeem', is_active: true, threshold: 48, tenant_id: 2 } },
    leaves: { ...rule, before: { threshold: null }, after: { threshold: 48 } },
  },
  muteNotificationRule: {
    done: { body: { kind: 'old_redeem', is_muted: true, tenant_id: 2 } },
    leaves: { ...rule, before: { muted_until: null } },
  },
  addNotificationChannel: {
    done: { body: { ...boss, tenant_id: 2 } },
    leaves: { ...channel, before: null, after: boss },
  },
  confirmNotificationChannel: {
    before: async () => {
      await withChannel();
      const kept = JSON.stringify({ target: boss.target, code: '12345678' }),
        secret = services.secrets.encrypt(kept, secretContext.notificationChannel(2, 1));
      await sql`update notification_channels set secret = ${secret}`;
    },
    done: { id: 1, body: { code: '12345678' } },
    leaves: { ...channel, after: { confirmed: true } },
  },
  testNotificationChannel: {
    before: withChannel,
    done: { id: 1 },
    leaves: { ...channel, after: { tested: true } },
  },
  switchNotificationChannel: {
    before: withChannel,
    done: { id: 1, body: { is_active: false } },
    leaves: { ...channel, before: { is_active: true }, after: { is_active: false } },
  },
  renewChannelSecret: {
    before: () => ann.addNotificationChannel({ body: { kind: 'webhook', target: 'https://hooks.test/' } }),
    done: { id: 1 },
    leaves: { ...channel, after: { renewed: true } },
  },
  removeNotificationChannel: {
    before: withChannel,
    done: { id: 1 },
    leaves: { ...channel, before: boss, after: null },
  },
  resendNotification: {
    before: async () => {
      await withChannel();
      await ann.testNotificationChannel({ id: 1 });
      await sql`update notification_deliveries set status = 'failed'`;
    },
    done: { id: 1 },
    leaves: { ...channel, before: { status: 'failed' }, after: { status: 'waiting' } },
  },
  revealWebhookSecret: {
    before: () => sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body: apex }),
    done: { tenant_id: 2, platform: 'apex', body: { rotate: true, password: PASSWORD } },
    refused: { tenant_id: 2, platform: 'btcpay', body: { rotate: true, password: PASSWORD } },
    leaves: { ...method, before: { webhook_secret: null }, after: { webhook_secret: MASK } },
  },
};

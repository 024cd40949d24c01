/** The writes about API keys and webhooks, as the walk of audit.test.ts asks for them. */
import type { CallName } from '../../../src/contract/calls';
import { MASK } from '../../../src/contract/constants';
import { as, PASSWORD } from '../../world';
import type { Case } from './audit.test';

const unknown = 99;
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

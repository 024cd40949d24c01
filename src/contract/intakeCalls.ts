import type * as D from './integrations';
import { call, type Call, type Types } from './call';

/** For a tenant's own systems, by an API key of this scope. */
const byKey = <T extends Types>() => <const P extends `/api/v1/${string}`>(scope: D.Scope, method: 'GET' | 'POST', path: P): Call<T, P> =>
  ({ ...call<T>()('key', method, path, 'api_keys'), scope });

/** The calls that other systems make, and the app never does. */
export const intakeCalls = {
  receiveWebhook: { ...call<{ body: D.WebhookEvent; answer: D.WebhookAnswer }>()('anyone', 'POST', '/api/v1/webhooks/{tenant_id}/{platform}', 'webhooks'), isSigned: true as const },

  pushPlayer:      byKey<{ body: D.PushedPlayer; answer: D.PushedPlayerAnswer }>()('players:write', 'POST', '/api/v1/intake/players'),
  pushTopUp:       byKey<{ body: D.PushedTopUp; answer: D.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/top-ups'),
  pushDeposit:     byKey<{ body: D.PushedDeposit; answer: D.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/deposits'),
  pushRedeem:      byKey<{ body: D.PushedRedeem; answer: D.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/redeems'),
  pushStatus:      byKey<{ body: D.PushedStatus; answer: D.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/transactions/{id}/status'),
  readTransaction: byKey<{ answer: D.PushedMoney }>()('transactions:write', 'GET', '/api/v1/intake/transactions/{id}'),
};

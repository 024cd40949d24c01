import { call, callByKey } from './call';

/** The calls of other systems: by an API key or a signature. */
export const intakeCalls = {
  receiveWebhook: {
    ...call('anyone', 'POST', '/api/v1/webhooks/{tenant_id}/{platform}', 'webhooks'),
    isSigned: true as const,
  },

  pushPlayer: callByKey(['players:write'], 'POST', '/api/v1/intake/players'),
  pushLogin: callByKey(['players:write', 'work'], 'POST', '/api/v1/intake/logins'),
  pushEligibility: callByKey(['players:write'], 'POST', '/api/v1/intake/eligibility'),
  pushProtection: callByKey(['players:write'], 'POST', '/api/v1/intake/protection'),
  readPlayers: callByKey(['players:read'], 'GET', '/api/v1/intake/players', 'record'),
  pushTopUp: callByKey(['transactions:write'], 'POST', '/api/v1/intake/top-ups'),
  pushDeposit: callByKey(['transactions:write'], 'POST', '/api/v1/intake/deposits'),
  pushReturn: callByKey(['transactions:write'], 'POST', '/api/v1/intake/returns'),
  pushRedeem: callByKey(['transactions:write'], 'POST', '/api/v1/intake/redeems'),
  pushStatus: callByKey(['transactions:settle', 'work'], 'POST', '/api/v1/intake/transactions/{id}/status'),
  pushClaim: callByKey(['transactions:settle', 'work'], 'POST', '/api/v1/intake/claims'),
  dropClaim: callByKey(['transactions:settle', 'work'], 'DELETE', '/api/v1/intake/claims/{id}'),
  listWork: callByKey(['work'], 'GET', '/api/v1/intake/work', 'list'),
  releaseWork: callByKey(['work'], 'POST', '/api/v1/intake/claims/{id}/give-back'),
  readEvents: callByKey(['events:read'], 'GET', '/api/v1/intake/events', 'record'),
  readTransaction: callByKey(
    ['transactions:write', 'transactions:settle', 'work'],
    'GET',
    '/api/v1/intake/transactions/{id}',
    'record',
  ),
};

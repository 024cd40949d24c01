import { call, callByKey } from './call';
import type * as E from './entities';

/** The calls of other systems: by an API key or a signature. */
export const intakeCalls = {
  receiveWebhook: {
    ...call<{ body: E.WebhookEvent; answer: E.WebhookAnswer }>()(
      'anyone',
      'POST',
      '/api/v1/webhooks/{tenant_id}/{platform}',
      'webhooks',
    ),
    isSigned: true as const,
  },

  pushPlayer: callByKey<{ body: E.PushedPlayer; answer: E.PushedPlayerAnswer }>()(
    'players:write',
    'POST',
    '/api/v1/intake/players',
  ),
  pushLogin: callByKey<{ body: E.PushedLogin; answer: E.PlayerCredential }>()(
    ['players:write', 'work'],
    'POST',
    '/api/v1/intake/logins',
  ),
  pushEligibility: callByKey<{ body: E.PushedEligibility; answer: E.Eligibility }>()(
    'players:write',
    'POST',
    '/api/v1/intake/eligibility',
  ),
  pushProtection: callByKey<{ body: E.PushedProtection; answer: E.Protection }>()(
    'players:write',
    'POST',
    '/api/v1/intake/protection',
  ),
  readPlayers: {
    ...callByKey<{ query: E.SegmentQuery; answer: E.SegmentPage }>()('players:read', 'GET', '/api/v1/intake/players'),
    answer: 'record' as const,
  },
  pushTopUp: callByKey<{ body: E.PushedTopUp; answer: E.PushedMoney }>()(
    'transactions:write',
    'POST',
    '/api/v1/intake/top-ups',
  ),
  pushDeposit: callByKey<{ body: E.PushedDeposit; answer: E.PushedMoney }>()(
    'transactions:write',
    'POST',
    '/api/v1/intake/deposits',
  ),
  pushReturn: callByKey<{ body: E.PushedReturn; answer: E.PushedMoney }>()(
    'transactions:write',
    'POST',
    '/api/v1/intake/returns',
  ),
  pushRedeem: callByKey<{ body: E.PushedRedeem; answer: E.PushedMoney }>()(
    'transactions:write',
    'POST',
    '/api/v1/intake/redeems',
  ),
  pushStatus: callByKey<{ body: E.PushedStatus; answer: E.PushedMoney }>()(
    ['transactions:settle', 'work'],
    'POST',
    '/api/v1/intake/transactions/{id}/status',
  ),
  pushClaim: callByKey<{ body: E.ClaimForm; answer: E.Claim }>()(
    ['transactions:settle', 'work'],
    'POST',
    '/api/v1/intake/claims',
  ),
  dropClaim: callByKey<{ answer: E.Ok }>()(['transactions:settle', 'work'], 'DELETE', '/api/v1/intake/claims/{id}'),
  listWork: {
    ...callByKey<{ query: E.WorkQuery; answer: E.WorkItem[] }>()('work', 'GET', '/api/v1/intake/work'),
    answer: 'list' as const,
  },
  releaseWork: callByKey<{ body: E.GivenBack; answer: E.Ok }>()('work', 'POST', '/api/v1/intake/claims/{id}/give-back'),
  readEvents: {
    ...callByKey<{ query: E.EventsQuery; answer: E.EventPage }>()('events:read', 'GET', '/api/v1/intake/events'),
    answer: 'record' as const,
  },
  readTransaction: {
    ...callByKey<{ answer: E.PushedMoney }>()(
      ['transactions:write', 'transactions:settle', 'work'],
      'GET',
      '/api/v1/intake/transactions/{id}',
    ),
    answer: 'record' as const,
  },
};

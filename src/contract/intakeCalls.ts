import { call, callByKey } from './call';
import type * as E from './entities';

/** The calls of other systems: by an API key or a signature. */
export const intakeCalls = {
  receiveWebhook: {
    ...call<E.WebhookAnswer, E.WebhookEvent>()('anyone', 'POST', '/api/v1/webhooks/{tenant_id}/{platform}', 'webhooks'),
    isSigned: true as const,
  },

  pushPlayer: callByKey<E.PushedPlayerAnswer, E.PushedPlayer>()('players:write', 'POST', '/api/v1/intake/players'),
  pushLogin: callByKey<E.PlayerCredential, E.PushedLogin>()(['players:write', 'work'], 'POST', '/api/v1/intake/logins'),
  pushEligibility: callByKey<E.Eligibility, E.PushedEligibility>()(
    'players:write',
    'POST',
    '/api/v1/intake/eligibility',
  ),
  pushProtection: callByKey<E.Protection, E.PushedProtection>()('players:write', 'POST', '/api/v1/intake/protection'),
  readPlayers: callByKey<E.SegmentPage, undefined, E.SegmentQuery>()(
    'players:read',
    'GET',
    '/api/v1/intake/players',
    'record',
  ),
  pushTopUp: callByKey<E.PushedMoney, E.PushedTopUp>()('transactions:write', 'POST', '/api/v1/intake/top-ups'),
  pushDeposit: callByKey<E.PushedMoney, E.PushedDeposit>()('transactions:write', 'POST', '/api/v1/intake/deposits'),
  pushReturn: callByKey<E.PushedMoney, E.PushedReturn>()('transactions:write', 'POST', '/api/v1/intake/returns'),
  pushRedeem: callByKey<E.PushedMoney, E.PushedRedeem>()('transactions:write', 'POST', '/api/v1/intake/redeems'),
  pushStatus: callByKey<E.PushedMoney, E.PushedStatus>()(
    ['transactions:settle', 'work'],
    'POST',
    '/api/v1/intake/transactions/{id}/status',
  ),
  pushClaim: callByKey<E.Claim, E.ClaimForm>()(['transactions:settle', 'work'], 'POST', '/api/v1/intake/claims'),
  dropClaim: callByKey<E.Ok>()(['transactions:settle', 'work'], 'DELETE', '/api/v1/intake/claims/{id}'),
  listWork: callByKey<E.WorkItem[], undefined, E.WorkQuery>()('work', 'GET', '/api/v1/intake/work', 'list'),
  releaseWork: callByKey<E.Ok, E.GivenBack>()('work', 'POST', '/api/v1/intake/claims/{id}/give-back'),
  readEvents: callByKey<E.EventPage, undefined, E.EventsQuery>()(
    'events:read',
    'GET',
    '/api/v1/intake/events',
    'record',
  ),
  readTransaction: callByKey<E.PushedMoney>()(
    ['transactions:write', 'transactions:settle', 'work'],
    'GET',
    '/api/v1/intake/transactions/{id}',
    'record',
  ),
};

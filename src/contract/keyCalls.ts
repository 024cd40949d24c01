import { callByKey } from './call';
import type * as E from './entities';

/** The calls of a tenant's other systems, which identify themselves by an API key. */
export const keyCalls = {
  pushPlayer: callByKey<{ body: E.PushedPlayer; answer: E.PushedPlayerAnswer }>()(
    'players:write',
    'POST',
    '/api/v1/intake/players',
  ),
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
  pushRedeem: callByKey<{ body: E.PushedRedeem; answer: E.PushedMoney }>()(
    'transactions:write',
    'POST',
    '/api/v1/intake/redeems',
  ),
  pushStatus: callByKey<{ body: E.PushedStatus; answer: E.PushedMoney }>()(
    'transactions:settle',
    'POST',
    '/api/v1/intake/transactions/{id}/status',
  ),
  readTransaction: {
    ...callByKey<{ answer: E.PushedMoney }>()(
      ['transactions:write', 'transactions:settle'],
      'GET',
      '/api/v1/intake/transactions/{id}',
    ),
    answer: 'record' as const,
  },
};

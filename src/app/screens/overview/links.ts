/** The addresses of the lists behind the bars. */

import type { MoneyList } from '../../../contract/constants';
import { addDays } from '../../../contract/dates';
import type { ListPart } from '../../../contract/overview';
import { listAddress, usersAddress } from '../../../contract/routes';

export interface Links {
  /** Payments with this status that were settled on these days, of one part if it is given. */
  settled(list: MoneyList, days: Days, part?: { part: ListPart; key: string }, status?: 'success' | 'failed'): string;
  pending(list: MoneyList): string;
  /** First purchases that were initiated on these days. */
  first(days: Days): string;
  /** Players who signed up on these days, and of those who bought in the week that starts on another day. */
  signed(days: Days, bought?: string): string;
  /** Players by what they hold. */
  held: string;
}
export interface Days {
  starts: string;
  ends: string;
}

/** `isSuper`: lists are pages, of all tenants or narrowed to one; else they are tabs of a tenant's panel. */
export function createLinks({ isSuper, tenant }: { isSuper: boolean; tenant: string }): Links {
  const list = (name: MoneyList, filters: Record<string, string>) => listAddress(name, filters, { isSuper, tenant });
  const users = (query: Record<string, string>) => usersAddress({ ...(isSuper && tenant && { tenant }), ...query });
  return {
    settled: (name, { starts, ends }, part, status = 'success') =>
      list(name, { status, settled_from: starts, settled_to: ends, ...part }),
    pending: (name) => list(name, { status: 'pending' }),
    first: ({ starts, ends }) => list('purchases', { from: starts, to: ends, part: 'first' }),
    signed: ({ starts, ends }, bought) =>
      users({
        search: `signed:${starts}..${ends}${bought ? ` bought:${bought}..${addDays(bought, 6)}` : ''}`,
      }),
    held: users({ sort: 'credit_balance', order: 'desc' }),
  };
}

/** The addresses of the lists behind the bars. */

import type { MoneyList } from '../../../contract/constants';
import { addDays } from '../../../contract/dates';
import type { ListPart } from '../../../contract/overview';
import { listAddress, usersAddress } from '../../../contract/routes';

export type Links = ReturnType<typeof createLinks>;
export interface Days {
  starts: string;
  ends: string;
}

/** `isSuper`: lists are pages, of all tenants or narrowed to one; else they are tabs of a tenant's panel. */
export function createLinks({ isSuper, tenant }: { isSuper: boolean; tenant: string }) {
  const list = (name: MoneyList, filters: Record<string, string>) => listAddress(name, filters, { isSuper, tenant });
  const users = (query: Record<string, string>) => usersAddress({ ...(isSuper && tenant && { tenant }), ...query });
  return {
    /** Payments with this status that were settled on these days, of one part if it is given. */
    settled: (name: MoneyList, { starts, ends }: Days, part?: { part: ListPart; key: string }, status = 'success') =>
      list(name, { status, settled_from: starts, settled_to: ends, ...part }),
    pending: (name: MoneyList) => list(name, { status: 'pending' }),
    /** First purchases that were initiated on these days. */
    first: ({ starts, ends }: Days) => list('purchases', { from: starts, to: ends, part: 'first' }),
    /** Players who signed up on these days, and of those who bought in the week that starts on another day. */
    signed: ({ starts, ends }: Days, bought?: string) =>
      users({ search: `signed:${starts}..${ends}${bought ? ` bought:${bought}..${addDays(bought, 6)}` : ''}` }),
    /** Players by what they hold. */
    held: users({ sort: 'credit_balance', order: 'desc' }),
  };
}

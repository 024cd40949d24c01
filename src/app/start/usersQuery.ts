/** The query of the Users list, in the address and for the call. It imports no React: the early script uses it. */
import { PAGE_SIZE, type PlayerSort, pageSizes, playerSorts } from '../../contract/constants';
import type { PlayerQuery } from '../../contract/entities';

/** All of it is in the address. */
export interface UsersQuery {
  search: string;
  page: number;
  pageSize: number;
  sort: { field: PlayerSort; order: 'asc' | 'desc' };
  /** Of a list of all tenants only this one; '' means all. */
  tenant: string;
  /** A selection (contract/segment.ts); '' means all. */
  segment: string;
}

/** As query parameters, with the defaults that the address leaves out (docs/product.md, "Limits and constants"). */
export const usersAddress = {
  tenant: '',
  search: '',
  segment: '',
  sort: 'updated_at',
  order: 'desc',
  page: '1',
  size: String(PAGE_SIZE),
};
export type UsersAddress = Record<keyof typeof usersAddress, string>;

/** Parses an address, where invalid values become the default. */
export function parseUsersQuery({ tenant, search, segment, sort, order, page, size }: UsersAddress): UsersQuery {
  return {
    tenant: /^\d{1,15}$/.test(tenant) ? tenant : '',
    search,
    segment,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    pageSize: pageSizes.find((known) => String(known) === size) ?? PAGE_SIZE,
    sort: {
      field: playerSorts.find((known) => known === sort) ?? 'updated_at',
      order: order === 'asc' ? 'asc' : 'desc',
    },
  };
}

/** The same as the call takes it. */
export const toPlayerQuery = (
  { search, segment, page, pageSize, sort }: UsersQuery,
  tenantId: number | undefined,
): PlayerQuery => ({
  tenant_id: tenantId,
  search: search.trim(),
  segment: segment || undefined,
  sort_by: sort.field,
  sort_order: sort.order,
  page,
  page_size: pageSize,
});

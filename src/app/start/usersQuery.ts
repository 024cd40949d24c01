/** The query of the Users list, as the address bar and as the call have it. Knows no React: the early script uses it too. */
import { PAGE_SIZE, pageSizes, playerSorts, type PlayerSort } from '../../contract/constants';
import type { PlayerQuery } from '../../contract/entities';

/** All of it stands in the address bar. */
export interface UsersQuery { search: string; page: number; pageSize: number; sort: { field: PlayerSort; order: 'asc' | 'desc' } }

/** The same in the words of the address; these are the defaults, which the address leaves out (spec 9). */
export const usersAddress = { search: '', sort: 'updated_at', order: 'desc', page: '1', size: String(PAGE_SIZE) };
export type UsersAddress = Record<keyof typeof usersAddress, string>;

/** What an address asks for. Typed by hand it may say anything: whatever makes no sense becomes the default. */
export function parseUsersQuery({ search, sort, order, page, size }: UsersAddress): UsersQuery {
  return {
    search,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    pageSize: pageSizes.find((known) => String(known) === size) ?? PAGE_SIZE,
    sort: { field: playerSorts.find((known) => known === sort) ?? 'updated_at', order: order === 'asc' ? 'asc' : 'desc' },
  };
}

/** The same as the call takes it. */
export const toPlayerQuery = ({ search, page, pageSize, sort }: UsersQuery, tenantId: number | undefined): PlayerQuery =>
  ({ tenant_id: tenantId, search: search.trim(), sort_by: sort.field, sort_order: sort.order, page, page_size: pageSize });

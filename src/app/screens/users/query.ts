import { PAGE_SIZE, pageSizes, playerSorts, type PlayerSort } from '../../../contract/constants';
import { nextSort, type Sort } from '../../ui/SortableTh';

/** What the list of players is asked for: all of it stands in the address bar. */
export interface UsersQuery { search: string; page: number; pageSize: number; sort: Sort<PlayerSort> }
export type UsersQueryEvent =
  | { type: 'searched'; search: string }
  | { type: 'paged'; page: number }
  | { type: 'resized'; pageSize: number }
  | { type: 'sorted'; field: PlayerSort };

/** The same in the words of the address; these are the defaults, which the address leaves out (spec 9). */
export const usersAddress = { search: '', sort: 'updated_at', order: 'desc', page: '1', size: String(PAGE_SIZE) };
export type UsersAddress = Record<keyof typeof usersAddress, string>;

/** What an address asks for. Typed by hand it may say anything: whatever makes no sense becomes the default. */
export function usersQueryOf({ search, sort, order, page, size }: UsersAddress): UsersQuery {
  return {
    search,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    pageSize: pageSizes.find((known) => String(known) === size) ?? PAGE_SIZE,
    sort: { field: playerSorts.find((known) => known === sort) ?? 'updated_at', order: order === 'asc' ? 'asc' : 'desc' },
  };
}

export const usersAddressOf = ({ search, page, pageSize, sort }: UsersQuery): UsersAddress =>
  ({ search, sort: sort.field, order: sort.order, page: String(page), size: String(pageSize) });

/** A new search or page size starts again at page 1 (spec 4). */
export function usersQueryReducer(query: UsersQuery, event: UsersQueryEvent): UsersQuery {
  switch (event.type) {
    case 'searched': return { ...query, search: event.search, page: 1 };
    case 'resized':  return { ...query, pageSize: event.pageSize, page: 1 };
    case 'paged':    return { ...query, page: event.page };
    case 'sorted':   return { ...query, sort: nextSort(query.sort, event.field) };
  }
}

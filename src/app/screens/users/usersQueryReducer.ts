import type { PlayerSort } from '../../../contract/constants';
import type { UsersAddress, UsersQuery } from '../../start/usersQuery';
import { nextSort } from '../../ui/SortableTh';

export type UsersQueryEvent =
  | { type: 'searched'; search: string }
  | { type: 'narrowed'; by: Partial<Pick<UsersQuery, 'tenant' | 'segment'>> }
  | { type: 'paged'; page: number }
  | { type: 'resized'; pageSize: number }
  | { type: 'sorted'; field: PlayerSort };

export const toUsersAddress = ({ tenant, search, segment, page, pageSize, sort }: UsersQuery): UsersAddress => ({
  tenant,
  search,
  segment,
  sort: sort.field,
  order: sort.order,
  page: String(page),
  size: String(pageSize),
});

/** A new search, tenant, selection or page size goes back to page 1 (docs/product.md, "Users"). */
export function usersQueryReducer(query: UsersQuery, event: UsersQueryEvent): UsersQuery {
  switch (event.type) {
    case 'searched':
      return { ...query, search: event.search, page: 1 };
    case 'narrowed':
      return { ...query, ...event.by, page: 1 };
    case 'resized':
      return { ...query, pageSize: event.pageSize, page: 1 };
    case 'paged':
      return { ...query, page: event.page };
    case 'sorted':
      return { ...query, sort: nextSort(query.sort, event.field) };
  }
}

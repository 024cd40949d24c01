import { type MoneySort, moneySorts } from '../../../contract/constants';
import type { ListQuery } from '../../../contract/entities';
import type { Sort } from '../../ui/SortableTh';

/** How a list of money is sorted; '' is its own order. */
export type ListSort = Sort<MoneySort | ''>;
export const ownOrder: ListSort = { field: '', order: 'asc' };

/** Parses an address; an unknown column is the list's own order. */
export const parseSort = ({ sort, order }: { sort: string; order: string }): ListSort => ({
  field: moneySorts.find((known) => known === sort) ?? '',
  order: order === 'desc' ? 'desc' : 'asc',
});

/** Ascending, then descending, then the list's own order again. */
export const nextListSort = (sort: ListSort, field: MoneySort): ListSort =>
  sort.field !== field ? { field, order: 'asc' } : sort.order === 'asc' ? { field, order: 'desc' } : ownOrder;

/** As the call takes it. */
export const toSortQuery = ({ field, order }: ListSort): Pick<ListQuery, 'order' | 'sort_by' | 'sort_order'> =>
  field ? { sort_by: field, sort_order: order } : { order: 'pending_first' };

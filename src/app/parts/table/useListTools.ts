import type { MoneyList, MoneySort } from '../../../contract/constants';
import { useFeature } from '../../state/session';
import type { Queue } from '../queue/useQueue';
import { type ListSort, nextListSort } from './moneySort';
import { type Columns, useColumns } from './useColumns';
import { type Selection, useSelection } from './useSelection';

/** What a list of money offers beyond its rows: sorting, selecting, and choosing columns. */
export interface ListTools<Row> {
  sort: ListSort;
  setSort: (sort: ListSort) => void;
  /** A click on the head of a column. */
  onSort: (field: MoneySort) => void;
  selection: Selection<Row>;
  columns: Columns;
}

/** Null if the server does not offer it. `shown`: the rows in their order on screen. */
export function useListTools<Row extends { id: number }>(
  list: MoneyList,
  queue: Queue<Row>,
  shown: readonly Row[] | undefined,
): ListTools<Row> | null {
  const isOffered = useFeature('list_tools');
  const columns = useColumns(list, { isOffered });
  const selection = useSelection(shown, JSON.stringify(queue.filter));
  const { sort, setSort } = queue;
  const onSort = (field: MoneySort) => setSort(nextListSort(sort, field));
  return isOffered ? { sort, setSort, onSort, selection, columns } : null;
}

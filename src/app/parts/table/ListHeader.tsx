import type { MoneySort } from '../../../contract/constants';
import { SortableTh } from '../../ui/SortableTh';
import type { ListTools } from './useListTools';

/** The head of a column, which sorts by it if the server offers that. */
export function ListHeader({
  tools,
  by,
  className,
  children,
}: {
  tools: Pick<ListTools<unknown>, 'sort' | 'onSort'> | null | undefined;
  by: MoneySort;
  className: string;
  children: string;
}) {
  if (!tools) return <th className={className}>{children}</th>;
  return (
    <SortableTh field={by} sort={tools.sort} onSort={() => tools.onSort(by)} className={className}>
      {children}
    </SortableTh>
  );
}

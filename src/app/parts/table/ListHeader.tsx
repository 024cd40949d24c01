import type { MoneySort } from '../../../contract/constants';
import { SortableTh } from '../../ui/SortableTh';
import type { ListTools } from './useListTools';
import type { Selection } from './useSelection';

interface Props {
  tools:
    | (Pick<ListTools<unknown>, 'sort' | 'onSort'> & {
        selection: Pick<Selection<never>, 'isAll' | 'selectAll' | 'clear'>;
      })
    | null
    | undefined;
  by: MoneySort;
  className: string;
  children: string;
}
/** The head of a column, which sorts by it if the server offers that; that of the player selects the page, too. */
export function ListHeader({ tools, by, className, children }: Props) {
  if (!tools) return <th className={className}>{children}</th>;
  const before = by === 'player' && <SelectPage selection={tools.selection} />;
  return (
    <SortableTh field={by} sort={tools.sort} onSort={tools.onSort} className={className} before={before}>
      {children}
    </SortableTh>
  );
}

const SelectPage = ({ selection }: { selection: Pick<Selection<never>, 'isAll' | 'selectAll' | 'clear'> }) => (
  <input
    type="checkbox"
    className="pick"
    aria-label="Select page"
    checked={selection.isAll}
    onChange={() => (selection.isAll ? selection.clear() : selection.selectAll())}
  />
);

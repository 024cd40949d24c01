import type { MoneySort } from '../../../contract/constants';
import { SortableTh } from '../../ui/SortableTh';
import type { ListTools } from './useListTools';
import type { Selection } from './useSelection';

type Page = Pick<Selection<never>, 'isAll' | 'selectAll' | 'clear'> & { rows: { size: number } };
interface Props {
  tools: (Pick<ListTools<unknown>, 'sort' | 'onSort'> & { selection: Page }) | null | undefined;
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

const SelectPage = ({ selection }: { selection: Page }) => (
  <input
    type="checkbox"
    className="pick"
    aria-label="Select page"
    checked={selection.isAll}
    ref={(box) => {
      if (box) box.indeterminate = selection.rows.size > 0 && !selection.isAll;
    }}
    onChange={() => (selection.isAll ? selection.clear() : selection.selectAll())}
  />
);

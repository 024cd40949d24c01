import type { ListSums, Redeem, Transaction } from '../../../contract/entities';
import { formatCount, formatCountOf } from '../../ui/formatCount';
import { usd } from '../../ui/Money';
import { useCopy } from '../useCopy';
import { ColumnChooser } from './ColumnChooser';
import { formatRows } from './copyRows';
import { addAmounts, formatSums, TOO_MANY } from './formatSums';
import { ownOrder } from './moneySort';
import type { ListTools } from './useListTools';

/** The line above the table: what the filtered list adds up to, what is selected, and the columns. */
export function ListBar<Row extends Transaction | Redeem>({
  tools: { selection, columns, sort, setSort },
  rows,
  sums,
}: {
  tools: ListTools<Row>;
  /** Those on screen. */
  rows: readonly Row[] | undefined;
  /** Undefined until known. */
  sums: ListSums | undefined;
}) {
  const selected = [...selection.rows.values()];
  const isSelectedHere = rows?.some(({ id }) => selection.rows.has(id)) ?? false;
  const copy = useCopy();
  return (
    <div className="list-bar">
      <span role="status" className="sums" aria-label="Sums">
        {sums &&
          formatSums(sums).map(({ status, words }) => (
            <span key={status} className={status}>
              {words}
            </span>
          ))}
        {sums?.is_complete === false && <small>{TOO_MANY}</small>}
      </span>
      <span role="status" className="selected">
        {selected.length > 0 &&
          `${formatCount(selected.length)} selected, ${usd(addAmounts(selected.map(({ amount }) => amount)))}`}
      </span>
      <span className="list-tools">
        {selected.length > 0 && (
          <>
            <button
              type="button"
              className="secondary"
              onClick={() => copy(formatCountOf(selected.length, 'row'), formatRows(selected))}
            >
              Copy
            </button>
            <button type="button" className="secondary" aria-label="Clear selection" onClick={selection.clear}>
              Clear
            </button>
          </>
        )}
        {!isSelectedHere && (
          <button type="button" className="secondary" onClick={selection.selectAll}>
            Select page
          </button>
        )}
        {sort.field && (
          <button type="button" className="secondary" onClick={() => setSort(ownOrder)}>
            Pending first
          </button>
        )}
        <ColumnChooser {...columns} />
      </span>
    </div>
  );
}

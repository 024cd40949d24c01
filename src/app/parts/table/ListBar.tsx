import type { Status } from '../../../contract/constants';
import type { ListSums, Redeem, Transaction } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { formatCount, formatCountOf } from '../../ui/formatCount';
import { usd } from '../../ui/Money';
import { statusLabels } from '../../ui/StatusSelect';
import { BulkReport } from '../bulk/BulkReport';
import type { Decisions } from '../queue/useDecisions';
import { describeAll, type Item } from '../queue/useOutcome';
import { useCopy } from '../useCopy';
import { Views } from '../views/Views';
import { ColumnChooser } from './ColumnChooser';
import { formatRows } from './copyRows';
import { addAmounts, formatSums, TOO_MANY } from './formatSums';
import { ownOrder } from './moneySort';
import type { ListTools } from './useListTools';

/** The line above the table: what the filtered list adds up to, what is selected, and the columns. */
export function ListBar<Row extends Item & (Transaction | Redeem)>({
  tools: { selection, columns, sort, setSort },
  decisions,
  rows,
  sums,
  tenantId,
}: {
  tools: ListTools<Row>;
  decisions: Decisions<Row>;
  /** Those on screen. */
  rows: readonly Row[] | undefined;
  /** Undefined until known. */
  sums: ListSums | undefined;
  tenantId: number | undefined;
}) {
  const selected = [...selection.rows.values()];
  const isSelectedHere = rows?.some(({ id }) => selection.rows.has(id)) ?? false;
  const copy = useCopy();
  // Money that leaves is looked at one payout at a time.
  const isPayout = (row: Row) => !('transaction_type' in row);
  const decidable = (status: Status) =>
    selected.filter(
      (row) =>
        isOpen(row.status) &&
        decisions.mayDecide(row) &&
        !decisions.planned.has(row.id) &&
        !(status === 'success' && isPayout(row)),
    );
  function decideAll(open: readonly Row[], status: Status) {
    // Where nothing can be undone, it is asked before.
    const sum = usd(addAmounts(open.map(({ amount }) => amount)));
    const question = `Set ${formatCount(open.length)} to ${statusLabels[status]}, ${sum} in all?`;
    if (!decisions.waits && !confirm(question)) return;
    decisions.decideAll(open, status);
    selection.clear();
  }
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
        {selected.length > 0 && describeAll(selected)}
      </span>
      <span className="list-tools">
        {(['success', 'failed'] as const).map((status) => {
          const open = decidable(status);
          return (
            open.length > 0 && (
              <button key={status} type="button" className="secondary" onClick={() => decideAll(open, status)}>
                Set {formatCount(open.length)} to {statusLabels[status]}
              </button>
            )
          );
        })}
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
        {decisions.report && (
          <button type="button" className="secondary" onClick={() => decisions.showReport(true)}>
            Report
          </button>
        )}
        <Views columns={columns} tenantId={tenantId} />
        <ColumnChooser {...columns} />
      </span>
      {decisions.report?.isShown && (
        <BulkReport report={decisions.report} onAgain={decisions.again} onClose={() => decisions.showReport(false)} />
      )}
    </div>
  );
}

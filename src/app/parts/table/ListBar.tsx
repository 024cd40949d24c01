import type { Status } from '../../../contract/constants';
import type { ChangeReason, ListSums, Redeem, Transaction } from '../../../contract/entities';
import { Button } from '../../ui/Button';
import { formatCount, formatCountOf } from '../../ui/formatCount';
import { statusLabels } from '../../ui/StatusSelect';
import { BulkReport } from '../bulk/BulkReport';
import { toPlainCell } from '../cells';
import { type Decisions, describeAll, type Item, sumOf } from '../queue/decision';
import { useCopy } from '../useCopy';
import { useQuestion } from '../useQuestion';
import { Views } from '../views/Views';
import { ColumnChooser } from './ColumnChooser';
import { formatSums, TOO_MANY } from './formatSums';
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
  rows: readonly Row[] | undefined;
  sums: ListSums | undefined;
  tenantId: number | undefined;
}) {
  const selected = [...selection.rows.values()];
  const open = rows?.filter(decisions.isDecidable) ?? [];
  const isOpenSelected = open.every(({ id }) => selection.rows.has(id));
  const copy = useCopy();
  const { report } = decisions.many;
  return (
    <div className="list-bar">
      <span role="status" className="sums" aria-label="Sums">
        {sums &&
          formatSums(sums).map(({ status, words }) => (
            <span key={status} className={status}>
              {`${words} `}
            </span>
          ))}
        {sums?.is_complete === false && <small>{TOO_MANY}</small>}
      </span>
      <span role="status" className="selected">
        {selected.length > 0 && describeAll(selected)}
      </span>
      <span className="list-tools">
        {(['success', 'failed'] as const).map((status) => (
          <SetAll
            key={status}
            status={status}
            rows={selected.filter((row) => maySet(row, status) && decisions.isDecidable(row))}
            onSet={(rows, changeReason) => {
              void decisions.many.run(rows, { status, changeReason });
              selection.clear();
            }}
          />
        ))}
        {selected.some((row) => !maySet(row, 'success')) && <small>Redeems are paid one by one.</small>}
        {selected.length > 0 && (
          <>
            <Button onClick={() => copy(formatCountOf(selected.length, 'row'), formatRows(selected))}>Copy</Button>
            <Button aria-label="Clear selection" onClick={selection.clear}>
              Clear
            </Button>
          </>
        )}
        {!isOpenSelected && (
          <Button onClick={() => selection.selectAll(open)}>Select {formatCount(open.length)} pending</Button>
        )}
        {sort.field && <Button onClick={() => setSort(ownOrder)}>Pending first</Button>}
        {report && <Button onClick={() => decisions.many.show(true)}>Report</Button>}
        <Views columns={columns} tenantId={tenantId} />
        <ColumnChooser {...columns} />
      </span>
      {report?.isShown && (
        <BulkReport report={report} onAgain={decisions.many.again} onClose={() => decisions.many.show(false)} />
      )}
    </div>
  );
}

/** Money that leaves is looked at one payout at a time. */
const maySet = (row: object, status: Status) => status === 'failed' || 'transaction_type' in row;

function SetAll<Row extends Item>({
  rows,
  status,
  onSet,
}: {
  rows: readonly Row[];
  status: Status;
  onSet: (rows: readonly Row[], changeReason: ChangeReason) => void;
}) {
  const what = `Set ${formatCount(rows.length)} to ${statusLabels[status]}`;
  const question = useQuestion({ question: `${what}, ${sumOf(rows)} in all?`, submit: what });
  async function ask() {
    const changeReason = await question.ask();
    if (changeReason) onSet(rows, changeReason);
  }
  return (
    <>
      {rows.length > 0 && <Button onClick={ask}>{`${what} (${sumOf(rows)})`}</Button>}
      {question.dialog}
    </>
  );
}

type Row = Transaction | Redeem;
const fields: readonly [title: string, get: (row: Row) => unknown][] = [
  ['ID', (row) => row.id],
  ['User Email', (row) => row.user_email],
  ['Name', (row) => row.user_name],
  ['Status', (row) => row.status],
  ['Amount', (row) => row.amount],
  ['Initiated At', (row) => row.initiated_at],
  ['Method', (row) => ('payout_method' in row ? row.payout_method : 'payment_method' in row && row.payment_method)],
  [
    'Reference',
    (row) => ('payout_address' in row ? row.payout_address : 'payment_reference' in row && row.payment_reference),
  ],
];

/** Rows as text that a spreadsheet takes: a tab between cells. */
export const formatRows = (rows: readonly Row[]): string =>
  [fields.map(([title]) => title), ...rows.map((row) => fields.map(([, get]) => toCell(get(row))))]
    .map((cells) => cells.join('\t'))
    .join('\n');

const toCell = (value: unknown): string =>
  value === null || value === undefined || value === false ? '' : toPlainCell(String(value));

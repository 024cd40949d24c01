import { createPortal } from 'react-dom';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { formatCount, formatCountOf } from '../../ui/formatCount';
import { usd } from '../../ui/Money';
import { downloadFile } from '../downloadFile';
import { useCopy } from '../useCopy';
import { canRetry, countOutcomes, outcomeLabels, outcomes, type Report, toCsv, toText } from './report';

/** The rest is in the file. */
const SHOWN = 200;

type Props = { report: Report; onAgain: () => void; onClose: () => void };
/** What became of rows that were worked on together, and 'Try the rest again'. */
export function BulkReport({ report: { title, lines, isRunning, total }, onAgain, onClose }: Props) {
  const copy = useCopy();
  const sorted = outcomes.flatMap((is) => lines.filter((line) => line.is === is));
  const toRetry = lines.filter(canRetry).length;
  const hasAmounts = lines.some(({ row }) => row.amount !== undefined);
  // Outside of the bar that shows it, because of the styles there.
  return createPortal(
    <Dialog title={title} wide onClose={onClose}>
      <p role="status">
        {isRunning ? `${formatCount(lines.length - toRetry)} of ${formatCount(total)}…` : countOutcomes(lines)}
      </p>
      {isRunning && <progress aria-label={title} max={total} value={lines.length - toRetry} />}
      {!isRunning && toRetry > 0 && (
        <p>
          The server could not be reached for {formatCountOf(toRetry, 'row')}. You can try them again: what was done is
          not done twice.
        </p>
      )}
      <DataTable
        label={title}
        heads={['Email', hasAmounts && ['Amount', 'number'], 'Result', 'Reason']}
        of={{ data: sorted.slice(0, SHOWN), busy: false, failed: false }}
        empty={false}
      >
        {({ row, is, why }) => (
          <tr key={row.id}>
            <td className="head">{row.email}</td>
            {hasAmounts && <td className="number">{row.amount === undefined ? '-' : usd(row.amount)}</td>}
            <td className={is === 'done' ? 'gain' : 'loss'}>{outcomeLabels[is]}</td>
            <td>{why ?? '-'}</td>
          </tr>
        )}
      </DataTable>
      {sorted.length > SHOWN && (
        <small>
          The first {SHOWN} of {formatCountOf(sorted.length, 'row')}. The file has all.
        </small>
      )}
      <footer>
        <CloseButton />
        <Button onClick={() => copy('Report', toText(sorted))}>Copy</Button>
        <Button onClick={() => downloadFile(new Blob([toCsv(sorted)], { type: 'text/csv' }), 'report.csv')}>
          Download CSV
        </Button>
        {!isRunning && toRetry > 0 && (
          <button type="button" onClick={onAgain}>
            Try the rest again
          </button>
        )}
      </footer>
    </Dialog>,
    document.body,
  );
}

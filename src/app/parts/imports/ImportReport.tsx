import type { ImportKind } from '../../../contract/imports';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { formatCount } from '../../ui/formatCount';
import { downloadFile } from '../downloadFile';
import { buildRejects } from './files';
import type { Progress } from './uploadBatches';

/** The rest is in the download. */
const SHOWN = 100;

/** How many rows were created, or would be, and why some were rejected. */
export function ImportReport({ kind, progress, isCheck }: { kind: ImportKind; progress: Progress; isCheck: boolean }) {
  const { created, existing, repeated, rejects, ignored } = progress;
  const counts: [string, number][] = [
    [isCheck ? 'Would be created' : 'Created', created],
    ['Already there', existing],
    ...(repeated ? [['Repeated in the file', repeated] as [string, number]] : []),
    ['Rejected', rejects.length],
  ];
  return (
    <>
      <dl className="plain-figures">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={name === 'Rejected' && count > 0 ? 'loss' : undefined}>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {ignored.length > 0 && <p>Ignored columns: {ignored.join(', ')}.</p>}
      {rejects.length > 0 && (
        <>
          <div className="bar">
            <span>
              {rejects.length > SHOWN
                ? `The first ${SHOWN} of ${formatCount(rejects.length)} rejected rows`
                : 'Rejected rows'}
            </span>
            <Button onClick={() => downloadFile(buildRejects(rejects), `${kind}-rejects.csv`)}>
              Download rejected rows
            </Button>
          </div>
          <DataTable
            label="Rejected rows"
            className=""
            heads={[['Line', 'number'], 'Column', 'Reason']}
            of={{ data: rejects.slice(0, SHOWN), busy: false, failed: false }}
          >
            {({ line, column, reason }) => (
              <tr key={line}>
                <td className="number">{line}</td>
                <td>{column ?? '-'}</td>
                <td>{reason}</td>
              </tr>
            )}
          </DataTable>
        </>
      )}
    </>
  );
}

import { useResource } from '../../../hooks/useResource';
import { auditColumns, EntryRow } from '../../../parts/audit/AuditLog';
import { CursorPagination, useCursors } from '../../../parts/CursorPagination';
import { useApi } from '../../../state/session';
import { Rows } from '../../../ui/Rows';
import { TableFrame } from '../../../ui/TableFrame';

/** The audit log of one player, newest first. */
export function HistoryPart({ playerId, changes }: { playerId: number; changes: number }) {
  const api = useApi();
  const pages = useCursors(),
    { cursor } = pages;
  const page = useResource(
    (signal) => api.getAudit({ player_id: playerId, cursor }, { signal }),
    [api, playerId, cursor, changes],
    'Failed to fetch the audit log',
  );
  return (
    <>
      <TableFrame label="History">
        <table className="stack audit">
          <thead>
            <tr>
              {auditColumns.map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <Rows of={{ ...page, data: page.data?.entries }} span={auditColumns.length} empty="No entries yet.">
            {(entry) => <EntryRow key={entry.id} entry={entry} isOfOnePlayer />}
          </Rows>
        </table>
      </TableFrame>
      <div className="bar">
        <CursorPagination cursors={pages} page={page} />
      </div>
    </>
  );
}

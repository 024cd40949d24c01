import { useResource } from '../../../hooks/useResource';
import { auditColumns, EntryRow } from '../../../parts/audit/AuditLog';
import { CursorPagination, useCursors } from '../../../parts/CursorPagination';
import { useApi } from '../../../state/session';
import { DataTable } from '../../../ui/DataTable';

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
      <DataTable
        label="History"
        className="stack audit"
        heads={auditColumns}
        of={{ ...page, data: page.data?.entries }}
        empty="No entries yet."
      >
        {(entry) => <EntryRow key={entry.id} entry={entry} isOfOnePlayer />}
      </DataTable>
      <div className="bar">
        <CursorPagination cursors={pages} page={page} />
      </div>
    </>
  );
}

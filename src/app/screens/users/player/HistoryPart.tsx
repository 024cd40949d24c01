import { useState } from 'react';
import { useResource } from '../../../hooks';
import { EntryRow } from '../../../parts/AuditLog';
import { useApi } from '../../../session';
import { Rows } from '../../../ui/Rows';
import { TableFrame } from '../../../ui/TableFrame';

/** Everything that was done to a player's money and data, the newest first. */
export function HistoryPart({ playerId }: { playerId: number }) {
  const api = useApi();
  const [cursors, setCursors] = useState<number[]>([]);
  const cursor = cursors.at(-1);
  const page = useResource((signal) => api.getAudit({ player_id: playerId, cursor }, { signal }), [api, playerId, cursor], 'Failed to fetch the audit log');
  const next = page.data?.next_cursor;
  return (
    <>
      <TableFrame label="History">
        <table>
          <thead><tr><th>When</th><th>Who</th><th>From</th><th>What</th><th>Object</th><th>Changes</th><th>Reason</th></tr></thead>
          <Rows of={{ ...page, data: page.data?.entries }} span={7} empty="Nothing was done yet.">
            {(entry) => <EntryRow key={entry.id} of={entry} withTenant={false} />}
          </Rows>
        </table>
      </TableFrame>
      <div className="bar">
        <button type="button" className="secondary" disabled={!cursors.length || page.busy} onClick={() => setCursors(cursors.slice(0, -1))}>Newer</button>
        <button type="button" className="secondary" disabled={next == null || page.busy} onClick={() => next != null && setCursors([...cursors, next])}>Older</button>
      </div>
    </>
  );
}

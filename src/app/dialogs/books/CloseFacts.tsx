import { formatMonth } from '../../../contract/months';
import { useCall } from '../../hooks/useCall';
import { nameRows, useAlarms } from '../../parts/alarms/useAlarms';
import { useDialogApi } from '../../state/useDialogApi';
import { formatCountOf } from '../../ui/formatCount';
import { MonthFigures } from './MonthFigures';

/** What closing a month makes final, and what still looks wrong. */
export function CloseFacts({ tenantId, month, differences }: { tenantId: number; month: string; differences: number }) {
  const api = useDialogApi();
  const statement = useCall(api.getStatement, { tenant_id: tenantId, month }, 'Failed to fetch the statement');
  const alarms = useAlarms(tenantId).data ?? [];
  return (
    <>
      {statement.data ? <MonthFigures of={statement.data} /> : <p role="status">Loading…</p>}
      {differences > 0 && <p>The books do not add up.</p>}
      {alarms.length > 0 && (
        <p>
          {formatCountOf(alarms.length, 'alarm')} {alarms.length === 1 ? 'is' : 'are'} open, with{' '}
          {nameRows(alarms.reduce((sum, { rows }) => sum + rows, 0))} rows. Look at them under Notifications first.
        </p>
      )}
      <p>
        Open months before {formatMonth(month)} are closed as well. They can no longer be written to, and cannot be
        opened again.
      </p>
    </>
  );
}

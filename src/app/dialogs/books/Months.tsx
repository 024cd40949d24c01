import { useState } from 'react';
import type { BookMonth } from '../../../contract/entities';
import { formatMonth } from '../../../contract/months';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { nameRows, useAlarms } from '../../parts/alarms/useAlarms';
import { useAskedAction } from '../../parts/useAskedAction';
import { useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { formatCountOf } from '../../ui/formatCount';
import { MonthFigures } from './MonthFigures';
import { Statement } from './Statement';

/** The months of a tenant, newest first, each with its statement; one that has ended can be closed. */
export function Months({ tenantId, differences }: { tenantId: number; differences: number }) {
  const api = useDialogApi();
  const [shown, setShown] = useState<string | null>(null);
  const months = useCall(api.listBookMonths, { tenant_id: tenantId }, 'Failed to fetch the months');
  return (
    <>
      <DataTable label="Months" heads={['Month', 'State', 'Actions']} of={months}>
        {(month) => (
          <MonthRow
            key={month.month}
            {...{ month, tenantId, differences }}
            onShow={() => setShown(month.month)}
            onClosed={months.reload}
          />
        )}
      </DataTable>
      {shown && <Statement tenantId={tenantId} month={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function MonthRow({
  month: { month, closed_at, closed_by, can_close },
  tenantId,
  differences,
  onShow,
  onClosed,
}: {
  month: BookMonth;
  tenantId: number;
  differences: number;
  onShow: () => void;
  onClosed: () => Promise<void>;
}) {
  const api = useDialogApi();
  const mayClose = useMay('money');
  const name = formatMonth(month);
  const close = useAskedAction(api.closeMonth, {
    done: `${name} is closed`,
    failed: detailOr('Failed to close the month'),
    onDone: onClosed,
    question: `Close ${name}?`,
    about: <CloseFacts {...{ tenantId, month, differences }} />,
    submit: 'Close month',
    isDangerous: true,
    hasNoReason: true,
  });
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {closed_at ? (
          <>
            Closed <DateTime at={closed_at} tenantId={tenantId} />
            <small>{closed_by}</small>
          </>
        ) : can_close ? (
          'Open'
        ) : (
          'In progress'
        )}
      </td>
      <td className="actions">
        <Button aria-label={`Statement of ${name}`} onClick={onShow}>
          Statement
        </Button>
        {can_close && mayClose && (
          <Button
            aria-label={`Close month ${name}`}
            busy={close.busy}
            onClick={() => void close.ask({ body: { tenant_id: tenantId, month } })}
          >
            Close month
          </Button>
        )}
        {close.dialog}
      </td>
    </tr>
  );
}

/** What closing a month makes final, and what still looks wrong. */
function CloseFacts({ tenantId, month, differences }: { tenantId: number; month: string; differences: number }) {
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

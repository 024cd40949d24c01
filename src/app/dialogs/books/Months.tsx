import { useState } from 'react';
import type { BookMonth } from '../../../contract/entities';
import { formatMonth } from '../../../contract/months';
import { ruleFacts } from '../../../contract/notifications';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { ListedRows } from '../../parts/alarms/ListedRows';
import { nameRows, useAlarms } from '../../parts/alarms/useAlarms';
import { DialogButton } from '../../parts/DialogButton';
import { useAskedAction } from '../../parts/useAskedAction';
import { useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Money } from '../../ui/Money';
import { MonthFigures, sum } from './MonthFigures';
import { Statement } from './Statement';

const sums = ['Purchases', 'Redeems', 'GGR'] as const;

/** The months of a tenant, newest first, each with its statement; one that has ended can be closed. */
export function Months({ tenantId, differences }: { tenantId: number; differences: number }) {
  const api = useDialogApi();
  const [shown, setShown] = useState<string | null>(null);
  const months = useCall(api.listBookMonths, { tenant_id: tenantId }, 'Failed to fetch the months');
  return (
    <>
      <DataTable
        label="Months"
        className="stack rules brief"
        heads={['Month', 'State', ...sums.map((sum) => [sum, 'number'] as const), 'Actions']}
        of={months}
      >
        {(month) => (
          <MonthRow
            key={month.month}
            {...{ month, tenantId, differences }}
            others={(months.data ?? []).filter((one) => one.can_close && one.month < month.month)}
            onShow={() => setShown(month.month)}
            onClosed={months.reload}
          />
        )}
      </DataTable>
      {shown && <Statement tenantId={tenantId} month={shown} onClose={() => setShown(null)} />}
    </>
  );
}

interface RowProps extends Omit<FactsProps, 'month'> {
  month: BookMonth;
  onShow: () => void;
  onClosed: () => Promise<void>;
}
function MonthRow({ month: of, onShow, onClosed, ...about }: RowProps) {
  const { month, closed_at, closed_by, can_close, purchases, redeems } = of;
  const isKnown = typeof purchases === 'number' && typeof redeems === 'number';
  const { tenantId } = about;
  const api = useDialogApi();
  const mayClose = useMay('money');
  const name = formatMonth(month);
  const close = useAskedAction(api.closeMonth, {
    done: `${name} is closed`,
    failed: detailOr('Failed to close the month'),
    onDone: onClosed,
    question: `Close ${name}?`,
    about: <CloseFacts {...about} month={month} />,
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
      {[purchases, redeems, isKnown ? sum([purchases, -redeems]) : null].map((amount, n) => (
        <td key={sums[n]} className={isKnown ? 'number' : 'number none'} data-label={sums[n]}>
          <Money amount={amount} signed={n === 2} />
        </td>
      ))}
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

interface FactsProps {
  tenantId: number;
  month: string;
  /** The open months before it. */
  others: readonly BookMonth[];
  differences: number;
}
/** What closing a month makes final, and what still looks wrong. */
function CloseFacts({ tenantId, month, others, differences }: FactsProps) {
  const api = useDialogApi();
  const statement = useCall(api.getStatement, { tenant_id: tenantId, month }, 'Failed to fetch the statement');
  const alarms = useAlarms(tenantId).data ?? [];
  const names = [...others].reverse().map((one) => formatMonth(one.month));
  return (
    <>
      {statement.data ? <MonthFigures of={statement.data} /> : <p role="status">Loading…</p>}
      <p>
        {names.length > 0 && <b>Also closes {new Intl.ListFormat('en').format(names)}. </b>}
        What is closed can no longer be written to, and cannot be opened again.
      </p>
      {differences > 0 && <p>The books do not add up.</p>}
      {alarms.length > 0 && (
        <>
          <p>Look at what is wrong first:</p>
          <ul className="why">
            {alarms.map(({ kind, rows }) => (
              <li key={kind}>
                <DialogButton
                  className="link"
                  dialog={(close) => <ListedRows {...{ kind, tenantId }} onClose={close} />}
                >
                  {ruleFacts[kind].name}
                </DialogButton>
                {`, ${nameRows(rows)} ${rows === 1 ? 'row' : 'rows'}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

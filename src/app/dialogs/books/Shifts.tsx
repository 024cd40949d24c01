import { useState } from 'react';
import { DATE_MAX, DATE_MIN } from '../../../contract/constants';
import type { ShiftPaper as Paper, Shift, ShiftSum } from '../../../contract/entities';
import { isDay } from '../../../contract/isDay';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { downloadFile } from '../../parts/downloadFile';
import { RestedField } from '../../parts/RestedField';
import { useFeature, useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { BalanceCells } from './AccountBalance';
import { PaperDialog } from './PaperDialog';
import { CloseShift, OpenShift } from './shiftForms';

type Open = { what: 'open' } | { what: 'close' | 'show'; id: number };

/** The shifts of a day: what the cashiers counted, and what is missing. */
export function Shifts({ tenantId }: { tenantId: number }) {
  const api = useDialogApi();
  const maySet = useMay('settings'),
    mayCloseAll = useMay('money'),
    hasShifts = [useMay('queue'), useMay('payouts'), mayCloseAll].includes(true),
    mayExport = useMay('export'),
    hasAccounts = useFeature('accounts');
  const [chosen, choose] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const query = { tenant_id: tenantId, ...(chosen && { day: chosen }) };
  const shifts = useCall(api.getShiftDay, query, 'Failed to fetch the shifts');
  const { data, reload } = shifts;
  const demand = useAction(
    (is_required: boolean) => api.changeShiftSettings({ body: { is_required, tenant_id: tenantId } }),
    { done: 'Saved', failed: detailOr('Failed to save'), onDone: reload },
  );
  const save = useAction(
    async (day: string) => downloadFile(await api.exportShifts(query), `shifts-${tenantId}-${day}.csv`),
    { done: null, failed: detailOr('Failed to export the shifts') },
  );
  const shared = { tenantId, onClose: () => setOpen(null), onSaved: reload };
  const own = data?.own_id ?? null;
  return (
    <section>
      <h3>Shifts</h3>
      <div className="bar">
        <RestedField
          label="Day"
          type="date"
          min={DATE_MIN}
          max={DATE_MAX}
          value={chosen || (data?.day ?? '')}
          onValue={(text) => isDay(text) && choose(text)}
        />
      </div>
      <DataTable
        label="Shifts of the day"
        heads={['Cashier', 'Opened', 'Closed', 'Took over from', 'Differences', 'Actions']}
        of={{ ...shifts, data: data?.shifts }}
        empty="No shift on this day"
      >
        {(shift) => (
          <ShiftRow
            key={shift.id}
            {...{ shift, tenantId }}
            mayClose={mayCloseAll || (hasShifts && shift.id === own)}
            onOpen={setOpen}
          />
        )}
      </DataTable>
      {!!data?.sums.length && <Sums of={data.sums} />}
      <p className="bar">
        {hasShifts && hasAccounts && data && own === null && (
          <Button onClick={() => setOpen({ what: 'open' })}>Open my shift</Button>
        )}
        {mayExport && !!data?.shifts.length && (
          <Button busy={save.busy} onClick={() => void save.run(data.day)}>
            Export shifts
          </Button>
        )}
        {maySet && data && (
          <Button busy={demand.busy} onClick={() => void demand.run(!data.is_required)}>
            {data.is_required ? 'Let people settle without a shift' : 'Require an open shift'}
          </Button>
        )}
      </p>
      {open?.what === 'open' && <OpenShift {...shared} others={data?.shifts ?? []} />}
      {open?.what === 'close' && <CloseShift {...shared} id={open.id} />}
      {open?.what === 'show' && <ShiftPaper {...shared} id={open.id} />}
    </section>
  );
}

type RowProps = { shift: Shift; tenantId: number; mayClose: boolean; onOpen: (open: Open) => void };
function ShiftRow({ shift, tenantId, mayClose, onOpen }: RowProps) {
  const { id, cashier, opened_at, closed_at, relieved, differences } = shift;
  return (
    <tr>
      <th scope="row">{cashier}</th>
      <td data-label="Opened">
        <DateTime at={opened_at} tenantId={tenantId} />
      </td>
      <td data-label={closed_at ? 'Closed' : 'State'}>
        {closed_at ? <DateTime at={closed_at} tenantId={tenantId} /> : 'Open'}
      </td>
      <td className={relieved ? '' : 'none'} data-label="Took over from">
        {relieved ?? '-'}
      </td>
      <td className={closed_at ? '' : 'none'} data-label="Differences">
        {closed_at ? differences || 'None' : '-'}
      </td>
      <td className="actions">
        <Button aria-label={`Show the shift ${id} of ${cashier}`} onClick={() => onOpen({ what: 'show', id })}>
          Show
        </Button>
        {mayClose && !closed_at && (
          <Button aria-label={`Close the shift ${id} of ${cashier}`} onClick={() => onOpen({ what: 'close', id })}>
            Close the shift
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The evening of the owner: what the closed shifts of the day make of each account. */
const Sums = ({ of }: { of: readonly ShiftSum[] }) => (
  <DataTable
    label="Accounts of the day"
    heads={['Account', ['Shifts', 'number'], ['Moved', 'number'], ['Difference', 'number']]}
    of={{ data: [...of], busy: false, failed: false }}
  >
    {({ account_id, name, kind, shifts, moved, difference }) => (
      <tr key={account_id}>
        <th scope="row">{name}</th>
        <td className="number" data-label="Shifts">
          {shifts}
        </td>
        <BalanceCells kind={kind} of={Object.entries({ Moved: moved, Difference: difference })} />
      </tr>
    )}
  </DataTable>
);

const columns = ['Opening', 'Moved', 'Expected', 'Counted', 'Difference'] as const;

function ShiftPaper({ tenantId, id, onClose }: { tenantId: number; id: number; onClose: () => void }) {
  const api = useDialogApi();
  const paper = useCall(api.getShift, { id, tenant_id: tenantId }, 'Failed to fetch the shift');
  const { data } = paper;
  return (
    <PaperDialog
      title={`Shift ${id}`}
      isReady={!!data}
      fetchFile={() => api.exportShifts({ tenant_id: tenantId, shift_id: id })}
      fileName={`shift-${id}`}
      onClose={onClose}
    >
      {data && <Head paper={data} tenantId={tenantId} />}
      <DataTable
        label="Counts"
        heads={['Account', ...columns.map((name) => [name, 'number'] as const), 'Reason']}
        of={{ ...paper, data: data?.counts }}
      >
        {(count) => (
          <tr key={count.account_id}>
            <th scope="row">{count.name}</th>
            <BalanceCells
              kind={count.kind}
              of={columns.map((name) => [name, count[name.toLowerCase() as Lowercase<typeof name>]])}
            />
            <td className={count.reason ? '' : 'none'} data-label="Reason">
              {count.reason ?? '-'}
            </td>
          </tr>
        )}
      </DataTable>
    </PaperDialog>
  );
}

const Head = ({ paper, tenantId }: { paper: Paper; tenantId: number }) => (
  <>
    <h3>
      {paper.tenant_name}: {paper.cashier}
    </h3>
    <p>
      Opened <DateTime at={paper.opened_at} tenantId={tenantId} />
      {paper.relieved && `, took over from ${paper.relieved}`}.{' '}
      {paper.closed_at ? (
        <>
          Closed <DateTime at={paper.closed_at} tenantId={tenantId} /> by {paper.closed_by}. Its figures are final.
        </>
      ) : (
        'This shift is open.'
      )}{' '}
      What others moved is not in it.
    </p>
  </>
);

import { useEffect, useRef } from 'react';
import type { ShiftPaper as Paper } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { downloadFile } from '../../parts/downloadFile';
import { useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { BalanceCells } from './AccountBalance';
import { printAlone } from './printAlone';

const columns = ['opening', 'moved', 'expected', 'counted', 'difference'] as const;
const heads = {
  opening: 'Opening',
  moved: 'Moved',
  expected: 'Expected',
  counted: 'Counted',
  difference: 'Difference',
};

/** One shift, as a page to print and as a CSV file. */
export function ShiftPaper({ tenantId, id, onClose }: { tenantId: number; id: number; onClose: () => void }) {
  const api = useDialogApi();
  const mayExport = useMay('export');
  const page = useRef<HTMLElement>(null);
  useEffect(() => printAlone(() => page.current), []);
  const paper = useCall(api.getShift, { id, tenant_id: tenantId }, 'Failed to fetch the shift');
  const save = useAction(
    async (_: null) => downloadFile(await api.exportShifts({ tenant_id: tenantId, shift_id: id }), `shift-${id}.csv`),
    { done: null, failed: detailOr('Failed to export the shift') },
  );
  const { data } = paper;
  return (
    <Dialog title={`Shift ${id}`} wide onClose={onClose}>
      <section ref={page} aria-label={`Shift ${id}`}>
        {data && <Head paper={data} tenantId={tenantId} />}
        <DataTable
          label="Counts"
          heads={['Account', ...columns.map((name) => [heads[name], 'number'] as const), 'Reason']}
          of={{ ...paper, data: data?.counts }}
        >
          {(count) => (
            <tr key={count.account_id}>
              <th scope="row">{count.name}</th>
              <BalanceCells kind={count.kind} of={columns.map((name) => [heads[name], count[name]])} />
              <td data-label="Reason">{count.reason ?? '-'}</td>
            </tr>
          )}
        </DataTable>
      </section>
      <footer>
        {mayExport && (
          <Button busy={save.busy} onClick={() => void save.run(null)}>
            Export CSV
          </Button>
        )}
        <Button disabled={!data} onClick={() => window.print()}>
          Print
        </Button>
        <CloseButton />
      </footer>
    </Dialog>
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
      )}
    </p>
  </>
);

import { useState } from 'react';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { downloadFile } from '../../parts/downloadFile';
import { useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { formatCount } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { Select } from '../../ui/Select';

const YEARS = 7;

/** What players of a tenant were paid in a calendar year: those who reach the amount that it reports. */
export function YearPayouts({ tenantId }: { tenantId: number }) {
  const api = useDialogApi();
  const mayExport = useMay('export');
  const [years] = useState(() => Array.from({ length: YEARS }, (_, ago) => String(new Date().getFullYear() - ago)));
  const [chosen, setChosen] = useState(years[0]);
  const query = { tenant_id: tenantId, year: Number(chosen) };
  const payouts = useCall(api.listYearPayouts, query, detailOr('Failed to fetch the payouts'));
  const save = useAction(
    async (_: null) => downloadFile(await api.exportYearPayouts(query), `payouts-${tenantId}-${chosen}.csv`),
    { done: null, failed: detailOr('Failed to export the payouts') },
  );
  return (
    <>
      <p>Players whose payouts of the year reach the amount that is reported. It is set under 'Who may play'.</p>
      <Select label="Year" value={chosen} options={years} onChange={({ target }) => setChosen(target.value)} />
      <DataTable
        label="Payouts"
        heads={['User', ['Payouts', 'number'], ['Amount', 'number']]}
        of={payouts}
        empty="No payouts to report, or no amount is set"
      >
        {({ player_id, user_email, payouts: count, amount }) => (
          <tr key={player_id ?? user_email}>
            <th scope="row">{user_email}</th>
            <td className="number" data-label="Payouts">
              {formatCount(count)}
            </td>
            <td className="number" data-label="Amount">
              <Money amount={amount} />
            </td>
          </tr>
        )}
      </DataTable>
      {mayExport && (
        <Button busy={save.busy} onClick={() => void save.run(null)}>
          Export payouts
        </Button>
      )}
    </>
  );
}

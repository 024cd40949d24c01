import { Fragment, useEffect, useState } from 'react';
import type { Books as Known } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import type { Resource } from '../../hooks/useResource';
import { downloadFile } from '../../parts/downloadFile';
import { useChosenTenant } from '../../parts/useChosenTenant';
import { useFeature, useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { formatCount, formatCountOf } from '../../ui/formatCount';
import { Money } from '../../ui/Money';
import { PartTabs } from '../../ui/PartTabs';
import { Select } from '../../ui/Select';
import { Waiting } from '../../ui/Waiting';
import { Accounts } from './Accounts';
import { Months } from './Months';
import { Shifts } from './Shifts';

const FIRST = 'Ledger and months';

/** Whether the books can be trusted, and the months with their statements: of all tenants together, or of one. */
export function Books({ onClose }: { onClose: () => void }) {
  const { tenantId, picker } = useChosenTenant('Tenant', { value: '', label: 'All tenants' });
  const books = useBooks(tenantId);
  const parts = [
    FIRST,
    ...(useFeature('shifts') ? ['Shifts'] : []),
    ...(useFeature('accounts') ? ['Accounts'] : []),
    ...(useFeature('eligibility') ? ['Payouts'] : []),
  ];
  const [chosen, setOpen] = useState(FIRST);
  useCloseOnLeave(onClose); // as a row of an alarm does
  const open = tenantId === undefined ? FIRST : chosen;
  return (
    <Dialog title="Books" wide withClose onClose={onClose}>
      {picker}
      {tenantId !== undefined && <PartTabs label="Parts of the books" {...{ parts, open, onOpen: setOpen }} />}
      <Fragment key={tenantId}>
        {open === FIRST && <Ledger books={books} tenantId={tenantId} />}
        {tenantId === undefined ? (
          <p>Choose a tenant to see its months and statements.</p>
        ) : open === FIRST ? (
          <section>
            <h3>Months</h3>
            <Months tenantId={tenantId} differences={books.data?.differences ?? 0} />
          </section>
        ) : open === 'Shifts' ? (
          <Shifts tenantId={tenantId} />
        ) : open === 'Accounts' ? (
          <Accounts tenantId={tenantId} />
        ) : (
          <YearPayouts tenantId={tenantId} />
        )}
      </Fragment>
    </Dialog>
  );
}

const CHECKING_MS = 1500;

function useBooks(tenantId: number | undefined): Resource<Known> {
  const api = useDialogApi();
  const books = useCall(api.getBooks, { tenant_id: tenantId }, 'Failed to fetch the books');
  const { data, reload } = books;
  useEffect(() => {
    if (!data?.is_checking) return;
    const timer = setTimeout(() => void reload(), CHECKING_MS);
    return () => clearTimeout(timer);
  }, [data, reload]);
  return books;
}

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
    <section>
      <h3>Payouts of players</h3>
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
    </section>
  );
}

function Ledger({ books, tenantId }: { books: Resource<Known>; tenantId: number | undefined }) {
  const api = useDialogApi(),
    mayVerify = useMay('money');
  const verify = useAction(
    (_: null) => api.verifyBooks({ body: tenantId === undefined ? {} : { tenant_id: tenantId } }),
    { done: 'Verifying in the background', failed: detailOr('Failed to verify the books'), onDone: books.reload },
  );
  const { data, busy } = books;
  return (
    <section aria-label="Ledger" aria-busy={busy}>
      <h3>Ledger</h3>
      {data ? (
        <Verdict books={data} tenantId={tenantId} />
      ) : (
        <Waiting for={books} failure="Failed to fetch the books" />
      )}
      {data?.is_checking ? (
        <p role="status">
          <label>
            Verifying, {data.progress}% <progress value={data.progress} max={100} />
          </label>
        </p>
      ) : (
        mayVerify && (
          <Button disabled={!data} busy={verify.busy} onClick={() => void verify.run(null)}>
            Verify now
          </Button>
        )
      )}
    </section>
  );
}

function Verdict({ books, tenantId }: { books: Known; tenantId: number | undefined }) {
  const { verified_at, off_by, differences, findings } = books;
  if (!verified_at) return <p>Not verified yet.</p>;
  const isOff = differences > 0;
  return (
    <>
      <p>
        Last verified{' '}
        <b>
          <DateTime at={verified_at} tenantId={tenantId} />
        </b>
        , off by <b>{isOff ? <Money amount={-off_by} signed /> : <Money amount={0} />}</b>
        {isOff ? ` in ${formatCountOf(differences, 'difference')}.` : '. Everything adds up.'}
      </p>
      {isOff && (
        <ul className="why">
          {findings.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}

import { useEffect, useReducer, useState } from 'react';
import type { Books as Known } from '../../../contract/entities';
import { useCall } from '../../hooks/useCall';
import type { Resource } from '../../hooks/useResource';
import { useChosenTenant } from '../../parts/useChosenTenant';
import { useFeature } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Accounts } from './Accounts';
import { Ledger } from './Ledger';
import { Months } from './Months';
import { Shifts } from './Shifts';
import { YearPayouts } from './YearPayouts';

/** Whether the books can be trusted, and the months with their statements: of all tenants together, or of one. */
export function Books({ onClose }: { onClose: () => void }) {
  const { tenantId, picker } = useChosenTenant('Tenant', { value: '', label: 'All tenants' });
  const books = useBooks(tenantId);
  const reports = useFeature('eligibility');
  const [isReporting, setReporting] = useState(false);
  const [made, onAccount] = useReducer((accounts: number) => accounts + 1, 0);
  const hasAccounts = useFeature('accounts'),
    hasShifts = useFeature('shifts');
  return (
    <Dialog title="Books" wide withClose onClose={onClose}>
      {picker}
      <Ledger key={`ledger ${tenantId}`} books={books} tenantId={tenantId} />
      {hasAccounts && tenantId !== undefined && <Accounts key={`accounts ${tenantId} ${made}`} tenantId={tenantId} />}
      {hasShifts && tenantId !== undefined && <Shifts key={`shifts ${tenantId}`} {...{ tenantId, onAccount }} />}
      <section>
        <h3>Months</h3>
        {tenantId === undefined ? (
          <p>Choose a tenant to see its months and statements.</p>
        ) : (
          <Months key={tenantId} tenantId={tenantId} differences={books.data?.differences ?? 0} />
        )}
      </section>
      {reports && tenantId !== undefined && (
        <section>
          <h3>Payouts of players</h3>
          {isReporting ? (
            <YearPayouts key={tenantId} tenantId={tenantId} />
          ) : (
            <Button onClick={() => setReporting(true)}>Show payouts</Button>
          )}
        </section>
      )}
    </Dialog>
  );
}

/** While a check runs, its progress is asked for this often. */
const CHECKING_MS = 1500;

/** The state of the books of a tenant, or of all; asked for again while a check runs. */
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

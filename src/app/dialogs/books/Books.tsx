import { useState } from 'react';
import { useChosenTenant } from '../../parts/useChosenTenant';
import { useFeature } from '../../state/session';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Accounts } from './Accounts';
import { Ledger } from './Ledger';
import { Months } from './Months';
import { Shifts } from './Shifts';
import { useBooks } from './useBooks';
import { YearPayouts } from './YearPayouts';

/**
 * Whether the books can be trusted: when the ledger was last verified, and the months with their statements. A super
 * admin sees all tenants together, or one.
 */
export function Books({ onClose }: { onClose: () => void }) {
  const { tenantId, picker } = useChosenTenant('Tenant', { value: '', label: 'All tenants' });
  const books = useBooks(tenantId);
  const reports = useFeature('eligibility');
  const [isReporting, setReporting] = useState(false);
  const hasAccounts = useFeature('accounts'),
    hasShifts = useFeature('shifts');
  return (
    <Dialog title="Books" wide withClose onClose={onClose}>
      {picker}
      <Ledger key={`ledger ${tenantId}`} books={books} tenantId={tenantId} />
      {hasAccounts && tenantId !== undefined && <Accounts key={`accounts ${tenantId}`} tenantId={tenantId} />}
      {hasShifts && tenantId !== undefined && <Shifts key={`shifts ${tenantId}`} tenantId={tenantId} />}
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

import { useChosenTenant } from '../../parts/useChosenTenant';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { Ledger } from './Ledger';
import { Months } from './Months';
import { useBooks } from './useBooks';

/**
 * Whether the books can be trusted: when the ledger was last verified, and the months with their statements. A super
 * admin sees all tenants together, or one.
 */
export function Books({ onClose }: { onClose: () => void }) {
  const { tenantId, picker } = useChosenTenant('Tenant', { value: '', label: 'All tenants' });
  const books = useBooks(tenantId);
  return (
    <Dialog title="Books" wide onClose={onClose}>
      {picker}
      <Ledger key={`ledger ${tenantId}`} books={books} tenantId={tenantId} />
      <section>
        <h3>Months</h3>
        {tenantId === undefined ? (
          <p>Choose a tenant to see its months and statements.</p>
        ) : (
          <Months key={tenantId} tenantId={tenantId} differences={books.data?.differences ?? 0} />
        )}
      </section>
      <footer>
        <CloseButton />
      </footer>
    </Dialog>
  );
}

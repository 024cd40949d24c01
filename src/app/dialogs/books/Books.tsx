import { useState } from 'react';
import { orDash } from '../../api/parse';
import { usePathTenant } from '../../hooks/usePathTenant';
import { useTenants } from '../../parts/useTenants';
import { useUser } from '../../state/session';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { Select } from '../../ui/Select';
import { Ledger } from './Ledger';
import { Months } from './Months';
import { useBooks } from './useBooks';

/**
 * Whether the books can be trusted: when the ledger was last verified, and the months with their statements. A super
 * admin sees all tenants together, or one.
 */
export function Books({ onClose }: { onClose: () => void }) {
  const { role, tenant_id: own } = useUser();
  const opened = usePathTenant();
  const [chosen, choose] = useState(String((role.is_super_admin ? opened : own) ?? ''));
  const tenants = useTenants('Failed to fetch tenants', { enabled: role.is_super_admin });
  const tenantId = chosen ? Number(chosen) : undefined;
  const books = useBooks(tenantId);
  return (
    <Dialog title="Books" wide onClose={onClose}>
      {role.is_super_admin && (
        <Select
          label="Tenant"
          value={chosen}
          aria-busy={tenants.busy}
          onChange={(event) => choose(event.target.value)}
          options={[
            { value: '', label: 'All tenants' },
            ...(tenants.data ?? []).map(({ id, name }) => ({ value: id, label: orDash(name) })),
          ]}
        />
      )}
      <Ledger key={`ledger ${chosen}`} books={books} tenantId={tenantId} />
      <section>
        <h3>Months</h3>
        {tenantId === undefined ? (
          <p>Choose a tenant to see its months and statements.</p>
        ) : (
          <Months key={chosen} tenantId={tenantId} differences={books.data?.differences ?? 0} />
        )}
      </section>
      <footer>
        <CloseButton />
      </footer>
    </Dialog>
  );
}

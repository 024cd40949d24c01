import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { orDash } from '../../api/parse';
import { useTenants } from '../../parts/useTenants';
import { useUser } from '../../state/session';
import { CloseButton, Dialog } from '../../ui/Dialog';
import { Select } from '../../ui/Select';
import { Alarms } from './Alarms';
import { Ledger } from './Ledger';
import { Months } from './Months';
import { useBooks } from './useBooks';

/**
 * Whether the books can be trusted: when the ledger was last verified, what looks wrong, and the months with their
 * statements. A super admin sees all tenants together, or one.
 */
export function Books({ onClose }: { onClose: () => void }) {
  const { role, tenant_id: own } = useUser();
  const [path] = useLocation();
  useCloseOnLeave(onClose);
  const [chosen, choose] = useState(
    role.is_super_admin ? (/^\/tenant\/(\d{1,15})\//.exec(path)?.[1] ?? '') : String(own ?? ''),
  );
  const tenants = useTenants('Failed to fetch tenants', { enabled: role.is_super_admin });
  const tenantId = chosen ? Number(chosen) : undefined;
  const books = useBooks(tenantId);
  const nameOf = (id: number) => orDash(tenants.data?.find((tenant) => Number(tenant.id) === id)?.name);
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
      <Alarms
        key={`alarms ${chosen}`}
        books={books}
        tenantId={tenantId}
        nameOf={tenantId === undefined ? nameOf : undefined}
      />
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

/** A link in the dialog leads to a screen, which the dialog would cover. */
function useCloseOnLeave(onClose: () => void): void {
  const address = `${useLocation()[0]}?${useSearch()}`;
  const first = useRef(address);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (address !== first.current) close.current();
  }, [address]);
}

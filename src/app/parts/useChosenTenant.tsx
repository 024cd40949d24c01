import { type ReactNode, useState } from 'react';
import { orDash } from '../api/parse';
import { usePathTenant } from '../hooks/usePathTenant';
import { useUser } from '../state/session';
import { Button } from '../ui/Button';
import { Select } from '../ui/Select';
import { useTenants } from './useTenants';

/** The tenant that a dialog is about: a person's own, or a chosen one. `first`: what can be chosen in its place. */
export function useChosenTenant(
  label: string,
  first: { value: number | ''; label: string; whileLoading?: string },
): { tenantId: number | undefined; picker: ReactNode } {
  const { role, tenant_id: own } = useUser();
  const isSuper = role.is_super_admin;
  const opened = usePathTenant();
  const [chosen, choose] = useState(String((isSuper ? (opened ?? first.value) : own) ?? ''));
  const tenants = useTenants('Failed to fetch tenants', { enabled: isSuper });
  const picker = isSuper && (
    <>
      <Select
        label={label}
        value={chosen}
        aria-busy={tenants.busy}
        onChange={(event) => choose(event.target.value)}
        options={[
          { value: first.value, label: tenants.data ? first.label : (first.whileLoading ?? first.label) },
          ...(tenants.data ?? []).map(({ id, name }) => ({ value: id, label: orDash(name) })),
        ]}
      />
      {tenants.failed && <Button onClick={() => void tenants.reload()}>Retry</Button>}
    </>
  );
  return { tenantId: chosen ? Number(chosen) : undefined, picker };
}

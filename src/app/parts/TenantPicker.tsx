import { useCall } from '../hooks/useCall';
import { useApi } from '../state/session';
import { STILL_WAITING } from '../state/toasts';
import { Button } from '../ui/Button';

/** A select of all tenants; `value` is undefined until one is chosen. */
export function TenantPicker({ value, onChange }: { value: number | undefined; onChange: (tenantId: number) => void }) {
  const api = useApi();
  const tenants = useCall(api.listTenants, {}, 'Failed to fetch tenants');

  return (
    <>
      <label>
        Select Tenant
        <select
          aria-label="Select Tenant"
          value={value ?? ''}
          aria-busy={tenants.busy}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          <option value="" disabled>
            {tenants.slow ? STILL_WAITING : tenants.data || tenants.failed ? 'Choose a tenant' : 'Loading…'}
          </option>
          {tenants.data?.map((tenant) => (
            <option key={tenant.id} value={tenant.id}>
              {tenant.name}
            </option>
          ))}
        </select>
      </label>
      {tenants.failed && <Button onClick={() => void tenants.reload()}>Retry</Button>}
    </>
  );
}

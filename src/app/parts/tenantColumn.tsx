/** Whose row it is, in a list of all tenants. Nothing of this is shown in the view of one tenant. */

import { useEffect } from 'react';
import { tenantAddress } from '../../contract/routes';
import { RowLink } from '../ui/RowLink';
import { Select } from '../ui/Select';
import { useSpanning, useTenantScope } from './tenantScope';

/** The tenant's name, linked to its own list: the tab of its view that has this slug. */
export function TenantLink({ id, tab }: { id: number | undefined; tab?: string }) {
  const tenants = useSpanning();
  if (!tenants || id === undefined) return <>-</>;
  const name = tenants.get(Number(id))?.name || `Tenant ${id}`;
  return (
    <RowLink to={tenantAddress(id, tab)} title={name}>
      {name}
    </RowLink>
  );
}

/** The class of the table: `all` in a list of all tenants. */
export const useTableClass = (base: string): string => (useSpanning() ? `${base} all` : base);

/** The head of the column, in the second place. */
export function TenantHeader() {
  const { isSpanning, request } = useTenantScope();
  useEffect(() => void (isSpanning && request()), [isSpanning, request]);
  return isSpanning && <th className="tenant">Tenant</th>;
}
/** `about`: what a tablet, which hides it elsewhere, says below the name. */
export const TenantCell = ({ about, ...props }: { id: number | undefined; tab?: string; about?: string }) =>
  useSpanning() && (
    <td className="tenant" data-about={about}>
      <TenantLink {...props} />
    </td>
  );

/** Narrows a list down to one tenant; '' means all. */
export function TenantFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const tenants = useSpanning();
  if (!tenants) return null;
  return (
    <Select
      label="By tenant"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: 'All tenants' },
        ...[...tenants.values()].map(({ id, name }) => ({ value: id, label: name })),
        // it is in the address, and the tenants are not loaded yet
        ...(value && !tenants.has(Number(value)) ? [{ value, label: `Tenant ${value}` }] : []),
      ]}
    />
  );
}

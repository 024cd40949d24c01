import { useCall } from '../../hooks/useCall';
import { useApi } from '../../state/session';
import { Select } from '../../ui/Select';

/** Which cash account of the tenant is paid in to or out of; nothing while it has none. */
export function AccountField({
  tenantId,
  value,
  onChange,
}: {
  tenantId: number | undefined;
  value: number | undefined;
  onChange: (id: number | undefined) => void;
}) {
  const api = useApi();
  const { data } = useCall(api.getValueAccounts, tenantId === undefined ? {} : { tenant_id: tenantId }, null);
  const cash = (data?.accounts ?? []).filter(({ kind, is_active }) => kind === 'cash' && is_active);
  if (cash.length === 0) return null;
  return (
    <Select
      label="Account"
      options={[{ value: '', label: 'By the method' }, ...cash.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : undefined)}
    />
  );
}

import { formatDay } from '../../ui/formatDay';
import { formatPlatform } from '../../ui/formatPlatform';
import { useTenantScope } from '../tenantScope';
import { type FilterName, filterNames, noFilters, type QueueAddress } from './filters';

const labels: Record<FilterName, string> = {
  tenant: 'Tenant',
  text: 'Search',
  status: 'Status',
  from: 'From',
  to: 'To',
  platform: 'Platform',
  method: 'Method',
  min: 'Min',
  max: 'Max',
  approval: 'Approval',
};
const statusNames: Record<string, string> = { pending: 'Pending', success: 'Success', failed: 'Failed' };

/**
 * The filters that are set, each to be removed with a click, and 'Clear filters'. Their place is kept while there are
 * none, so the table below does not move.
 */
export function ActiveFilters({
  address,
  onChange,
}: {
  address: QueueAddress;
  onChange: (patch: Partial<QueueAddress>) => void;
}) {
  const { tenants } = useTenantScope();
  const active = filterNames.filter((name) => address[name] !== '');
  const formatValue = (name: FilterName) =>
    (name === 'tenant' && tenants.get(Number(address.tenant))?.name) ||
    (name === 'status' && statusNames[address.status]) ||
    (name === 'platform' && formatPlatform(address.platform)) ||
    ((name === 'from' || name === 'to') && formatDay(address[name])) ||
    (name === 'approval' && 'Waits for a second person') ||
    address[name];
  function change(patch: Partial<QueueAddress>) {
    onChange(patch);
    // The button that was pressed is gone.
    document.querySelector<HTMLElement>('.filters input, .filters button')?.focus();
  }
  return (
    <div className="active-filters" role="group" aria-label="Filters that are set">
      {active.length > 0 && (
        <button type="button" className="secondary" onClick={() => change(noFilters)}>
          Clear filters
        </button>
      )}
      {active.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          title="Remove this filter"
          onClick={() => change({ [name]: '' })}
        >
          {labels[name]}: {formatValue(name)} <span aria-hidden="true">×</span>
        </button>
      ))}
    </div>
  );
}

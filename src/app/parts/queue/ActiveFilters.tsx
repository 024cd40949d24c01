import type { Status } from '../../../contract/constants';
import type { ListPart } from '../../../contract/overview';
import { formatDay } from '../../ui/formatDay';
import { formatPlatform } from '../../ui/formatPlatform';
import { nameWithin } from '../../ui/payoutTime';
import { statusLabels } from '../../ui/StatusSelect';
import { FilterChips } from '../FilterChips';
import { useTenantScope } from '../tenantScope';
import { type FilterName, noFilters, type QueueAddress, setFilters } from './filters';

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
  settled_from: 'Settled',
  settled_to: 'Settled to',
  part: 'Part',
  key: 'Key',
};
/** What one bar of the overview stands for, in words. */
const partNames: Record<ListPart, string> = {
  hour: 'Settled in the hour',
  platform: 'Platform',
  method: 'Method',
  affiliate: 'Affiliate',
  player: 'Player',
  first: 'First purchases',
  payout: 'Time to payout',
  decided: 'Decided by',
};

/**
 * The filters that are set, each to be removed with a click, and 'Clear filters' for several. Their place is kept while
 * there are none, so the table below does not move.
 */
export function ActiveFilters({
  address,
  onChange,
}: {
  address: QueueAddress;
  onChange: (patch: Partial<QueueAddress>) => void;
}) {
  const { tenants } = useTenantScope();
  const { settled_from: from, settled_to: to } = address;
  const settled = [from, from === to ? '' : to].filter(Boolean).map(formatDay).join(' – ');
  const part = partNames[address.part as ListPart] ?? labels.part;
  const formatKey = ({ part: of, key }: QueueAddress) =>
    of === 'payout' ? nameWithin(Number(key)) : of === 'hour' ? `${key}:00` : formatPlatform(key) || 'none';
  const formatValue = (name: FilterName) =>
    (name === 'tenant' && tenants.get(Number(address.tenant))?.name) ||
    (name === 'status' && statusLabels[address.status as Status]) ||
    (name === 'platform' && formatPlatform(address.platform)) ||
    (name === 'approval' && 'Waiting for a second person') ||
    (name === 'settled_from' && settled) ||
    (isDay(name) && formatDay(address[name])) ||
    (name === 'part' && formatKey(address)) ||
    address[name];
  const isDay = (name: FilterName) => ['from', 'to', 'settled_to'].includes(name);
  /** What is gone when the filter is removed. */
  const parts: Partial<Record<FilterName, Partial<QueueAddress>>> = {
    part: { part: '', key: '' },
    settled_from: { settled_from: '', settled_to: '' },
  };
  function change(patch: Partial<QueueAddress>) {
    onChange(patch);
    // The button that was pressed is gone.
    document.querySelector<HTMLElement>('.filters input, .filters button')?.focus();
  }
  return (
    <FilterChips
      chips={setFilters(address).map((name) => ({
        name,
        words:
          name === 'part' && address.part === 'first'
            ? part
            : `${name === 'part' ? part : labels[name]}: ${formatValue(name)}`,
        onRemove: () => change(parts[name] ?? { [name]: '' }),
      }))}
      onClear={() => change(noFilters)}
    />
  );
}

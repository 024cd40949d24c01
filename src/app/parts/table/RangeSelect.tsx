import { formatDayIn } from '../../../contract/timeZones';
import { Select } from '../../ui/Select';
import { useZone } from '../../ui/zones';
import { findRange, ranges } from './ranges';

interface Props {
  from: string;
  to: string;
  tenantId: number | undefined;
  onChange: (range: { from: string; to: string }) => void;
}
/** Sets both dates at once. Today is the business day of the tenant, or of all tenants if they share a zone. */
export function RangeSelect({ from, to, tenantId, onChange }: Props) {
  const { zone } = useZone(tenantId);
  const today = formatDayIn(new Date(), zone);
  const range = findRange({ from, to }, today);
  const isOther = range === '' && (from !== '' || to !== '');
  return (
    <Select
      label="Range"
      value={isOther ? 'other' : range}
      onChange={({ target }) =>
        onChange(ranges.find(({ name }) => name === target.value)?.get(today) ?? { from: '', to: '' })
      }
      options={[
        { value: '', label: 'All days' },
        ...ranges.map(({ name, label }) => ({ value: name, label })),
        ...(isOther ? [{ value: 'other', label: 'Custom' }] : []),
      ]}
    />
  );
}

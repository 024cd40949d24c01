import { parseTimestamp } from '../api/parse';
import { formatExactly, getFormat, useZone, zoneName } from './zones';

const day = { month: 'short', day: 'numeric' } as const;
const dayWithTime = { ...day, hour: 'numeric', minute: '2-digit' } as const;
const dayWithYear = { ...day, year: 'numeric' } as const;

interface Props {
  at: string | null | undefined;
  dateOnly?: boolean;
  /** Whose date it is, in a list that spans tenants. */
  tenantId?: number | undefined;
  isInRow?: boolean;
}
/**
 * A short date and time in the user's locale and the time zone of the business (docs/product.md, "Business day"): dates
 * of this year with the time and the zone, others with the year. The exact moment is shown under the mouse, and when it
 * has the focus. `isInRow`: the list names the zone, and its rows take the focus. A dash for none.
 */
export function DateTime({ at, dateOnly = false, tenantId, isInRow = false }: Props) {
  const { zone, isMixed } = useZone(tenantId);
  const moment = parseTimestamp(at);
  if (!moment) return <>-</>;
  const yearOf = (date: Date) => getFormat({ year: 'numeric' }, zone).format(date);
  const hasYear = dateOnly || yearOf(moment) !== yearOf(new Date());
  const isNamed = zone !== undefined && !hasYear && (isMixed || !isInRow);
  return (
    <time dateTime={moment.toISOString()} title={formatExactly(moment, zone)} tabIndex={isInRow ? undefined : 0}>
      {getFormat(hasYear ? dayWithYear : dayWithTime, zone).format(moment)}
      {isNamed && <small> {zoneName(zone, moment)}</small>}
    </time>
  );
}

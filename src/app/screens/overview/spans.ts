/** Days, weeks and months as the overview names them. Weeks start on Sunday. */
import { addDays, startOfMonth, startOfWeek } from '../../../contract/dates';
import type { OverviewUnit } from '../../../contract/overview';
import { formatDay } from '../../ui/formatDay';

const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString(undefined, { ...options, timeZone: 'UTC' });

/** A span in full: 'Mon, Nov 23', 'Nov 22 – Nov 28', 'November 2026'. */
export const nameSpan = (unit: OverviewUnit, starts: string): string =>
  unit === 'day'
    ? `${format(starts, { weekday: 'short' })}, ${formatDay(starts)}`
    : unit === 'week'
      ? `${formatDay(starts)} – ${formatDay(addDays(starts, 6))}`
      : format(starts, { month: 'long', year: 'numeric' });
/** 'Oct 1 – 26'. */
export const nameDays = (starts: string, ends: string): string =>
  new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }).formatRange(
    new Date(starts),
    new Date(ends),
  );
/** The same below a column: '23', 'Nov 22', 'Nov'. */
export const nameStep = (unit: OverviewUnit, starts: string): string =>
  unit === 'month'
    ? format(starts, { month: 'short' })
    : format(
        starts,
        unit === 'week' || starts.endsWith('-01') ? { month: 'short', day: 'numeric' } : { day: 'numeric' },
      );
export const nameWeekday = (day: string): string => format(day, { weekday: 'long' });

export const startOf = (unit: OverviewUnit, day: string): string =>
  unit === 'day' ? day : unit === 'week' ? startOfWeek(day) : startOfMonth(day);
/** A day of the span before or after the one that starts here. */
export const beside = (unit: OverviewUnit, starts: string, step: -1 | 1): string =>
  step === -1 ? addDays(starts, -1) : addDays(starts, { day: 1, week: 7, month: 31 }[unit]);

import { parseTimestamp } from '../api/parse';

// Creating a formatter takes longer than formatting a hundred dates.
const formats = new Map<string, Intl.DateTimeFormat>();
const getFormat = (part: 'time' | 'year'): Intl.DateTimeFormat => {
  const format =
    formats.get(part) ??
    new Intl.DateTimeFormat(undefined, {
      month: 'short',
      day: 'numeric',
      ...(part === 'year' ? { year: 'numeric' } : { hour: 'numeric', minute: '2-digit' }),
    });
  formats.set(part, format);
  return format;
};

/**
 * A short date and time in the user's locale and time zone: dates of this year with the time, others with the year. The
 * exact time is the tooltip. A dash for none.
 */
export function DateTime({ at, dateOnly = false }: { at: string | null | undefined; dateOnly?: boolean }) {
  const moment = parseTimestamp(at);
  if (!moment) return <>-</>;
  const exact = moment.toISOString();
  const hasYear = dateOnly || moment.getFullYear() !== new Date().getFullYear();
  return (
    <time dateTime={exact} title={exact}>
      {getFormat(hasYear ? 'year' : 'time').format(moment)}
    </time>
  );
}

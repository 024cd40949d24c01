import { parseTimestamp } from '../api/parse';

// A formatter costs more to make than a hundred dates to format.
const formats = new Map<string, Intl.DateTimeFormat>();
const getFormat = (part: 'time' | 'year'): Intl.DateTimeFormat => {
  const format = formats.get(part) ?? new Intl.DateTimeFormat(undefined, {
    month: 'short', day: 'numeric', ...(part === 'year' ? { year: 'numeric' } : { hour: 'numeric', minute: '2-digit' }),
  });
  formats.set(part, format);
  return format;
};

/** When it was, short, in the person's own locale and zone: this year's with the time of day, earlier and later ones with the year. The exact moment on hover; a dash for none. */
export function DateTime({ at, dateOnly = false }: { at: string | null | undefined; dateOnly?: boolean }) {
  const moment = parseTimestamp(at);
  if (!moment) return <>-</>;
  const exact = moment.toISOString();
  const hasYear = dateOnly || moment.getFullYear() !== new Date().getFullYear();
  return <time dateTime={exact} title={exact}>{getFormat(hasYear ? 'year' : 'time').format(moment)}</time>;
}

import { toMoment } from '../read';

// A formatter costs more to make than a hundred dates to format.
const formats = new Map<boolean, Intl.DateTimeFormat>();
const formatOf = (dateOnly: boolean): Intl.DateTimeFormat => {
  const format = formats.get(dateOnly) ?? new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', ...(!dateOnly && { timeStyle: 'short' }) });
  formats.set(dateOnly, format);
  return format;
};

/** Date and time in the person's own locale and zone, the exact moment on hover; a dash for none. */
export function When({ at, dateOnly = false }: { at: string | null | undefined; dateOnly?: boolean }) {
  const moment = toMoment(at);
  if (!moment) return <>-</>;
  const exact = moment.toISOString();
  return <time dateTime={exact} title={exact}>{formatOf(dateOnly).format(moment)}</time>;
}

/** A date such as '2026-07-03' in the person's locale, without a time zone: with the year if it is not this one. */
export function formatDay(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  if (Number.isNaN(noon.getTime())) return day;
  const hasYear = noon.getUTCFullYear() !== new Date().getFullYear();
  return noon.toLocaleDateString(undefined, {
    month: 'short',
    day: 'numeric',
    ...(hasYear && { year: 'numeric' }),
    timeZone: 'UTC',
  });
}

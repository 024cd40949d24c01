/** Calendar days of a moment, and the names of time zones. */

/** The calendar day of a date in an IANA time zone; without one, in the browser's. */
export function formatDayIn(date: Date, timeZone?: string): string {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  // By parts: no locale puts them in the same order in every browser.
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(date);
  return ['year', 'month', 'day'].map((name) => parts.find(({ type }) => type === name)?.value).join('-');
}

/** Whether it is the name of a time zone. Intl accepts offsets too, but PostgreSQL reads their sign the other way. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

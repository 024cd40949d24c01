import { getFormat } from './zones';

/** The whole moment with its zone: 'Nov 21, 2026, 4:20:05 PM PST (America/Los_Angeles)'. */
export function formatExactly(at: Date, zone: string | undefined): string {
  const format = getFormat({ dateStyle: 'medium', timeStyle: 'long' }, zone);
  const { timeZone } = format.resolvedOptions();
  const text = format.format(at);
  return text.endsWith(timeZone) ? text : `${text} (${timeZone})`;
}

/** In which time zone dates are shown: the one in which the business days of their tenant begin. */
import { createContext, useContext } from 'react';

/** IANA names. Undefined: the server does not say, and dates are shown in the browser's zone. */
type Zone = string | undefined;

interface Zones {
  /** Of the one tenant whose view this is. */
  zone?: Zone;
  /** Of each tenant in a list that spans tenants. */
  ofTenant?: (tenantId: number | undefined) => Zone;
  /** The tenants of the list have different zones, so each date names its own. */
  isMixed?: boolean;
}
export const ZonesContext = createContext<Zones>({});

/** The zone for the dates of a tenant. */
export function useZone(tenantId?: number): { zone: Zone; isMixed: boolean } {
  const { zone, ofTenant, isMixed = false } = useContext(ZonesContext);
  return { zone: ofTenant ? ofTenant(tenantId) : zone, isMixed };
}

// Creating a formatter takes longer than formatting a hundred dates.
const formats = new Map<string, Intl.DateTimeFormat>();
/** A formatter in the person's locale. */
export function getFormat(options: Intl.DateTimeFormatOptions, zone: Zone, locale?: string): Intl.DateTimeFormat {
  const key = JSON.stringify([options, zone, locale]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, ...(zone && { timeZone: zone }) });
  formats.set(key, format);
  return format;
}

/** The short name of a zone at a moment, such as PST or GMT+1. */
export const zoneName = (zone: Zone, at = new Date()): string =>
  getFormat({ timeZoneName: 'short' }, zone, 'en-US')
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The whole moment with its zone: 'Nov 21, 2026, 4:20:05 PM PST (America/Los_Angeles)'. */
export function formatExactly(at: Date, zone: string | undefined): string {
  const format = getFormat({ dateStyle: 'medium', timeStyle: 'long' }, zone);
  const { timeZone } = format.resolvedOptions();
  const text = format.format(at);
  return text.endsWith(timeZone) ? text : `${text} (${timeZone})`;
}

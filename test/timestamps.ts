/** Moments for tests of business days, placed by the wall clock of a time zone. */
import { lockTimeZone, recountDays } from '../src/server/totals/countFacts';
import { db, sql } from './world';

/** A zone where it is about noon now, so that no test runs into midnight. */
export const noonZone = (): string => zoneAt(12);
/** A zone where it is about this hour now, of the same day as in `noonZone` or of the one beside it. */
export function zoneAt(hour: number): string {
  let offset = hour - new Date().getUTCHours();
  if (offset > 14) offset -= 24;
  if (offset < -12) offset += 24;
  // The sign is reversed in these names.
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

export const setZone = async (tenantId: number, zone: string): Promise<void> => {
  await db.tx(async (tx) => {
    await lockTimeZone(tx, tenantId);
    await tx`update tenants set time_zone = ${zone} where id = ${tenantId}`;
    await recountDays(tx, tenantId);
  });
};

/** The moment a zone's clocks show this: `at('America/New_York', '2026-03-08 23:59:59.999')`. */
export async function at(zone: string, wallClock: string): Promise<Date> {
  const [row] = await sql<{ moment: Date }[]>`select ${wallClock}::text::timestamp at time zone ${zone} as moment`;
  return row!.moment;
}
/** Today's date in a zone, by JavaScript's own calendar. */
export const todayIn = (zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(),
  );

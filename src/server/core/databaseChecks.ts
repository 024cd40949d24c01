/** What a start finds out about its database, beside what `openDatabase` demands. */
import type { Database } from '../db/open';
import type { Log } from './log';
import { SettingsError } from './settings';

/** The database computes business days, and its list of time zones may be older than ours. */
export async function refuseUnknownZone({ sql }: Database, zone: string): Promise<void> {
  const [known] = await sql`select 1 from pg_timezone_names where lower(name) = lower(${zone})`;
  if (!known) throw new SettingsError(`BUSINESS_TIMEZONE ${zone} is not known to the database.`);
}

/** Such a locale treats É and é as different in searches and e-mails. It cannot be changed, so this only warns. */
export async function warnOfPlainLocale({ sql }: Database, log: Log): Promise<void> {
  const [locale] = await sql<{ is_plain: boolean }[]>`select lower('ÉЖ') <> 'éж' as is_plain`;
  if (locale?.is_plain)
    log.warn(
      'the locale of the database only knows the letters A to Z, ' +
        'so searches and e-mail addresses treat É and é as different letters; ' +
        'create the database with the locale C.UTF-8 or an ICU locale',
    );
}

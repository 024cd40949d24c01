/** What the books tell the bells: what their check found, and rows of their alarms (docs/extras/books.md, "Books"). */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { type Alarm, alarmLabels, alarms } from '../../contract/months';
import { SILENT_HOURS, selectAlarm } from '../books/alarms';
import type { Sql } from '../db/open';
import type { Found } from './record';
import { isNew, usd, watchedTenants } from './rules';

/** The most findings, and the most rows of an alarm, that one look finds in one tenant. */
const AT_ONCE = 100;

/**
 * Each difference that the last complete check of a tenant's books found. It is the same one as long as it is off by as
 * much, although the balances in its sentence move on. The platform also learns of what `npm run verify`, a backup and
 * the quick comparison of monitoring (`drift`) found, if that is more than the books know.
 */
export const findLedgerOff = (sql: Sql, drift: number) => sql<Found[]>`
  with ${watchedTenants(sql, 'ledger_off')},
  known as materialized (
    select coalesce(sum(differences), 0) as differences, coalesce(sum(off_by), 0) as off_by from book_checks
  ), off as (
    select task as thing, findings || ' differences were found by the last ' || task as title,
      'Run npm run verify to see them' as detail
    from upkeep cross join known where findings > known.differences
    union all
    select 'drift', 'Wallets and transfers differ by ' || ${usd(sql, sql`${drift}::numeric`)},
      'Among the wallets moved in the last minutes. Verify the books'
    from known where ${drift}::numeric > known.off_by
  )
  select w.tenant_id, d.thing, w.about as about_tenant_id, null::text as object_id,
    'Ledger off: ' || d.sentence as title,
    case when d.off_by > 0 then 'Off by ' || ${usd(sql, sql`d.off_by`)} else '' end as detail
  from watched w join book_checks c on c.tenant_id = w.about
  cross join lateral (
    select sentence, off_by,
      'book ' || w.about || ' '
        || md5(regexp_replace(sentence, '-?[0-9]+[.][0-9]+|[[:<:]]0[[:>:]]', '', 'g') || ' ' || off_by) as thing
    from book_differences
    where tenant_id = c.tenant_id and started_at <= c.finished_at -- not of a check that is under way
    order by id limit ${AT_ONCE}
  ) d
  union all
  select r.tenant_id, off.thing, null, null, off.title, off.detail
  from rule r cross join off where r.tenant_id = ${PLATFORM_TENANT_ID}`;

/** Those of the alarms that are about money; a provider has a rule of its own. */
export const moneyAlarms = alarms.filter((alarm): alarm is Exclude<Alarm, 'provider'> => alarm !== 'provider');

/** New rows of an alarm. What it is about is named by number: no notification has the name of a player. */
export const findAlarmRows = (sql: Sql, alarm: Exclude<Alarm, 'provider'>) => {
  const what = alarm === 'foreign_address' ? 'redeem' : 'purchase';
  return sql<Found[]>`
    with ${watchedTenants(sql, 'book_alarm')}
    select w.tenant_id, ${alarm}::text || ' ' || x.key as thing, w.about as about_tenant_id,
      ${alarm}::text as object_id, ${alarmLabels[alarm]}::text || ': '
        || case when x.money_id is null then 'player ' || x.player_id else ${what}::text || ' ' || x.money_id end
        || case when x.amount < 0 then ', -' else ', ' end || ${usd(sql, sql`abs(x.amount)`)} as title,
      '' as detail
    from watched w join (${selectAlarm(sql, alarm, null, AT_ONCE)}) x on x.tenant_id = w.about
    where ${isNew(sql, 'book_alarm', 'w.tenant_id', sql`${alarm}::text || ' ' || x.key`)}`;
};

/** Active payment processors that delivered something in the week before, and now nothing for a day. */
export const findSilentProviders = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'provider_failing')}
  select w.tenant_id, x.key || ' ' || w.about || ' silent' as thing, w.about as about_tenant_id, x.key as object_id,
    x.key || ' has delivered nothing for ' || ${SILENT_HOURS}::int || ' hours' as title, '' as detail
  from watched w join (${selectAlarm(sql, 'provider', null, AT_ONCE)}) x on x.tenant_id = w.about
  where x.at < now() - make_interval(hours => ${SILENT_HOURS}::int)`;

/** What rules about the state of the installation find. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Sql } from '../db/open';
import type { Found } from './record';
import { activeRules, counted, watchedTenants } from './rules';

/** Deliveries of payment processors, in the last hour, that need a person or were left halfway. */
export const findFailingProviders = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'provider_failing')},
  failing as materialized (
    select tenant_id, payment_platform, count(*) as count, max(detail) as detail from webhook_deliveries
    where last_at > now() - interval '1 hour'
      and (outcome = 'attention' or (outcome = 'received' and last_at < now() - interval '5 minutes'))
    group by tenant_id, payment_platform
  )
  select w.tenant_id, f.payment_platform || ' ' || w.about as thing, w.about as about_tenant_id,
    f.payment_platform as object_id,
    ${counted(sql, sql`f.count`, 'delivery', 'deliveries')} || ' of ' || f.payment_platform
      || ' failed in the last hour' as title,
    coalesce('One of them: ' || f.detail, '') as detail
  from watched w join failing f on f.tenant_id = w.about
  where f.count >= w.threshold`;

/** Without any backup, the age of the installation counts. */
export const findOldBackup = (sql: Sql) => sql<Found[]>`
  with ${activeRules(sql, 'old_backup')},
  last as (
    select max(at) as at from upkeep where task = 'backup'
  ), since as (
    select coalesce(last.at, (select created_at from installation), now()) as at, last.at is null as is_none from last
  )
  select ${PLATFORM_TENANT_ID}::bigint as tenant_id, 'backup' as thing, null::bigint as about_tenant_id,
    null::text as object_id,
    case when is_none then 'There is no backup yet'
      else 'The last backup is ' || ${counted(sql, sql`floor(extract(epoch from now() - since.at) / 3600)`, 'hour')}
        || ' old' end
      as title,
    'Older than ' || ${counted(sql, sql`trunc(r.threshold)`, 'hour')} as detail
  from rule r cross join since
  where since.at < now() - make_interval(hours => r.threshold::int)`;

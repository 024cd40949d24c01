/** The rule about the ledger: what the check of the books found (docs/extras/books.md, "Books"). */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Sql } from '../db/open';
import type { Found } from './record';
import { AT_ONCE, usd, watchedTenants } from './rules';

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
    select task as dedup_key, findings || ' differences were found by the last ' || task as title,
      'Run npm run verify to see them' as detail
    from upkeep cross join known where findings > known.differences
    union all
    select 'drift', 'Wallets and transfers differ by ' || ${usd(sql, sql`${drift}::numeric`)},
      'Among the wallets moved in the last minutes. Verify the books'
    from known where ${drift}::numeric > known.off_by
  )
  select w.tenant_id, d.dedup_key, w.about as about_tenant_id, null::text as object_id,
    'Ledger off: ' || d.sentence as title,
    case when d.off_by > 0 then 'Off by ' || ${usd(sql, sql`d.off_by`)} else '' end as detail
  from watched w join book_checks c on c.tenant_id = w.about
  cross join lateral (
    select sentence, off_by,
      'book ' || w.about || ' '
        || md5(regexp_replace(sentence, '-?[0-9]+[.][0-9]+|[[:<:]]0[[:>:]]', '', 'g') || ' ' || off_by) as dedup_key
    from book_differences
    where tenant_id = c.tenant_id and started_at <= c.finished_at -- not of a check that is under way
    order by id limit ${AT_ONCE}
  ) d
  union all
  select r.tenant_id, off.dedup_key, null, null, off.title, off.detail
  from rule r cross join off where r.tenant_id = ${PLATFORM_TENANT_ID}`;

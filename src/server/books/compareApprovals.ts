/** What two people must agree on, against the audit log, whose limits count: what was approved, and what was done. */
import { balanceKinds } from '../../contract/constants';
import type { Fragment, Sql } from '../db/open';
import type { LedgerRecord } from './compareWithAudit';

/** Minutes around a change of the limits in which a call can still have read the ones before. */
const APART = 1;

/** The limit in force at entry e, as the log says; null while there is none, or if it changed at about that time. */
const inForce = (sql: Sql, name: 'payouts_from' | 'edits_from') => sql`(
  select (l.after ->> ${name})::numeric from limits l
  where l.tenant_id = e.tenant_id and l.after -> ${name} is not null
    and l.at < e.at - make_interval(mins => ${APART}) and not exists (
      select 1 from limits n where n.tenant_id = e.tenant_id and n.after -> ${name} is not null
        and n.at between e.at - make_interval(mins => ${APART}) and e.at + make_interval(mins => ${APART}))
  order by l.id desc limit 1)`;

/** What one person f approved is what e added to the balances. Old entries have the sum alone. */
const isSameEdit = (sql: Sql) => sql`
  (f.after ->> 'sum')::numeric = e.sum and f.after - array['approved', 'approval', 'sum'] in ('{}', e.added)`;

/** How many first approvals there were by others, before entry e, of what it did, and were not ended since. */
const firstsOf = (sql: Sql, isSame: Fragment) => sql`(
  select count(*) from first f
  where f.tenant_id = e.tenant_id and f.kind = e.kind and f.object_id = e.object_id and f.id < e.id
    and f.admin_id is distinct from e.admin_id and ${isSame} and not exists (
      select 1 from ended n
      where n.tenant_id = f.tenant_id and n.kind = f.kind and n.object_id = f.object_id and n.id > f.id and n.id < e.id
        and (n.kind <> 'player' or n.after -> 'approval' = f.after -> 'approval')))`;

/** The CTEs: entries of the log that set limits, were first of two, or did something that may need two. */
const entries = (sql: Sql, { entry_id }: LedgerRecord) => sql`
  by as materialized (
    select a.*, coalesce(a.admin_id, (
      select k.admin_id from public.audit_log k
      where k.call = 'createApiKey' and k.tenant_id = a.tenant_id and a.email = 'API key ' || (k.after ->> 'prefix')
      order by k.id desc limit 1)) as person
    from public.audit_log a
    where a.kind in ('redeem', 'return', 'player', 'tenant') and a.id > ${entry_id} and a.call in
      ('changeRedeemStatus', 'changePurchaseStatus', 'pushStatus', 'adjustBalances', 'approveChange',
        'changeApprovalLimits', 'endApproval')
  ), ended as materialized (
    select tenant_id, id, kind, object_id, after::jsonb as after from by where call = 'endApproval'
  ), limits as materialized (
    select tenant_id, id, at, call, after::jsonb as after from by
    where kind = 'tenant' and call <> 'endApproval' and after is not null and after ->> 'approved' is null
  ), first as materialized (
    select tenant_id, id, kind, object_id, person as admin_id, after::jsonb as after from by
    -- The words '1 of 2' are encrypted. 0.2.0 did not write them of what a key was first to approve.
    where after ->> 'approved' is not null or (call = 'pushStatus' and kind = 'redeem' and after ->> 'status' is null)
  ), paid as materialized (
    select b.tenant_id, b.id, b.at, b.kind, b.object_id, b.person as admin_id, b.call, m.amount
    from by b join public.redeems m on m.tenant_id = b.tenant_id and m.id::text = b.object_id
    where b.kind = 'redeem' and b.after ->> 'status' = 'success'
    union all
    select b.tenant_id, b.id, b.at, b.kind, b.object_id, b.person, b.call, m.amount
    from by b join public.transactions m on m.tenant_id = b.tenant_id and m.id::text = b.object_id
    where b.kind = 'return' and b.after ->> 'status' = 'success'
  ), edit as materialized (
    select b.tenant_id, b.id, b.at, b.kind, b.object_id, b.person as admin_id, b.call, k.*
    from by b cross join lateral (
      select jsonb_object_agg(kind, added) as added, sum(abs(added)) as sum
      from unnest(${[...balanceKinds]}::text[]) as kind cross join lateral (
        select (b.after ->> (kind || '_balance'))::numeric - (b.before ->> (kind || '_balance'))::numeric as added) v
      where added <> 0
    ) k
    where b.kind = 'player' and b.before is not null
  )`;

/** Returns a sentence for each difference, at most 1000. */
export async function compareApprovals(sql: Sql, record: LedgerRecord): Promise<string[]> {
  const isSameLimit = (name: string) => sql`
    (e.after -> ${name} is null or (e.after ->> ${name})::numeric is not distinct from (f.after ->> ${name})::numeric)`;
  /** Changes of the limits wait for each other, so the one before is known. */
  const before = (name: string) => sql`(
    select (l.after ->> ${name})::numeric from limits l
    where l.tenant_id = e.tenant_id and l.id < e.id and l.after -> ${name} is not null order by l.id desc limit 1)`;
  const rows = await sql<{ sentence: string }[]>`
    with ${entries(sql, record)}
    select format('%s %s of tenant %s (%s) was %s, but the audit log does not say that two people agreed.', initcap(kind),
      object_id, tenant_id, amount, case kind when 'redeem' then 'paid out' else 'settled' end) as sentence
    from paid e
    where (call = 'approveChange' or amount >= case kind when 'redeem' then ${inForce(sql, 'payouts_from')}
        else ${inForce(sql, 'edits_from')} end)
      and ${firstsOf(sql, sql`true`)} = 0
    union all
    select format('The balances of player %s of tenant %s were edited by %s, but the audit log does not say that '
      || 'two people agreed.', object_id, tenant_id, e.sum)
    from (
      select e.*, row_number() over (partition by call, tenant_id, object_id, added order by id) as place
      from edit e
    ) e
    where (call = 'approveChange' and ${firstsOf(sql, isSameEdit(sql))} < place)
      or (call = 'adjustBalances' and e.sum >= ${inForce(sql, 'edits_from')})
    union all
    select format('The limits of tenant %s were changed by entry %s, but the audit log does not say that two people '
      || 'agreed.', tenant_id, id)
    from (select b.*, 'tenant' as kind, b.tenant_id::text as object_id, p.person as admin_id
      from limits b join by p on p.id = b.id) e
    where case call
      when 'approveChange' then ${firstsOf(sql, sql`${isSameLimit('payouts_from')} and ${isSameLimit('edits_from')}`)} = 0
      else coalesce(${before('payouts_from')}, ${before('edits_from')}) is not null end
    union all
    select format('The limits of tenant %s are %s and %s, but the audit log says %s and %s.', id,
      coalesce(payout_approval_from::text, 'none'), coalesce(edit_approval_from::text, 'none'),
      coalesce(p.was::text, 'none'), coalesce(b.was::text, 'none'))
    from public.tenants t
      left join lateral (select (after ->> 'payouts_from')::numeric as was from limits l
        where l.tenant_id = t.id and after -> 'payouts_from' is not null order by l.id desc limit 1) p on true
      left join lateral (select (after ->> 'edits_from')::numeric as was from limits l
        where l.tenant_id = t.id and after -> 'edits_from' is not null order by l.id desc limit 1) b on true
    where (payout_approval_from, edit_approval_from) is distinct from (p.was, b.was)
    union all
    select format('The wallet of player %s of tenant %s is closed, but no entry of the audit log says so.',
      player_id, tenant_id)
    from (
      select tenant_id, player_id from public.wallets where closed_at > ${record.at}
      except select tenant_id, player_id from public.audit_log where call = 'deletePlayer'
    ) d
    limit 1000`;
  return rows.map(({ sentence }) => sentence);
}

/**
 * Compares money with the audit log entry by entry. Rows that were written past the server have no entry, and nobody
 * without the key can add one. What the books held when the log began to cover them is in an entry of its own,
 * RECORD_CALL; only rows after it are compared, and those before it must still be the ones that it counted.
 */
import type { Fragment, Sql } from '../db/open';
import { moneyKind } from '../ledger/rows';
import { BATCH_DIGEST, importBatches } from './importBatches';
import { type LedgerMeasure, measureLedger, measureTerms, type TermsMeasure } from './measureLedger';

/** The call of the entry that records what the books held. */
export const RECORD_CALL = 'record-ledger';

/** The call of the entry that records the terms of money, if 0.1.0 made the first record, which was without them. */
const RECORD_TERMS_CALL = 'record-terms';

type Recorded<T> = T & { entry_id: number; at: Date };
export type LedgerRecord = Recorded<LedgerMeasure>;

/** The records in the audit log: one of each, if nobody has tampered. */
async function findRecords<T>(sql: Sql, which: Fragment): Promise<Recorded<T>[]> {
  const rows = await sql<{ id: number; at: Date; after: T }[]>`
    select id, at, after from public.audit_log where ${which} order by id`;
  return rows.map(({ id, at, after }) => ({ ...after, entry_id: id, at }));
}
export const findLedgerRecords = (sql: Sql): Promise<LedgerRecord[]> => findRecords(sql, sql`call = ${RECORD_CALL}`);
const findTermsRecords = (sql: Sql): Promise<Recorded<TermsMeasure>[]> =>
  findRecords(sql, sql`call in (${RECORD_CALL}, ${RECORD_TERMS_CALL}) and after ->> 'terms_sha256' is not null`);

/** Minutes between a settlement and its entry: a transaction takes less. */
const APART = 5;

/** Returns a sentence per difference, at most 1000 of rows, in one snapshot; `verifyAudit` checks the MACs. */
export async function compareWithAudit(sql: Sql, record: LedgerRecord): Promise<string[]> {
  const since = sql`e.entry_id > ${record.entry_id}`;
  const rows = await sql<{ sentence: string }[]>`
    with entry as materialized (
      select a.id as entry_id, a.tenant_id, a.object_id as id, a.player_id, a.kind, a.at, n.status,
        case when a.before is null then n.amount end as amount,
        case when a.call <> 'receiveWebhook' and a.call not like 'push%' then a.admin_id end as admin_id,
        n.balance, coalesce(n.platform, case a.kind when 'deposit' then n.method end) as platform, n.payment_method,
        n.net_amount
      from public.audit_log a
        cross join lateral json_to_record(a.after) as n (status text, amount numeric, balance text, platform text,
          method text, payment_method text, net_amount numeric)
      where a.kind in ('purchase', 'deposit', 'return', 'redeem') and a.after is not null
    ), money as materialized (
      select tenant_id, id, player_id, ${moneyKind(sql)} as kind,
        amount, status, is_history, initiated_at, completed_at, lower(payment_metadata ->> 'type') as balance, platform,
        payment_method, net_amount
      from public.transactions
      union all
      select tenant_id, id, player_id, 'redeem', amount, status, is_history, initiated_at, completed_at, null, platform,
        null, null
      from public.redeems
    ), batch as materialized (
      ${importBatches(sql, sql`true`)}
    ), batch_entry as materialized (
      select a.tenant_id, n.batch, n.created, n.rows_sha256, n.digest, a.admin_id
      from public.audit_log a
        cross join lateral json_to_record(a.after) as n (batch bigint, created bigint, rows_sha256 text, digest int)
      where a.call = 'importRows' and a.id > ${record.entry_id} and n.created > 0
        and coalesce(a.after ->> 'of', '') <> 'logins'
    ), import as materialized (
      select i.tenant_id, i.kind, i.object_id, e.admin_id
      from public.imported i join batch_entry e on e.tenant_id = i.tenant_id and e.batch = i.batch
    ), evidence as materialized (
      select tenant_id, id as money_id, amount is not null as is_made, status in ('success', 'failed') as is_settled,
        coalesce(admin_id, 0) as admin_id
      from entry
      union all
      select tenant_id, object_id::text, true, true, coalesce(admin_id, 0) from import where kind = 'transactions'
      union all
      select tenant_id, object_id::text, true, false, 0 from import where kind = 'transactions'
    ), later as materialized (
      select * from public.transfers where id > ${record.last_transfer}
    ), adjusted as materialized (
      select a.tenant_id, a.player_id, a.admin_id, abs(change) as amount,
        case when change > 0 then 'adjustment' else k.kind end as from_account,
        case when change > 0 then k.kind else 'adjustment' end as to_account
      from public.audit_log a
        cross join lateral json_to_record(a.before) as b
          (credit_balance numeric, bonus_balance numeric, vip_balance numeric, loyalty_balance numeric)
        cross join lateral json_to_record(a.after) as n
          (credit_balance numeric, bonus_balance numeric, vip_balance numeric, loyalty_balance numeric)
        cross join lateral (values
          ('credit', n.credit_balance - b.credit_balance), ('bonus', n.bonus_balance - b.bonus_balance),
          ('vip', n.vip_balance - b.vip_balance), ('loyalty', n.loyalty_balance - b.loyalty_balance)
        ) as k (kind, change)
      where a.call in ('adjustBalances', 'approveChange') and a.id > ${record.entry_id} and change <> 0
    ), by_hand as materialized (
      select tenant_id, player_id, admin_id, amount, from_account, to_account from later
      where money_id is null and from_account <> 'opening'
    )
    select format('%s %s of tenant %s (%s of player %s) has no entry in the audit log.',
      initcap(kind), id, tenant_id, amount, player_id) as sentence
    from (
      select tenant_id, id::text, player_id, kind, amount from money m
      where id > ${record.last_transaction} and not exists (
        select 1 from import i where i.kind = 'transactions' and i.tenant_id = m.tenant_id and i.object_id = m.id)
      except all
      select tenant_id, id, player_id, kind, amount from entry where amount is not null
    ) d
    union all
    select format('The audit log has %s %s of tenant %s (%s of player %s), but the database does not.',
      kind, id, tenant_id, amount, player_id)
    from (
      select tenant_id, id, player_id, kind, amount from entry e where amount is not null and ${since}
      except all
      select tenant_id, id::text, player_id, kind, amount from money
    ) d
    union all
    select format('%s %s of tenant %s is %s, but no entry of the audit log says so.',
      initcap(kind), id, tenant_id, status)
    from (
      select tenant_id, id::text, kind, status from money
      where status <> 'pending' and not is_history
        and (id > ${record.last_transaction} or completed_at > ${record.at})
      except all
      select tenant_id, id, kind, status from entry where status <> 'pending'
    ) d
    union all
    select format('The audit log says that %s %s of tenant %s became %s, but the database does not.',
      kind, id, tenant_id, status)
    from (
      select tenant_id, id, kind, status from entry e where status <> 'pending' and ${since}
      except all
      select tenant_id, id::text, kind, status from money where not is_history
    ) d
    union all
    select format('%s %s of tenant %s was completed at %s, but the audit log says %s.',
      initcap(m.kind), m.id, m.tenant_id, m.completed_at, e.at)
    from money m join entry e on e.tenant_id = m.tenant_id and e.id = m.id::text and e.status = m.status
    where m.status <> 'pending' and ${since}
      and m.completed_at not between e.at - make_interval(mins => ${APART}) and e.at + make_interval(mins => ${APART})
    union all
    select format('Transfer %s of tenant %s (%s from %s to %s of player %s) has no entry in the audit log.',
      id, tenant_id, amount, from_account, to_account, player_id)
    from later t
    where money_id is not null and not exists (
      select 1 from evidence e
      where e.tenant_id = t.tenant_id and e.money_id = t.money_id::text and e.admin_id = coalesce(t.admin_id, 0)
        and case when t.to_account = 'held' then e.is_made else e.is_settled end)
    union all
    select format('Transfer %s of tenant %s (%s opening balance of player %s) has no entry in the audit log.',
      id, tenant_id, amount, player_id)
    from later t
    where money_id is null and from_account = 'opening' and not exists (
      select 1 from import i where i.kind = 'players' and i.tenant_id = t.tenant_id and i.object_id = t.player_id)
    union all
    select format('A transfer of tenant %s (%s from %s to %s of player %s%s) has no entry in the audit log.',
      tenant_id, amount, from_account, to_account, player_id, ' by admin ' || admin_id)
    from (select * from by_hand except all
      select tenant_id, player_id, admin_id, amount, from_account, to_account from adjusted) d
    union all
    select format('The audit log has a balance edit of tenant %s (%s from %s to %s of player %s%s), '
        || 'but the database has no such transfer.',
      tenant_id, amount, from_account, to_account, player_id, ' by admin ' || admin_id)
    from (select tenant_id, player_id, admin_id, amount, from_account, to_account from adjusted except all
      select * from by_hand) d
    union all
    select format('Import batch %s of tenant %s is not what the audit log says: %s rows instead of %s%s.',
      batch, tenant_id, coalesce(b.created, 0), coalesce(e.created, 0),
      case when b.created = e.created then ', with other contents' end)
    from batch b full join batch_entry e using (tenant_id, batch)
    where (b.created, case e.digest when ${BATCH_DIGEST} then b.rows_sha256 else b.first_sha256 end)
      is distinct from (e.created, e.rows_sha256)
    union all
    select format('Deposit %s of tenant %s goes from %s to %s, but the audit log says from %s to %s.',
      m.id, m.tenant_id, m.balance, m.platform, coalesce(e.balance, 'a balance'), coalesce(e.platform, 'a platform'))
    from money m join entry e on e.tenant_id = m.tenant_id and e.id = m.id::text and e.kind = m.kind
    where m.kind = 'deposit' and e.amount is not null
      and (m.balance is distinct from coalesce(e.balance, m.balance)
        or m.platform is distinct from coalesce(e.platform, m.platform))
    union all
    select format('Return %s of tenant %s comes from %s, but the audit log says from %s.',
      m.id, m.tenant_id, m.platform, e.platform)
    from money m join entry e on e.tenant_id = m.tenant_id and e.id = m.id::text and e.kind = m.kind
    where m.kind = 'return' and e.amount is not null and m.platform is distinct from coalesce(e.platform, m.platform)
    union all
    select format('Purchase %s of tenant %s was made by %s with a net amount of %s, but the audit log says by %s '
        || 'with %s.',
      m.id, m.tenant_id, coalesce(m.payment_method, 'nothing'), coalesce(m.net_amount::text, 'nothing'),
      e.payment_method, coalesce(e.net_amount::text, 'nothing'))
    from money m join entry e on e.tenant_id = m.tenant_id and e.id = m.id::text and e.kind = m.kind
    where m.kind = 'purchase' and e.amount is not null and e.payment_method is not null
      and (m.payment_method, m.net_amount) is distinct from (e.payment_method, e.net_amount)
    union all
    select format('%s %s of tenant %s was initiated at %s, but the audit log says %s.',
      initcap(m.kind), m.id, m.tenant_id, m.initiated_at, e.at)
    from money m join entry e on e.tenant_id = m.tenant_id and e.id = m.id::text and e.kind = m.kind
    where e.amount is not null
      and m.initiated_at not between e.at - make_interval(mins => ${APART}) and e.at + make_interval(mins => ${APART})
    union all
    select format('Redeem %s of tenant %s counts towards %s, but was requested on %s.',
      r.id, r.tenant_id, r.business_day, (r.initiated_at at time zone t.time_zone)::date)
    from public.redeems r join public.tenants t on t.id = r.tenant_id
    where r.business_day <> (r.initiated_at at time zone t.time_zone)::date
    limit 1000`;
  return [...(await compareRecord(sql, record)), ...rows.map(({ sentence }) => sentence)];
}

/** Whether the terms from before their record are still those that it counted. */
export async function compareTerms(sql: Sql): Promise<string[]> {
  const [record, ...more] = await findTermsRecords(sql);
  if (!record) return ['The entry that records the terms of money was deleted from the audit log.'];
  const now = await measureTerms(sql, record.last_transaction);
  const isSame = now.terms_sha256 === record.terms_sha256;
  return [
    ...more.map(({ entry_id }) => `Entry ${entry_id} of the audit log records the terms a second time.`),
    ...(isSame
      ? []
      : [
          `The balances, platforms, methods and times of the transactions up to ${record.last_transaction} are not ` +
            `those that the audit log recorded at ${record.at.toISOString()}.`,
        ]),
  ];
}

/** Whether the rows before the record are still those that it counted. */
async function compareRecord(sql: Sql, record: LedgerRecord): Promise<string[]> {
  const now = await measureLedger(sql, record);
  return (['transfers', 'transactions'] as const).flatMap((what) =>
    now[what] === record[what] && now[`${what}_sha256`] === record[`${what}_sha256`]
      ? []
      : [
          `The ${what} up to ${record[what === 'transfers' ? 'last_transfer' : 'last_transaction']} are not those that ` +
            `the audit log recorded at ${record.at.toISOString()}: ${now[what]} rows instead of ${record[what]}` +
            `${now[what] === record[what] ? ', with other contents' : ''}.`,
        ],
  );
}

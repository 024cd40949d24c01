import type { Fragment, Sql } from '../db/open';

// The terms of money: what decides beside player, type, amount and status; of a deposit the balance and platform.
/** Text of a row of `transactions`, as JSON so that no value can pass for another one. */
export const transactionTerms = (sql: Sql, row: Fragment) => sql`
  json_build_array(${row}.payment_metadata ->> 'type', ${row}.platform, ${row}.payment_method, ${row}.net_amount,
    extract(epoch from ${row}.initiated_at))::text`;

/** The same of `redeems`. */
export const redeemTerms = (sql: Sql, row: Fragment) => sql`
  json_build_array(${row}.platform, ${row}.payout_method, ${row}.business_day,
    extract(epoch from ${row}.initiated_at))::text`;

/** The first rows of the books: how many there are up to which id, and a SHA-256 over them. */
export interface LedgerMeasure {
  last_transfer: number;
  transfers: number;
  transfers_sha256: string;
  last_transaction: number;
  transactions: number;
  transactions_sha256: string;
}
type UpTo = Pick<LedgerMeasure, 'last_transfer' | 'last_transaction'>;

/** A digest of rows with an `id` and a `line`, computed piece by piece, so that no text grows too large. */
const digest = (sql: Sql, rows: Fragment) => sql`
  select coalesce(sum(rows), 0)::bigint as rows,
    encode(sha256(coalesce(string_agg(part, ''::bytea order by nth), ''::bytea)), 'hex') as sha256
  from (
    select id / 4096 as nth, count(*) as rows,
      sha256(convert_to(string_agg(line, E'\n' order by id, line), 'UTF8')) as part
    from (${rows}) r group by 1
  ) p`;

/** Measures what never changes: transfers whole; of money player, type and amount. Without `upTo` all: lock before. */
export async function measureLedger(sql: Sql, upTo?: UpTo): Promise<LedgerMeasure> {
  const { last_transfer, last_transaction } = upTo ?? {
    ...(await sql<{ last_transfer: number }[]>`
      select coalesce(max(id), 0) as last_transfer from public.transfers`.one()),
    ...(await sql<{ last_transaction: number }[]>`
      select greatest((select max(id) from public.transactions), (select max(id) from public.redeems), 0)
        as last_transaction`.one()),
  };
  const ofTransfers = sql`
    select id, concat_ws('|', tenant_id, id, player_id, from_account, to_account, amount, coalesce(money_id, 0),
      coalesce(admin_id, 0), extract(epoch from created_at)) as line
    from public.transfers where id <= ${last_transfer}`;
  const ofTransactions = sql`
    select id, concat_ws('|', tenant_id, id, player_id, transaction_type, amount) as line
    from public.transactions where id <= ${last_transaction}
    union all
    select id, concat_ws('|', tenant_id, id, player_id, 'REDEEM', amount)
    from public.redeems where id <= ${last_transaction}`;
  const [transfers, transactions] = [
    await sql<{ rows: number; sha256: string }[]>`${digest(sql, ofTransfers)}`.one(),
    await sql<{ rows: number; sha256: string }[]>`${digest(sql, ofTransactions)}`.one(),
  ];
  return {
    last_transfer,
    transfers: transfers.rows,
    transfers_sha256: transfers.sha256,
    last_transaction,
    transactions: transactions.rows,
    transactions_sha256: transactions.sha256,
  };
}

/** The first purchases, deposits and redeems: how many there are up to which id, and a SHA-256 over their terms. */
export interface TermsMeasure {
  last_transaction: number;
  transactions: number;
  terms_sha256: string;
}

/** Measures the terms, which never change either. */
export async function measureTerms(sql: Sql, last_transaction: number): Promise<TermsMeasure> {
  const rows = sql`
    select id, concat_ws('|', tenant_id, id, ${transactionTerms(sql, sql`t`)}) as line
    from public.transactions t where id <= ${last_transaction}
    union all
    select id, concat_ws('|', tenant_id, id, ${redeemTerms(sql, sql`r`)}) from public.redeems r
    where id <= ${last_transaction}`;
  const { rows: transactions, sha256 } = await sql<{ rows: number; sha256: string }[]>`${digest(sql, rows)}`.one();
  return { last_transaction, transactions, terms_sha256: sha256 };
}

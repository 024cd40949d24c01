import type { Fragment } from 'postgres';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';

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

/**
 * Measures what never changes: all of a transfer; of a purchase, deposit or redeem its player, type and amount. Without
 * `upTo` it measures everything; lock the tables before.
 */
export async function measureLedger(sql: Sql, upTo?: UpTo): Promise<LedgerMeasure> {
  const { last_transfer, last_transaction } =
    upTo ??
    onlyRow(
      await sql<UpTo[]>`
        select (select coalesce(max(id), 0) from transfers) as last_transfer,
          greatest((select max(id) from transactions), (select max(id) from redeems), 0) as last_transaction`,
    );
  const ofTransfers = sql`
    select id, concat_ws('|', tenant_id, id, player_id, from_account, to_account, amount, coalesce(money_id, 0),
      coalesce(admin_id, 0), extract(epoch from created_at)) as line
    from transfers where id <= ${last_transfer}`;
  const ofTransactions = sql`
    select id, concat_ws('|', tenant_id, id, player_id, transaction_type, amount) as line
    from transactions where id <= ${last_transaction}
    union all
    select id, concat_ws('|', tenant_id, id, player_id, 'REDEEM', amount) from redeems where id <= ${last_transaction}`;
  const [transfers, transactions] = [
    onlyRow(await sql<{ rows: number; sha256: string }[]>`${digest(sql, ofTransfers)}`),
    onlyRow(await sql<{ rows: number; sha256: string }[]>`${digest(sql, ofTransactions)}`),
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

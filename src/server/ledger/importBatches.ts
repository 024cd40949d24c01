import type { Fragment } from 'postgres';
import type { Sql } from '../db/open';

/**
 * What imports created, a row per batch: the number of its rows and a SHA-256 over them. Of a player these are the
 * opening balances; of a purchase, deposit or redeem the player, type and amount, and the status if it was settled
 * elsewhere. The audit entry of a batch has the same figures, so `npm run verify` finds what was added or changed later.
 */
export const importBatches = (sql: Sql, condition: Fragment) => sql`
  select i.tenant_id, i.batch, count(*) as created,
    encode(sha256(convert_to(string_agg(concat_ws('|', i.kind, i.object_id, opening.balances, t.player_id,
      t.transaction_type, t.amount, case when t.is_history then t.status end, r.player_id, r.amount,
      case when r.is_history then r.status end), E'\n' order by i.kind, i.object_id), 'UTF8')), 'hex') as rows_sha256
  from imported i
    left join transactions t on i.kind = 'transactions' and t.tenant_id = i.tenant_id and t.id = i.object_id
    left join redeems r on i.kind = 'transactions' and r.tenant_id = i.tenant_id and r.id = i.object_id
    left join lateral (
      select string_agg(to_account || ' ' || amount, ',' order by to_account, amount) as balances from transfers
      where i.kind = 'players' and tenant_id = i.tenant_id and player_id = i.object_id
        and from_account = 'opening' and money_id is null
    ) opening on true
  where i.batch is not null and ${condition}
  group by i.tenant_id, i.batch`;

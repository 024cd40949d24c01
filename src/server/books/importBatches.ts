import type { Fragment, Sql } from '../db/open';
import { redeemTerms, transactionTerms } from './measureLedger';

/** Which digest new batches get. The entries of older ones name none: theirs is the first, without terms. */
export const BATCH_DIGEST = 2;

/**
 * What imports created, a row per batch: the number of its rows and a SHA-256 over them. Of a player these are the
 * opening balances; of a purchase, deposit or redeem the player, type, amount and terms, and status and time if it was
 * settled elsewhere. The audit entry of a batch has the same figures, so `npm run verify` finds what was added or
 * changed later. `first_sha256` is the digest that batches got before there were terms in it.
 */
export const importBatches = (sql: Sql, condition: Fragment) => sql`
  select tenant_id, batch, count(*) as created,
    encode(sha256(convert_to(string_agg(line, E'\n' order by kind, object_id), 'UTF8')), 'hex') as first_sha256,
    encode(sha256(convert_to(
      string_agg(concat_ws('|', line, terms), E'\n' order by kind, object_id), 'UTF8')), 'hex') as rows_sha256
  from (
    select i.tenant_id, i.batch, i.kind, i.object_id,
      concat_ws('|', i.kind, i.object_id, opening.balances, t.player_id, t.transaction_type, t.amount,
        case when t.is_history then t.status end, r.player_id, r.amount, case when r.is_history then r.status end
      ) as line,
      case
        when t.id is not null
          then concat(${transactionTerms(sql, sql`t`)},
            case when t.is_history then extract(epoch from t.completed_at) end)
        when r.id is not null
          then concat(${redeemTerms(sql, sql`r`)},
            case when r.is_history then extract(epoch from r.completed_at) end)
      end as terms
    from public.imported i
      left join public.transactions t on i.kind = 'transactions' and t.tenant_id = i.tenant_id and t.id = i.object_id
      left join public.redeems r on i.kind = 'transactions' and r.tenant_id = i.tenant_id and r.id = i.object_id
      left join lateral (
        select string_agg(to_account || ' ' || amount, ',' order by to_account, amount) as balances
        from public.transfers
        where i.kind = 'players' and tenant_id = i.tenant_id and player_id = i.object_id
          and from_account = 'opening' and money_id is null
      ) opening on true
    where i.batch is not null and ${condition}
  ) one
  group by tenant_id, batch`;

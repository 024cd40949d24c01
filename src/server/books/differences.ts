/** Comparisons with the ledger, of everything or a slice. Each `select`: a sentence, and by how many USD it is off. */
import type { Fragment, Sql } from '../db/open';

/** One thing that does not add up. */
export interface Difference {
  sentence: string;
  off_by: number;
}

/** Players, accounts or shifts of a tenant: those after one id up to another. */
export interface IdRange {
  tenantId: number;
  after: number;
  upTo: number;
}

/** The rows of a range of players; everything without one. `column` is that of the player. */
const within = (sql: Sql, range: IdRange | null, table = '', column = 'player_id'): Fragment => {
  const prefix = table && `${table}.`;
  return range
    ? sql`${sql(`${prefix}tenant_id`)} = ${range.tenantId} and ${sql(prefix + column)} > ${range.after}
        and ${sql(prefix + column)} <= ${range.upTo}`
    : sql`true`;
};

/** The CTE `money`: all payments in one form; a redeem paid from the game (`fromGame`) is a type of its own. */
export const moneyOfPlayers = (sql: Sql, range: IdRange | null, fromGame: Fragment = sql`from_game`) => sql`
  money as materialized (
    select tenant_id, id, player_id, amount, status, initiated_at, completed_at, transaction_type as type,
      lower(payment_metadata ->> 'type') as payer, is_history
    from public.transactions where ${within(sql, range)}
    union all
    select tenant_id, id, player_id, amount, status, initiated_at, completed_at,
      case when ${fromGame} then 'GAME_REDEEM' else 'REDEEM' end, 'credit', is_history
    from public.redeems where ${within(sql, range)}
  )`;

/** The CTEs that `playerDifferences` needs beside `money`. */
export const playerCtes = (sql: Sql, range: IdRange | null) => sql`
  posted as materialized (
    select tenant_id, player_id,
      coalesce(sum(amount) filter (where account = 'credit'), 0) as credit,
      coalesce(sum(amount) filter (where account = 'bonus'), 0) as bonus,
      coalesce(sum(amount) filter (where account = 'vip'), 0) as vip,
      coalesce(sum(amount) filter (where account = 'loyalty'), 0) as loyalty,
      coalesce(sum(amount) filter (where account = 'held'), 0) as held, sum(amount) as total
    from ( -- each transfer as its two postings; not a view, which others can replace
      select tenant_id, player_id, from_account as account, -amount as amount from public.transfers
      where ${within(sql, range)}
      union all
      select tenant_id, player_id, to_account, amount from public.transfers where ${within(sql, range)}
    ) posting
    group by tenant_id, player_id
  ), balance as (
    select w.*, kind, kept, coalesce(summed, 0) as summed
    from public.wallets w left join posted p on p.tenant_id = w.tenant_id and p.player_id = w.player_id
    cross join lateral (values
      ('credit', w.credit_balance, p.credit), ('bonus', w.bonus_balance, p.bonus), ('vip', w.vip_balance, p.vip),
      ('loyalty', w.loyalty_balance, p.loyalty), ('held', w.held_balance, p.held)) as v (kind, kept, summed)
    where ${within(sql, range, 'w')}
  ), summed as materialized (
    select tenant_id, player_id,
      coalesce(sum(amount) filter (where status = 'pending' and type in ('DEPOSIT', 'REDEEM')), 0) as held,
      coalesce(sum(amount) filter (where status = 'success' and type = 'TOP_UP'), 0)
        - coalesce(sum(amount) filter (where status = 'success' and type in ('REDEEM', 'GAME_REDEEM')), 0) as ggr,
      (array_agg(id order by initiated_at, id) filter (where type = 'TOP_UP' and status <> 'failed'))[1] as first_id,
      min(initiated_at) filter (where type = 'TOP_UP' and status <> 'failed') as first_at,
      max(completed_at) filter (where type = 'TOP_UP' and status = 'success') as last_at,
      count(*) filter (where status = 'pending') as pending
    from money group by tenant_id, player_id
  ), kept_wallet as (
    select w.*, s.held as pending_held, s.ggr, s.first_id, s.first_at, s.last_at, s.pending
    from public.wallets w left join summed s on s.tenant_id = w.tenant_id and s.player_id = w.player_id
    where ${within(sql, range, 'w')}
  ), due as (
    select tenant_id, id, player_id, amount, step.from_account, step.to_account
    from money cross join lateral (values
      ('TOP_UP', false, array['success'], 'cash_in', 'credit'),
      ('DEPOSIT', false, array['pending', 'success', 'failed'], payer, 'held'),
      ('DEPOSIT', false, array['success'], 'held', 'platform'),
      ('DEPOSIT', false, array['failed'], 'held', payer),
      ('REDEEM', false, array['pending', 'success', 'failed'], 'credit', 'held'),
      ('REDEEM', false, array['success'], 'held', 'cash_out'),
      ('REDEEM', false, array['failed'], 'held', 'credit'),
      ('RETURN', false, array['success'], 'platform', 'credit'),
      ('GAME_REDEEM', false, array['success'], 'platform', 'credit'),
      ('GAME_REDEEM', false, array['success'], 'credit', 'cash_out'),
      ('TOP_UP', true, array['success'], 'cash_in', 'opening'),
      ('DEPOSIT', true, array['success'], 'opening', 'platform'),
      ('RETURN', true, array['success'], 'platform', 'opening'),
      ('REDEEM', true, array['success'], 'opening', 'cash_out')
    ) as step (type, of_history, statuses, from_account, to_account)
    where step.type = money.type and step.of_history = is_history and status = any (step.statuses)
  ), done as (
    select tenant_id, money_id as id, player_id, amount, from_account, to_account
    from public.transfers
    where money_id is not null and ${within(sql, range)}
  )`;

/** The time of the last purchase, which the wallets of 0.2.0 do not keep. */
export const lastPurchases = (sql: Sql) => sql`
  select format('Player %s of tenant %s has %s as the time of the last purchase, but it is %s.',
    player_id, tenant_id, coalesce(last_purchase_at::text, 'none'), coalesce(last_at::text, 'none')), 0
  from kept_wallet
  where last_purchase_at is distinct from last_at`;

/** What is kept of players against their transfers and their purchases, deposits and redeems. */
export const playerDifferences = (sql: Sql, range: IdRange | null) => sql`
  select format('Player %s of tenant %s has no wallet.', p.id, p.tenant_id) as sentence, 0::numeric as off_by
  from public.players p
  where ${within(sql, range, 'p', 'id')}
    and not exists (select 1 from public.wallets w where w.tenant_id = p.tenant_id and w.player_id = p.id)
  union all
  select format('Player %s of tenant %s has %s %s, but the transfers sum to %s.',
    player_id, tenant_id, kept, kind, summed), abs(kept - summed)
  from balance
  where kept <> summed
  union all
  select format('Player %s of tenant %s has a %s balance below zero: %s.', player_id, tenant_id, kind, kept), 0
  from balance
  where kept < 0
  union all
  select format('The postings of player %s of tenant %s sum to %s, not to zero.', player_id, tenant_id, total),
    abs(total)
  from posted
  where total <> 0
  union all
  select format('Transfers of player %s of tenant %s have no wallet.', player_id, tenant_id), 0
  from (
    select tenant_id, player_id from posted
    except select tenant_id, player_id from public.wallets where ${within(sql, range)}
  ) p
  union all
  select format('Player %s of tenant %s has %s held, but %s is pending.',
    player_id, tenant_id, held_balance, coalesce(pending_held, 0)), abs(held_balance - coalesce(pending_held, 0))
  from kept_wallet
  where held_balance <> coalesce(pending_held, 0)
  union all
  select format('Player %s of tenant %s has an individual GGR of %s, but purchases minus redeems are %s.',
    player_id, tenant_id, individual_ggr, coalesce(ggr, 0)), abs(individual_ggr - coalesce(ggr, 0))
  from kept_wallet
  where individual_ggr <> coalesce(ggr, 0)
  union all
  select format('Player %s of tenant %s has %s recorded as first purchase, but it is %s.',
    player_id, tenant_id, coalesce(first_purchase_id::text, 'none'), coalesce(first_id::text, 'none')), 0
  from kept_wallet
  where (first_purchase_id, first_purchase_at) is distinct from (first_id, first_at)
  union all
  select format('Player %s of tenant %s is deleted, but %s of its transactions are pending.',
    player_id, tenant_id, pending), 0
  from kept_wallet
  where closed_at is not null and pending > 0
  union all
  select format('Transaction %s of tenant %s is missing its transfer of %s from %s to %s.',
    id, tenant_id, amount, from_account, to_account), amount
  from (select * from due except all select * from done) missing
  union all
  select format('Transaction %s of tenant %s has a transfer of %s from %s to %s that it should not have.',
    id, tenant_id, amount, from_account, to_account), amount
  from (select * from done except all select * from due) surplus`;

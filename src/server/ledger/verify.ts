import type { Sql } from '../db/open';
import { processorLetters } from './processors';

/**
 * Compares all derived figures with the ledger in one statement, and so in one snapshot. Returns a sentence for each
 * difference, at most 1000; none when the books agree.
 */
export async function verifyLedger(sql: Sql): Promise<string[]> {
  // A backup of an older version is checked before the migrations have run on it.
  const [known] =
    await sql`select from pg_attribute where attrelid = 'public.transactions'::regclass and attname = 'is_history'`;
  const isHistory = known ? sql`is_history` : sql`false`;
  const rows = await sql<{ sentence: string }[]>`
    with posted as materialized (
      select tenant_id, player_id,
        coalesce(sum(amount) filter (where account = 'credit'), 0) as credit,
        coalesce(sum(amount) filter (where account = 'bonus'), 0) as bonus,
        coalesce(sum(amount) filter (where account = 'vip'), 0) as vip,
        coalesce(sum(amount) filter (where account = 'loyalty'), 0) as loyalty,
        coalesce(sum(amount) filter (where account = 'held'), 0) as held, sum(amount) as total
      from ( -- each transfer as its two postings; not a view, which others can replace
        select tenant_id, player_id, from_account as account, -amount as amount from public.transfers
        union all
        select tenant_id, player_id, to_account, amount from public.transfers
      ) posting
      group by tenant_id, player_id
    ), balance as (
      select w.*, kind, kept, coalesce(summed, 0) as summed
      from public.wallets w left join posted p on p.tenant_id = w.tenant_id and p.player_id = w.player_id
      cross join lateral (values
        ('credit', w.credit_balance, p.credit), ('bonus', w.bonus_balance, p.bonus), ('vip', w.vip_balance, p.vip),
        ('loyalty', w.loyalty_balance, p.loyalty), ('held', w.held_balance, p.held)) as v (kind, kept, summed)
    ), money as materialized (
      select tenant_id, id, player_id, amount, status, initiated_at, completed_at, transaction_type as type,
        lower(payment_metadata ->> 'type') as payer, ${isHistory} as is_history,
        left(coalesce(platform, ''), 100) as platform, left(coalesce(payment_method, ''), 100) as method
      from public.transactions
      union all
      select tenant_id, id, player_id, amount, status, initiated_at, completed_at, 'REDEEM', 'credit', ${isHistory},
        left(platform, 100), left(coalesce(payout_method, ''), 100)
      from public.redeems
    ), summed as materialized (
      select tenant_id, player_id,
        coalesce(sum(amount) filter (where status = 'pending' and type <> 'TOP_UP'), 0) as held,
        coalesce(sum(amount) filter (where status = 'success' and type = 'TOP_UP'), 0)
          - coalesce(sum(amount) filter (where status = 'success' and type = 'REDEEM'), 0) as ggr,
        (array_agg(id order by initiated_at, id) filter (where type = 'TOP_UP' and status <> 'failed'))[1] as first_id,
        min(initiated_at) filter (where type = 'TOP_UP' and status <> 'failed') as first_at,
        count(*) filter (where status = 'pending') as pending
      from money group by tenant_id, player_id
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
        ('TOP_UP', true, array['success'], 'cash_in', 'opening'),
        ('DEPOSIT', true, array['success'], 'opening', 'platform'),
        ('REDEEM', true, array['success'], 'opening', 'cash_out')
      ) as step (type, of_history, statuses, from_account, to_account)
      where step.type = money.type and step.of_history = is_history and status = any (step.statuses)
    ), done as (
      select tenant_id, money_id as id, player_id, amount, from_account, to_account
      from public.transfers
      where money_id is not null
    ), day as materialized (
      select m.tenant_id, (m.completed_at at time zone t.time_zone)::date as day,
        coalesce(sum(m.amount) filter (where m.type = 'TOP_UP'), 0) as purchases,
        coalesce(sum(m.amount) filter (where m.type = 'REDEEM'), 0) as redeems,
        count(*) filter (where m.type = 'TOP_UP') as purchase_count,
        count(*) filter (where m.type = 'REDEEM') as redeem_count
      from money m join public.tenants t on t.id = m.tenant_id
      where m.status = 'success' and m.type <> 'DEPOSIT'
      group by 1, 2
    ), kept_day as materialized (
      select tenant_id, day, sum(purchases) as purchases, sum(redeems) as redeems,
        sum(purchase_count) as purchase_count, sum(redeem_count) as redeem_count
      from public.day_totals group by tenant_id, day
    ), named as materialized (
      select m.tenant_id, (m.completed_at at time zone t.time_zone)::date as day, m.platform, m.method,
        coalesce(sum(m.amount) filter (where m.type = 'TOP_UP'), 0) as purchases,
        coalesce(sum(m.amount) filter (where m.type = 'REDEEM'), 0) as redeems
      from money m join public.tenants t on t.id = m.tenant_id
      where m.status = 'success' and m.type <> 'DEPOSIT'
      group by 1, 2, 3, 4
    ), kept_name as materialized (
      select tenant_id, day, platform, method, sum(purchases) as purchases, sum(redeems) as redeems
      from public.method_totals
      group by 1, 2, 3, 4
    )
    select format('On %s the totals of tenant %s by platform ''%s'' and method ''%s'' are %s purchased and %s '
        || 'redeemed, but the transactions say %s and %s.',
      day, tenant_id, platform, method,
      coalesce(k.purchases, 0), coalesce(k.redeems, 0), coalesce(d.purchases, 0), coalesce(d.redeems, 0)) as sentence
    from named d full join kept_name k using (tenant_id, day, platform, method)
    where (coalesce(k.purchases, 0), coalesce(k.redeems, 0))
      is distinct from (coalesce(d.purchases, 0), coalesce(d.redeems, 0))
    union all
    select format('Purchases %s of tenant %s have the same payment reference ''%s'' of %s.',
      string_agg(m.id::text, ', ' order by m.id), m.tenant_id, m.payment_reference, p.processor)
    from public.transactions m
      join json_to_recordset(${JSON.stringify(processorLetters)}::text::json) as p (letters text, processor text)
        on p.letters = regexp_replace(lower(normalize(m.payment_method, NFKC)), '[^a-z]', '', 'g')
    where m.transaction_type = 'TOP_UP' and m.payment_reference <> '' and not (m.status = 'failed' and ${isHistory})
    group by m.tenant_id, m.payment_reference, p.processor having count(*) > 1
    union all
    select format('Player %s of tenant %s has no wallet.', p.id, p.tenant_id)
    from public.players p
    where not exists (select from public.wallets w where w.tenant_id = p.tenant_id and w.player_id = p.id)
    union all
    select format('Player %s of tenant %s has %s %s, but the transfers sum to %s.',
      player_id, tenant_id, kept, kind, summed)
    from balance
    where kept <> summed
    union all
    select format('Player %s of tenant %s has a %s balance below zero: %s.', player_id, tenant_id, kind, kept)
    from balance
    where kept < 0
    union all
    select format('The postings of player %s of tenant %s sum to %s, not to zero.', player_id, tenant_id, total)
    from posted
    where total <> 0
    union all
    select format('Transfers of player %s of tenant %s have no wallet.', player_id, tenant_id) from posted p
    where not exists (select from public.wallets w where w.tenant_id = p.tenant_id and w.player_id = p.player_id)
    union all
    select format('Player %s of tenant %s has %s held, but %s is pending.',
      w.player_id, w.tenant_id, w.held_balance, coalesce(s.held, 0))
    from public.wallets w left join summed s on s.tenant_id = w.tenant_id and s.player_id = w.player_id
    where w.held_balance <> coalesce(s.held, 0)
    union all
    select format('Player %s of tenant %s has an individual GGR of %s, but purchases minus redeems are %s.',
      w.player_id, w.tenant_id, w.individual_ggr, coalesce(s.ggr, 0))
    from public.wallets w left join summed s on s.tenant_id = w.tenant_id and s.player_id = w.player_id
    where w.individual_ggr <> coalesce(s.ggr, 0)
    union all
    select format('Player %s of tenant %s has %s recorded as first purchase, but it is %s.',
      w.player_id, w.tenant_id, coalesce(w.first_purchase_id::text, 'none'), coalesce(s.first_id::text, 'none'))
    from public.wallets w left join summed s on s.tenant_id = w.tenant_id and s.player_id = w.player_id
    where (w.first_purchase_id, w.first_purchase_at) is distinct from (s.first_id, s.first_at)
    union all
    select format('Player %s of tenant %s is deleted, but %s of its transactions are pending.',
      w.player_id, w.tenant_id, s.pending)
    from public.wallets w join summed s on s.tenant_id = w.tenant_id and s.player_id = w.player_id
    where w.closed_at is not null and s.pending > 0
    union all
    select format('Transaction %s of tenant %s is missing its transfer of %s from %s to %s.',
      id, tenant_id, amount, from_account, to_account)
    from (select * from due except all select * from done) missing
    union all
    select format('Transaction %s of tenant %s has a transfer of %s from %s to %s that it should not have.',
      id, tenant_id, amount, from_account, to_account)
    from (select * from done except all select * from due) surplus
    union all
    select format('On %s the totals of tenant %s are %s purchased in %s and %s redeemed in %s, '
        || 'but the transactions say %s in %s and %s in %s.',
      day, tenant_id,
      coalesce(k.purchases, 0), coalesce(k.purchase_count, 0), coalesce(k.redeems, 0), coalesce(k.redeem_count, 0),
      coalesce(d.purchases, 0), coalesce(d.purchase_count, 0), coalesce(d.redeems, 0), coalesce(d.redeem_count, 0))
    from day d full join kept_day k using (tenant_id, day)
    where (coalesce(k.purchases, 0), coalesce(k.purchase_count, 0), coalesce(k.redeems, 0), coalesce(k.redeem_count, 0))
      is distinct from
        (coalesce(d.purchases, 0), coalesce(d.purchase_count, 0), coalesce(d.redeems, 0), coalesce(d.redeem_count, 0))
    limit 1000`;
  return rows.map((row) => row.sentence);
}

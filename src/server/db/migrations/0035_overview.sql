-- The figures of the overview: what was settled per day, week and month, by part. Triggers keep them, so whatever
-- settles, imports or deletes keeps them in its own transaction. Slots as in day_totals; 0 is for compactTotals alone.
create table part_totals (
  tenant_id bigint not null references tenants,
  -- total, hour, platform, method, affiliate: purchases in and redeems out. deposit: by the balance that paid. payout:
  -- paid redeems by the time they took. paid, refused: redeems by who decided. signup, first: new players and first
  -- purchases. cohort: of a week's sign-ups, who bought so many weeks later. held: what open wallets hold now.
  part text not null,
  unit text not null check (unit in ('day', 'week', 'month', 'all')),
  starts date not null,                       -- in the tenant's time zone; weeks start on Sunday
  key text not null,
  slot smallint not null check (slot between 0 and 15),
  amount_in numeric(16,2) not null default 0,
  amount_out numeric(16,2) not null default 0,
  count_in int not null default 0,
  count_out int not null default 0,
  primary key (part, unit, starts, tenant_id, key, slot) -- one span of all tenants is in one place
) with (fillfactor = 50);
create index part_totals_uncompacted on part_totals (starts) where slot > 0; -- for compactTotals

-- The same by player. A player's wallet is locked by whoever settles, so there are no slots.
create table player_totals (
  tenant_id bigint not null references tenants,
  player_id bigint not null,
  unit text not null check (unit in ('day', 'week', 'month')),
  starts date not null,
  purchases numeric(16,2) not null default 0,
  redeems numeric(16,2) not null default 0,
  purchase_count int not null default 0,
  redeem_count int not null default 0,
  primary key (tenant_id, player_id, unit, starts)
) with (fillfactor = 80);
create index player_totals_top on player_totals (tenant_id, unit, starts, purchases desc, player_id);

-- Who decided a redeem; null: the platform itself, or unknown.
alter table redeems add column decided_by bigint;
update redeems m set decided_by = t.admin_id
from transfers t
where t.tenant_id = m.tenant_id and t.money_id = m.id and t.from_account = 'held' and t.admin_id is not null
  and m.status <> 'pending' and not m.is_history;

-- For lists of what was settled in a range of days, beside transactions_completed and redeems_completed.
create index transactions_deposited on transactions (tenant_id, completed_at) include (amount)
  where transaction_type = 'DEPOSIT' and status = 'success';
create index redeems_refused on redeems (tenant_id, completed_at) include (amount) where status = 'failed';

-- The number of a span among those of PAYOUT_SECONDS: 0 is the shortest.
create function payout_span(asked timestamptz, paid timestamptz) returns text language sql immutable as $$
  select width_bucket(extract(epoch from paid - asked)::bigint, array[60, 120, 300, 600, 900, 1200, 1800, 2700, 3600,
    5400, 7200, 10800, 14400, 21600, 28800, 43200, 64800, 86400, 129600, 172800, 259200, 345600, 432000, 604800,
    864000, 1209600, 2592000]::bigint[])::text
$$;

-- Adds to a part without an amount, on the day of a moment and in its week and month.
create function count_moment(tenant bigint, of_part text, at timestamptz, change bigint) returns void
language plpgsql as $$
begin
  insert into part_totals as k (tenant_id, part, unit, starts, key, slot, count_in)
  select tenant, of_part, u.unit, u.starts, '', 1 + pg_backend_pid() % 15, change
  from tenants t
    cross join lateral (select (at at time zone t.time_zone)::date as day) d
    cross join lateral (values ('day', day), ('month', date_trunc('month', day::timestamp)::date),
      ('week', day - extract(dow from day)::int)) as u (unit, starts)
  where t.id = tenant
  on conflict (part, unit, starts, tenant_id, key, slot) do update set count_in = k.count_in + excluded.count_in;
end $$;

create function count_settled(tenant_ids bigint[], player_ids bigint[], kinds text[], amounts numeric[],
  asked timestamptz[], settled timestamptz[], platforms text[], methods text[], deciders bigint[])
returns void language plpgsql as $$
begin
  with money as materialized (
    select m.*, t.time_zone, lower(p.affiliate_id) as affiliate, p.deleted_at, p.created_at,
      to_char(local, 'HH24') as hour, local::date as day
    from unnest(tenant_ids, player_ids, kinds, amounts, asked, settled, platforms, methods, deciders)
        as m (tenant_id, player_id, kind, amount, asked_at, settled_at, platform, method, decided_by)
      join tenants t on t.id = m.tenant_id
      join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
      cross join lateral (select m.settled_at at time zone t.time_zone as local) l
  ), spans as materialized (
    select m.*, u.unit, u.starts
    from money m cross join lateral (values ('day', day), ('month', date_trunc('month', day::timestamp)::date),
      ('week', day - extract(dow from day)::int)) as u (unit, starts)
  ), by_player as (
    insert into player_totals as k
      (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
    select tenant_id, player_id, unit, starts, coalesce(sum(amount) filter (where kind = 'purchase'), 0),
      coalesce(sum(amount) filter (where kind = 'redeem'), 0), count(*) filter (where kind = 'purchase'),
      count(*) filter (where kind = 'redeem')
    from spans where kind in ('purchase', 'redeem') group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (tenant_id, player_id, unit, starts) do update set
      purchases = k.purchases + excluded.purchases, redeems = k.redeems + excluded.redeems,
      purchase_count = k.purchase_count + excluded.purchase_count, redeem_count = k.redeem_count + excluded.redeem_count
  ), bought as ( -- for the first time in the week; this statement does not see what by_player writes
    select distinct tenant_id, player_id, starts, (created_at at time zone time_zone)::date as signed_up
    from spans s
    where unit = 'week' and kind = 'purchase' and deleted_at is null and not exists (
      select from player_totals k where k.tenant_id = s.tenant_id and k.player_id = s.player_id and k.unit = 'week'
        and k.starts = s.starts and k.purchase_count > 0)
  ), part as (
    select s.tenant_id, x.part, s.unit, s.starts, x.key,
      case when kind in ('purchase', 'deposit') then amount else 0 end as amount_in,
      case when kind in ('redeem', 'refused') then amount else 0 end as amount_out,
      (kind in ('purchase', 'deposit'))::int as count_in, (kind in ('redeem', 'refused'))::int as count_out
    from spans s cross join lateral (values
      ('total', '', kind in ('purchase', 'redeem')), ('hour', hour, kind in ('purchase', 'redeem') and unit = 'day'),
      ('platform', platform, kind in ('purchase', 'redeem')), ('method', method, kind in ('purchase', 'redeem')),
      ('affiliate', affiliate, kind in ('purchase', 'redeem') and affiliate <> ''),
      ('deposit', method, kind = 'deposit'),
      ('payout', payout_span(asked_at, settled_at), kind = 'redeem'),
      ('paid', coalesce(decided_by::text, ''), kind = 'redeem'),
      ('refused', coalesce(decided_by::text, ''), kind = 'refused')) as x (part, key, is_counted)
    where x.is_counted
    union all
    select b.tenant_id, 'cohort', 'week', w.starts, ((b.starts - w.starts) / 7)::text, 0, 0, 1, 0
    from bought b
      cross join lateral (select signed_up - extract(dow from signed_up)::int as starts) w
  )
  insert into part_totals as k (tenant_id, part, unit, starts, key, slot, amount_in, amount_out, count_in, count_out)
  select tenant_id, part, unit, starts, key, 1 + pg_backend_pid() % 15, sum(amount_in), sum(amount_out), sum(count_in),
    sum(count_out)
  from part group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (part, unit, starts, tenant_id, key, slot) do update set
    amount_in = k.amount_in + excluded.amount_in, amount_out = k.amount_out + excluded.amount_out,
    count_in = k.count_in + excluded.count_in, count_out = k.count_out + excluded.count_out;
end $$;

create function count_transactions() returns trigger language plpgsql as $$
declare
  changed bigint[];                           -- null: all rows
begin
  if tg_op = 'UPDATE' then
    changed := array(select a.id from after a join before b on b.tenant_id = a.tenant_id and b.id = a.id
      where b.status = 'pending' and a.status = 'success');
  end if;
  if tg_op = 'INSERT' or cardinality(changed) > 0 then
    perform count_settled(array_agg(tenant_id), array_agg(player_id),
      array_agg(case transaction_type when 'TOP_UP' then 'purchase' else 'deposit' end), array_agg(amount),
      array_agg(initiated_at), array_agg(completed_at), array_agg(left(coalesce(platform, ''), 100)),
      array_agg(left(coalesce(
        case transaction_type when 'TOP_UP' then payment_method else payment_metadata ->> 'type' end, ''), 100)),
      array_agg(null::bigint))
    from after a where a.status = 'success' and (changed is null or a.id = any(changed)) having count(*) > 0;
  end if;
  return null;
end $$;

create function count_redeems() returns trigger language plpgsql as $$
declare
  changed bigint[];                           -- null: all rows
begin
  if tg_op = 'UPDATE' then
    changed := array(select a.id from after a join before b on b.tenant_id = a.tenant_id and b.id = a.id
      where b.status = 'pending' and a.status <> 'pending');
  end if;
  if tg_op = 'INSERT' or cardinality(changed) > 0 then
    perform count_settled(array_agg(tenant_id), array_agg(player_id),
      array_agg(case status when 'success' then 'redeem' else 'refused' end), array_agg(amount),
      array_agg(initiated_at), array_agg(completed_at), array_agg(left(platform, 100)),
      array_agg(left(coalesce(payout_method, ''), 100)),
      array_agg(decided_by))
    from after a where a.status <> 'pending' and (changed is null or a.id = any(changed)) having count(*) > 0;
  end if;
  return null;
end $$;

create function count_signups() returns trigger language plpgsql as $$
begin
  insert into part_totals as k (tenant_id, part, unit, starts, key, slot, count_in)
  select a.tenant_id, 'signup', u.unit, u.starts, '', 1 + pg_backend_pid() % 15, count(*)
  from added a
    join tenants t on t.id = a.tenant_id
    cross join lateral (select (a.created_at at time zone t.time_zone)::date as day) d
    cross join lateral (values ('day', day), ('month', date_trunc('month', day::timestamp)::date),
      ('week', day - extract(dow from day)::int)) as u (unit, starts)
  where a.deleted_at is null
  group by 1, 3, 4 order by 1, 3, 4
  on conflict (part, unit, starts, tenant_id, key, slot) do update set count_in = k.count_in + excluded.count_in;
  return null;
end $$;

-- A deleted player leaves the counts of players, because no list shows one; the money stays.
create function count_left_player() returns trigger language plpgsql as $$
declare
  change int := case when new.deleted_at is null then 1 else -1 end;
begin
  perform from wallets where tenant_id = new.tenant_id and player_id = new.id for update;
  perform count_moment(new.tenant_id, 'signup', new.created_at, change);
  insert into part_totals as k (tenant_id, part, unit, starts, key, slot, count_in)
  select new.tenant_id, 'cohort', 'week', w.starts, ((b.starts - w.starts) / 7)::text, 1 + pg_backend_pid() % 15, change
  from player_totals b
    join tenants t on t.id = b.tenant_id
    cross join lateral (select (new.created_at at time zone t.time_zone)::date as day) d
    cross join lateral (select day - extract(dow from day)::int as starts) w
  where b.tenant_id = new.tenant_id and b.player_id = new.id and b.unit = 'week' and b.purchase_count > 0
  order by b.starts
  on conflict (part, unit, starts, tenant_id, key, slot) do update set count_in = k.count_in + excluded.count_in;
  return null;
end $$;

-- The wallet is locked so that no settlement counts for the former affiliate afterwards.
create function count_moved_player() returns trigger language plpgsql as $$
begin
  perform from wallets where tenant_id = new.tenant_id and player_id = new.id for update;
  insert into part_totals as k (tenant_id, part, unit, starts, key, slot, amount_in, amount_out, count_in, count_out)
  select b.tenant_id, 'affiliate', b.unit, b.starts, side.affiliate, 1 + pg_backend_pid() % 15, side.sign * b.purchases,
    side.sign * b.redeems, side.sign * b.purchase_count, side.sign * b.redeem_count
  from player_totals b cross join lateral (values (lower(old.affiliate_id), -1), (lower(new.affiliate_id), 1))
    as side (affiliate, sign)
  where b.tenant_id = new.tenant_id and b.player_id = new.id and side.affiliate <> ''
  order by b.unit, b.starts, side.affiliate
  on conflict (part, unit, starts, tenant_id, key, slot) do update set
    amount_in = k.amount_in + excluded.amount_in, amount_out = k.amount_out + excluded.amount_out,
    count_in = k.count_in + excluded.count_in, count_out = k.count_out + excluded.count_out;
  return null;
end $$;

create function count_wallet() returns trigger language plpgsql as $$
declare
  was_open int := (tg_op = 'UPDATE' and old.closed_at is null)::int;
  is_open int := (new.closed_at is null)::int;
begin
  insert into part_totals as k (tenant_id, part, unit, starts, key, slot, amount_in)
  select new.tenant_id, 'held', 'all', '1970-01-01', kind, 1 + pg_backend_pid() % 15, change
  from (values
    ('bonus', is_open * new.bonus_balance - was_open * coalesce(old.bonus_balance, 0)),
    ('credit', is_open * new.credit_balance - was_open * coalesce(old.credit_balance, 0)),
    ('held', is_open * new.held_balance - was_open * coalesce(old.held_balance, 0)),
    ('loyalty', is_open * new.loyalty_balance - was_open * coalesce(old.loyalty_balance, 0)),
    ('vip', is_open * new.vip_balance - was_open * coalesce(old.vip_balance, 0))) as v (kind, change)
  where change <> 0
  on conflict (part, unit, starts, tenant_id, key, slot) do update set amount_in = k.amount_in + excluded.amount_in;
  if tg_op = 'INSERT' or (old.first_purchase_at, was_open) is distinct from (new.first_purchase_at, is_open) then
    if was_open = 1 and old.first_purchase_at is not null then
      perform count_moment(new.tenant_id, 'first', old.first_purchase_at, -1);
    end if;
    if is_open = 1 and new.first_purchase_at is not null then
      perform count_moment(new.tenant_id, 'first', new.first_purchase_at, 1);
    end if;
  end if;
  return null;
end $$;

-- What is there already. The same sums are in ledger/partTotals.ts, which verify compares them with.
with money as materialized (
  select m.*, (completed_at at time zone t.time_zone)::date as day,
    to_char(completed_at at time zone t.time_zone, 'HH24') as hour
  from (
    select tenant_id, player_id, case transaction_type when 'TOP_UP' then 'purchase' else 'deposit' end as kind, amount,
      initiated_at, completed_at, left(coalesce(platform, ''), 100) as platform,
      left(coalesce(
        case transaction_type when 'TOP_UP' then payment_method else payment_metadata ->> 'type' end, ''), 100)
        as method,
      null::bigint as decided_by
    from transactions where status = 'success'
    union all
    select tenant_id, player_id, case status when 'success' then 'redeem' else 'refused' end, amount, initiated_at,
      completed_at, left(platform, 100), left(coalesce(payout_method, ''), 100), decided_by
    from redeems where status <> 'pending') m
  join tenants t on t.id = m.tenant_id
), player_day as materialized (
  select tenant_id, player_id, day, coalesce(sum(amount) filter (where kind = 'purchase'), 0) as purchases,
    coalesce(sum(amount) filter (where kind = 'redeem'), 0) as redeems,
    count(*) filter (where kind = 'purchase') as purchase_count,
    count(*) filter (where kind = 'redeem') as redeem_count
  from money where kind in ('purchase', 'redeem') group by 1, 2, 3
), by_player as (
  insert into player_totals (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
  select tenant_id, player_id, u.unit, u.starts, sum(purchases), sum(redeems), sum(purchase_count), sum(redeem_count)
  from player_day cross join lateral (values ('day', day), ('month', date_trunc('month', day::timestamp)::date),
    ('week', day - extract(dow from day)::int)) as u (unit, starts)
  group by 1, 2, 3, 4
  returning *
), part_day as (
  select tenant_id, x.part, day, x.key,
    sum(case when kind in ('purchase', 'deposit') then amount else 0 end) as amount_in,
    sum(case when kind in ('redeem', 'refused') then amount else 0 end) as amount_out,
    count(*) filter (where kind in ('purchase', 'deposit')) as count_in,
    count(*) filter (where kind in ('redeem', 'refused')) as count_out
  from money cross join lateral (values
    ('total', '', kind in ('purchase', 'redeem')), ('hour', hour, kind in ('purchase', 'redeem')),
    ('platform', platform, kind in ('purchase', 'redeem')), ('method', method, kind in ('purchase', 'redeem')),
    ('deposit', method, kind = 'deposit'), ('payout', payout_span(initiated_at, completed_at), kind = 'redeem'),
    ('paid', coalesce(decided_by::text, ''), kind = 'redeem'),
    ('refused', coalesce(decided_by::text, ''), kind = 'refused')) as x (part, key, is_counted)
  where x.is_counted group by 1, 2, 3, 4
  union all
  select b.tenant_id, 'affiliate', day, lower(p.affiliate_id), sum(purchases), sum(redeems), sum(purchase_count),
    sum(redeem_count)
  from player_day b join players p on p.tenant_id = b.tenant_id and p.id = b.player_id
  where p.affiliate_id <> '' group by 1, 2, 3, 4
  union all
  select p.tenant_id, 'signup', (p.created_at at time zone t.time_zone)::date, '', 0, 0, count(*), 0
  from players p join tenants t on t.id = p.tenant_id where p.deleted_at is null group by 1, 2, 3, 4
  union all
  select w.tenant_id, 'first', (w.first_purchase_at at time zone t.time_zone)::date, '', 0, 0, count(*), 0
  from wallets w join tenants t on t.id = w.tenant_id
  where w.first_purchase_at is not null and w.closed_at is null group by 1, 2, 3, 4
), parts as (
  select tenant_id, part, u.unit, u.starts, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out,
    sum(count_in) as count_in, sum(count_out) as count_out
  from part_day cross join lateral (values ('day', day), ('month', date_trunc('month', day::timestamp)::date),
    ('week', day - extract(dow from day)::int)) as u (unit, starts)
  where part <> 'hour' or u.unit = 'day' group by 1, 2, 3, 4, 5
  union all
  select b.tenant_id, 'cohort', 'week', w.starts, ((b.starts - w.starts) / 7)::text, 0, 0, count(*), 0
  from by_player b
    join players p on p.tenant_id = b.tenant_id and p.id = b.player_id and p.deleted_at is null
    join tenants t on t.id = b.tenant_id
    cross join lateral (select (p.created_at at time zone t.time_zone)::date as day) d
    cross join lateral (select day - extract(dow from day)::int as starts) w
  where b.unit = 'week' and b.purchase_count > 0 group by 1, 4, 5
  union all
  select tenant_id, 'held', 'all', '1970-01-01', v.kind, sum(v.amount), 0, 0, 0
  from wallets cross join lateral (values ('credit', credit_balance), ('bonus', bonus_balance), ('vip', vip_balance),
    ('loyalty', loyalty_balance), ('held', held_balance)) as v (kind, amount)
  where closed_at is null and v.amount <> 0 group by 1, 5
)
insert into part_totals (tenant_id, part, unit, starts, key, slot, amount_in, amount_out, count_in, count_out)
select tenant_id, part, unit, starts, key, 0, amount_in, amount_out, count_in, count_out from parts;

create trigger transactions_counted after insert on transactions referencing new table as after
  for each statement execute function count_transactions();
create trigger transactions_settled after update on transactions referencing old table as before new table as after
  for each statement execute function count_transactions();
create trigger redeems_counted after insert on redeems referencing new table as after
  for each statement execute function count_redeems();
create trigger redeems_settled after update on redeems referencing old table as before new table as after
  for each statement execute function count_redeems();
create trigger players_signed_up after insert on players referencing new table as added
  for each statement execute function count_signups();
create trigger players_left after update of deleted_at on players
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_left_player();
create trigger players_moved after update of affiliate_id on players
  for each row when (lower(old.affiliate_id) is distinct from lower(new.affiliate_id))
  execute function count_moved_player();
create trigger wallets_opened after insert on wallets for each row
  when (new.first_purchase_at is not null or new.credit_balance + new.bonus_balance + new.vip_balance
    + new.loyalty_balance + new.held_balance > 0) execute function count_wallet();
create trigger wallets_changed after update on wallets for each row
  when ((old.credit_balance, old.bonus_balance, old.vip_balance, old.loyalty_balance, old.held_balance,
      old.first_purchase_at, old.closed_at) is distinct from
    (new.credit_balance, new.bonus_balance, new.vip_balance, new.loyalty_balance, new.held_balance,
      new.first_purchase_at, new.closed_at)) execute function count_wallet();

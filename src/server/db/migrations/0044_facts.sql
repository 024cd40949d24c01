-- One kind of total. What was settled up to a moment of each tenant is kept as facts by day, week and month; what came
-- later is read from the rows (src/server/totals). So a settlement writes no totals, and needs none of these triggers.
drop trigger transactions_counted on transactions;
drop trigger transactions_settled on transactions;
drop trigger redeems_counted on redeems;
drop trigger redeems_settled on redeems;
drop trigger players_signed_up on players;
drop trigger players_left on players;
drop trigger players_returned on players;
drop trigger players_moved on players;
drop trigger wallets_opened on wallets;
drop trigger wallets_changed on wallets;
drop function note_transaction;
drop function note_redeem;
drop function note_player;
drop function note_opened_wallet;
drop function note_changed_wallet;

-- Up to when the facts of a tenant are complete, in whole milliseconds. Without a row: they have not been begun.
create table facts_until (
  tenant_id bigint primary key references tenants,
  until timestamptz not null
);

create table facts (
  tenant_id bigint not null references tenants,
  -- total, hour, platform, method, affiliate: purchases in and redeems out. deposit: by the balance that paid. payout:
  -- paid redeems by the time they took. paid, refused: redeems by who decided. signup, first: new players and first
  -- purchases. cohort: of a week's sign-ups, who bought so many weeks later. held: what open wallets hold.
  dimension text not null,
  unit text not null check (unit in ('day', 'week', 'month', 'all')),
  starts date not null,                       -- in the tenant's time zone; weeks start on Sunday
  key text not null,
  amount_in numeric not null default 0,
  amount_out numeric not null default 0,
  count_in bigint not null default 0,
  count_out bigint not null default 0,
  primary key (dimension, unit, starts, tenant_id, key) -- one span of all tenants is in one place
) with (fillfactor = 80);

-- Few wallets are closed: what moved lately is looked up among them, instead of among all.
create index wallets_closed on wallets (tenant_id, player_id) where closed_at is not null;

-- The same by player.
alter table player_totals rename to player_facts;
alter table player_facts rename constraint player_totals_pkey to player_facts_pkey;
alter table player_facts rename constraint player_totals_tenant_id_fkey to player_facts_tenant_id_fkey;
alter table player_facts rename constraint player_totals_unit_check to player_facts_unit_check;
alter index player_totals_top rename to player_facts_top;

-- What there is already: the totals of 0.2.0 up to the start of the day of the first change that waits to be added to
-- them, or of today. If players were moved or deleted meanwhile, the facts of the tenant are counted anew. This reads
-- the totals, not the payments.
insert into facts_until (tenant_id, until)
select t.id, (least(now(), min(c.at)) at time zone t.time_zone)::date::timestamp at time zone t.time_zone
from tenants t left join (
  select c.tenant_id,
    least(c.settled_at, c.first_was, c.first_is, case when c.kind = 'signup' then p.created_at end) as at
  from total_changes c join players p on p.tenant_id = c.tenant_id and p.id = c.player_id
) c on c.tenant_id = t.id
where t.id <> 1 and t.id <> all (array(
  select x.tenant_id from total_changes x where x.kind in ('moved', 'left', 'returned')))
group by t.id, t.time_zone;

-- Of each tenant the day on which its facts end, and the week and the month of it.
create temp table facts_end on commit drop as
select u.tenant_id, u.until, day, day - extract(dow from day)::int as week,
  date_trunc('month', day::timestamp)::date as month
from facts_until u join tenants t on t.id = u.tenant_id
  cross join lateral (select (u.until at time zone t.time_zone)::date as day) d;

-- Whole days, weeks and months are kept. Those under way are added up from their days.
insert into facts (tenant_id, dimension, unit, starts, key, amount_in, amount_out, count_in, count_out)
select p.tenant_id, p.part, p.unit, p.starts, p.key, p.amount_in, p.amount_out, p.count_in, p.count_out
from part_totals p join facts_end e on e.tenant_id = p.tenant_id
where case when p.part = 'held' then false when p.part = 'cohort' then p.starts + 7 * p.key::int < e.week
  when p.unit = 'day' then p.starts < e.day when p.unit = 'week' then p.starts < e.week else p.starts < e.month end;
insert into facts (tenant_id, dimension, unit, starts, key, amount_in, amount_out, count_in, count_out)
select f.tenant_id, f.dimension, s.unit, s.starts, f.key, sum(f.amount_in), sum(f.amount_out), sum(f.count_in),
  sum(f.count_out)
from facts f join facts_end e on e.tenant_id = f.tenant_id
  cross join lateral (values ('week', e.week), ('month', e.month)) as s (unit, starts)
where f.unit = 'day' and f.dimension <> 'hour' and f.starts >= s.starts group by 1, 2, 3, 4, 5;

delete from player_facts k where k.tenant_id <> all (array(select e.tenant_id from facts_end e));
delete from player_facts k using facts_end e
where e.tenant_id = k.tenant_id
  and k.starts >= case k.unit when 'day' then e.day when 'week' then e.week else e.month end;
insert into player_facts (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
select k.tenant_id, k.player_id, s.unit, s.starts, sum(k.purchases), sum(k.redeems), sum(k.purchase_count),
  sum(k.redeem_count)
from player_facts k join facts_end e on e.tenant_id = k.tenant_id
  cross join lateral (values ('week', e.week), ('month', e.month)) as s (unit, starts)
where k.unit = 'day' and k.starts >= s.starts group by 1, 2, 3, 4;

insert into facts (tenant_id, dimension, unit, starts, key, count_in)
select k.tenant_id, 'cohort', 'week', c.starts, ((k.starts - c.starts) / 7)::text, count(*)
from player_facts k
  join facts_end e on e.tenant_id = k.tenant_id and k.starts = e.week
  join players p on p.tenant_id = k.tenant_id and p.id = k.player_id and p.deleted_at is null
  join tenants t on t.id = k.tenant_id
  cross join lateral (select (p.created_at at time zone t.time_zone)::date as day) d
  cross join lateral (select d.day - extract(dow from d.day)::int as starts) c
where k.unit = 'week' and k.purchase_count > 0 group by 1, 4, 5;

-- What open wallets hold, without what was transferred since.
insert into facts (tenant_id, dimension, unit, starts, key, amount_in)
select h.tenant_id, 'held', 'all', '1970-01-01', h.account, sum(h.amount)
from (
  select w.tenant_id, v.account, v.amount
  from wallets w cross join lateral (values ('credit', w.credit_balance), ('bonus', w.bonus_balance),
    ('vip', w.vip_balance), ('loyalty', w.loyalty_balance), ('held', w.held_balance)) as v (account, amount)
  where w.closed_at is null
  union all
  select m.tenant_id, a.account, -a.amount
  from facts_end e
    join transfers m on m.tenant_id = e.tenant_id and m.created_at >= e.until
    join wallets w on w.tenant_id = m.tenant_id and w.player_id = m.player_id and w.closed_at is null
    cross join lateral (values (m.from_account, -m.amount), (m.to_account, m.amount)) as a (account, amount)
  where a.account in ('credit', 'bonus', 'vip', 'loyalty', 'held')
) h join facts_end e on e.tenant_id = h.tenant_id group by 1, 5;

drop table day_totals;
drop table method_totals;
drop table part_totals;
drop table total_changes;

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
drop table day_totals;
drop table method_totals;
drop table part_totals;
drop table player_totals;
drop table total_changes;

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

create table player_facts (
  tenant_id bigint not null references tenants,
  player_id bigint not null,
  unit text not null check (unit in ('day', 'week', 'month')),
  starts date not null,
  purchases numeric not null default 0,
  redeems numeric not null default 0,
  purchase_count bigint not null default 0,
  redeem_count bigint not null default 0,
  primary key (tenant_id, player_id, unit, starts)
) with (fillfactor = 80);
create index player_facts_top on player_facts (tenant_id, unit, starts, purchases desc, player_id);

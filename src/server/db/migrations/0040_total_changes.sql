-- The totals of the overview are no longer written by whoever settles: a settlement notes what it changed, one row for
-- the payment and one for the wallet, and a server adds the notes up every few seconds (ledger/totalChanges.ts).
-- A row has all that is needed later. Of a player it does not: the present affiliate, and whether there is one still,
-- are read when the rows are added up, and all that wait of a player are added up together.
drop trigger transactions_counted on transactions;
drop trigger transactions_settled on transactions;
drop trigger redeems_counted on redeems;
drop trigger redeems_settled on redeems;
drop trigger players_signed_up on players;
drop trigger players_left on players;
drop trigger players_moved on players;
drop trigger wallets_opened on wallets;
drop trigger wallets_changed on wallets;
drop function count_transactions;
drop function count_redeems;
drop function count_signups;
drop function count_left_player;
drop function count_moved_player;
drop function count_wallet;
drop function count_settled;
drop function count_moment;
drop function payout_span;

create table total_changes (
  tenant_id bigint not null,
  player_id bigint not null,
  id bigint generated always as identity,     -- of one player in the order in which they were committed
  -- purchase, deposit, redeem, refused: a payment was settled. signup, left, returned, moved: a player. wallet: money.
  kind text not null,
  amount numeric(14,2),
  asked_at timestamptz,
  settled_at timestamptz,
  platform text,
  method text,
  decided_by bigint,
  was_affiliate text,                         -- of moved: the one before, in small letters; '' for none
  first_was timestamptz,                      -- of wallet: the moment of the first purchase before and after
  first_is timestamptz,
  credit numeric(14,2),                       -- of wallet: by how much the balances of an open wallet changed
  bonus numeric(14,2),
  vip numeric(14,2),
  loyalty numeric(14,2),
  held numeric(14,2),
  primary key (tenant_id, player_id, id)
);

-- With one writer there are no slots. The rows of the platform's own tenant are those of all tenants together, so that
-- an overview of all reads no more than that of one. This reads the totals, not the payments: seconds, even with ten
-- million payments, and no other server runs meanwhile.
create table summed_totals (
  tenant_id bigint not null references tenants,
  part text not null,
  unit text not null constraint part_totals_unit_check check (unit in ('day', 'week', 'month', 'all')),
  starts date not null,
  key text not null,
  amount_in numeric(16,2) not null default 0,
  amount_out numeric(16,2) not null default 0,
  count_in int not null default 0,
  count_out int not null default 0
) with (fillfactor = 80);
insert into summed_totals (tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out)
select tenant_id, part, unit, starts, key, sum(amount_in), sum(amount_out), sum(count_in), sum(count_out)
from part_totals group by 1, 2, 3, 4, 5;
insert into summed_totals (tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out)
select 1, part, unit, starts, key, sum(amount_in), sum(amount_out), sum(count_in), sum(count_out)
from summed_totals group by 2, 3, 4, 5;
drop table part_totals;
alter table summed_totals rename to part_totals;
alter table part_totals rename constraint summed_totals_tenant_id_fkey to part_totals_tenant_id_fkey;
alter table part_totals add constraint part_totals_pkey primary key (tenant_id, part, unit, starts, key);

create function note_transaction() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, amount, asked_at, settled_at, platform, method)
  values (new.tenant_id, new.player_id, case new.transaction_type when 'TOP_UP' then 'purchase' else 'deposit' end,
    new.amount, new.initiated_at, new.completed_at, left(coalesce(new.platform, ''), 100), left(coalesce(
      case new.transaction_type when 'TOP_UP' then new.payment_method else new.payment_metadata ->> 'type' end, ''),
      100));
  return null;
end $$;

create function note_redeem() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, amount, asked_at, settled_at, platform, method, decided_by)
  values (new.tenant_id, new.player_id, case new.status when 'success' then 'redeem' else 'refused' end, new.amount,
    new.initiated_at, new.completed_at, left(new.platform, 100), left(coalesce(new.payout_method, ''), 100),
    new.decided_by);
  return null;
end $$;

create function note_player() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, was_affiliate)
  values (new.tenant_id, new.id, tg_argv[0],
    case tg_argv[0] when 'moved' then lower(coalesce(old.affiliate_id, '')) end);
  return null;
end $$;

create function note_opened_wallet() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, first_is, credit, bonus, vip, loyalty, held)
  values (new.tenant_id, new.player_id, 'wallet', new.first_purchase_at, new.credit_balance, new.bonus_balance,
    new.vip_balance, new.loyalty_balance, new.held_balance);
  return null;
end $$;

-- A closed wallet counts for nothing.
create function note_changed_wallet() returns trigger language plpgsql as $$
declare
  was_open int := (old.closed_at is null)::int;
  is_open int := (new.closed_at is null)::int;
begin
  insert into total_changes (tenant_id, player_id, kind, first_was, first_is, credit, bonus, vip, loyalty, held)
  values (new.tenant_id, new.player_id, 'wallet',
    case was_open when 1 then old.first_purchase_at end, case is_open when 1 then new.first_purchase_at end,
    nullif(is_open * new.credit_balance - was_open * old.credit_balance, 0),
    nullif(is_open * new.bonus_balance - was_open * old.bonus_balance, 0),
    nullif(is_open * new.vip_balance - was_open * old.vip_balance, 0),
    nullif(is_open * new.loyalty_balance - was_open * old.loyalty_balance, 0),
    nullif(is_open * new.held_balance - was_open * old.held_balance, 0));
  return null;
end $$;

create trigger transactions_counted after insert on transactions for each row
  when (new.status = 'success') execute function note_transaction();
create trigger transactions_settled after update of status on transactions for each row
  when (old.status = 'pending' and new.status = 'success') execute function note_transaction();
create trigger redeems_counted after insert on redeems for each row
  when (new.status <> 'pending') execute function note_redeem();
create trigger redeems_settled after update of status on redeems for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function note_redeem();
create trigger players_signed_up after insert on players for each row
  when (new.deleted_at is null) execute function note_player('signup');
create trigger players_left after update of deleted_at on players for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function note_player('left');
create trigger players_returned after update of deleted_at on players for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function note_player('returned');
create trigger players_moved after update of affiliate_id on players for each row
  when (lower(old.affiliate_id) is distinct from lower(new.affiliate_id)) execute function note_player('moved');
create trigger wallets_opened after insert on wallets for each row
  when (new.closed_at is null and (new.first_purchase_at is not null or new.credit_balance + new.bonus_balance
    + new.vip_balance + new.loyalty_balance + new.held_balance > 0)) execute function note_opened_wallet();
create trigger wallets_changed after update on wallets for each row
  when ((old.credit_balance, old.bonus_balance, old.vip_balance, old.loyalty_balance, old.held_balance,
      old.first_purchase_at, old.closed_at) is distinct from
    (new.credit_balance, new.bonus_balance, new.vip_balance, new.loyalty_balance, new.held_balance,
      new.first_purchase_at, new.closed_at)) execute function note_changed_wallet();

-- Alarms over the money of a tenant, each found without a look at all payments.
create index transactions_without_reference on transactions (tenant_id, completed_at desc, id desc)
  where transaction_type = 'TOP_UP' and status = 'success' and coalesce(payment_reference, '') = '';
create index transfers_by_hand_newest on transfers (tenant_id, created_at desc, id desc)
  where money_id is null and (from_account = 'adjustment' or to_account = 'adjustment');
create index wallets_negative on wallets (tenant_id, player_id)
  where credit_balance < 0 or bonus_balance < 0 or vip_balance < 0 or loyalty_balance < 0 or held_balance < 0;
create index wallets_frozen on wallets (tenant_id, player_id)
  where closed_at is not null and credit_balance + bonus_balance + vip_balance + loyalty_balance + held_balance > 0;

-- What is found when it happens, because finding it later would mean to compare all payments with all others.
create table alarm_finds (
  tenant_id bigint not null references tenants,
  alarm text not null check (alarm in ('reference_twice', 'foreign_address')),
  money_id bigint not null,
  found_at timestamptz not null default now(),
  primary key (tenant_id, alarm, money_id)
);
create index alarm_finds_newest on alarm_finds (tenant_id, alarm, found_at desc, money_id desc);

create function find_reference_twice() returns trigger language plpgsql as $$
begin
  insert into public.alarm_finds (tenant_id, alarm, money_id)
  select new.tenant_id, 'reference_twice', new.id
  where exists (
    select from public.transactions m
    where m.tenant_id = new.tenant_id
      and left(lower(m.payment_reference), 100) = left(lower(new.payment_reference), 100)
      and m.payment_reference is not null and m.transaction_type = 'TOP_UP'
      and m.payment_reference = new.payment_reference and m.status <> 'failed'
      and lower(coalesce(m.payment_method, '')) = lower(coalesce(new.payment_method, '')) and m.id <> new.id)
  on conflict do nothing;
  return null;
end $$;
create trigger transactions_reference_twice after insert on transactions for each row
  when (new.transaction_type = 'TOP_UP' and new.payment_reference <> '' and new.status <> 'failed')
  execute function find_reference_twice();

create function find_foreign_address() returns trigger language plpgsql as $$
begin
  insert into public.alarm_finds (tenant_id, alarm, money_id)
  select new.tenant_id, 'foreign_address', new.id
  where exists (
    select from public.redeems m
    where m.tenant_id = new.tenant_id and lower(btrim(m.payout_address)) = lower(btrim(new.payout_address))
      and m.payout_address is not null and m.player_id <> new.player_id and m.status = 'success')
  on conflict do nothing;
  return null;
end $$;
create trigger redeems_foreign_address after insert on redeems for each row
  when (new.status = 'success' and btrim(new.payout_address) <> '')
  execute function find_foreign_address();
create trigger redeems_foreign_address_paid after update of status on redeems for each row
  when (new.status = 'success' and old.status <> 'success' and btrim(new.payout_address) <> '')
  execute function find_foreign_address();

-- What there is already, by the time it happened.
insert into alarm_finds (tenant_id, alarm, money_id, found_at)
select tenant_id, 'reference_twice', id, coalesce(completed_at, initiated_at)
from (
  select *, row_number() over (
      partition by tenant_id, payment_reference, lower(coalesce(payment_method, '')) order by id
    ) as place
  from transactions where transaction_type = 'TOP_UP' and payment_reference <> '' and status <> 'failed'
) m where place > 1;
insert into alarm_finds (tenant_id, alarm, money_id, found_at)
select tenant_id, 'foreign_address', id, completed_at
from (
  select *, first_value(player_id) over (
      partition by tenant_id, lower(btrim(payout_address)) order by completed_at, id
    ) as first_player
  from redeems where status = 'success' and btrim(payout_address) <> ''
) m where player_id <> first_player;

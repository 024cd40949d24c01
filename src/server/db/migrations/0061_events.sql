-- What happened at a tenant, for its own systems. It is written by a trigger, so in the transaction that changes the
-- data or not at all. A server takes it from here as soon as it can be seen, and gives it its number: what is committed
-- later has a greater one.
create table event_outbox (
  tenant_id bigint not null references tenants,
  id bigint generated always as identity,
  kind text not null,
  player_id bigint,
  data jsonb not null,
  at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create table events (
  tenant_id bigint not null references tenants,
  id bigint not null,                         -- ever greater, in the order in which they could be seen
  kind text not null,
  player_id bigint,
  data jsonb not null,
  at timestamptz not null,
  primary key (tenant_id, id)
);
create index events_age on events (at);
create index events_player on events (tenant_id, player_id);

-- Whether anybody wants to know: a channel, or an API key that reads them.
alter table tenants add column keeps_events boolean;

-- The columns of a row that are named in the second argument. Payments are named by their type.
create function keep_event() returns trigger language plpgsql as $$
declare
  fields jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  tenant bigint := (fields ->> 'tenant_id')::bigint;
begin
  if (select keeps_events from public.tenants where id = tenant) then
    insert into public.event_outbox (tenant_id, kind, player_id, data)
    select tenant,
      case fields ->> 'transaction_type'
        when 'TOP_UP' then 'purchase' || tg_argv[0]
        when 'DEPOSIT' then 'deposit' || tg_argv[0]
        when 'RETURN' then 'return' || tg_argv[0]
        else tg_argv[0] end,
      (fields ->> coalesce(tg_argv[2], 'player_id'))::bigint,
      jsonb_object_agg(name, fields -> name)
    from unnest(string_to_array(tg_argv[1], ' ')) as name;
  end if;
  return null;
end $$;

create trigger players_event_created after insert on players for each row
  execute function keep_event('player.created', 
    'id email external_id first_name last_name referral_id affiliate_id is_active', 'id');
create trigger players_event_updated after update on players for each row
  when (new.deleted_at is null and (old.email, old.external_id, old.first_name, old.last_name, old.phone_number,
      old.referral_id, old.affiliate_id, old.is_active)
    is distinct from (new.email, new.external_id, new.first_name, new.last_name, new.phone_number,
      new.referral_id, new.affiliate_id, new.is_active))
  execute function keep_event('player.updated', 
    'id email external_id first_name last_name referral_id affiliate_id is_active', 'id');
create trigger players_event_deleted after update of deleted_at on players for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function keep_event('player.deleted', 'id external_id', 'id');
create trigger player_credentials_event after insert on player_credentials for each row
  execute function keep_event('login.added', 'id platform_name platform_username');

create trigger transactions_event_created after insert on transactions for each row when (not new.is_history)
  execute function keep_event('.created', 
    'id status amount net_amount payment_method payment_reference platform initiated_at completed_at');
create trigger transactions_event_settled after update of status on transactions for each row
  when (old.status <> new.status)
  execute function keep_event('.settled', 
    'id status amount net_amount payment_method payment_reference platform initiated_at completed_at');
create trigger redeems_event_created after insert on redeems for each row when (not new.is_history)
  execute function keep_event('redeem.created', 
    'id status amount platform payout_method payout_address from_game initiated_at completed_at');
create trigger redeems_event_settled after update of status on redeems for each row
  when (old.status <> new.status)
  execute function keep_event('redeem.settled', 
    'id status amount platform payout_method payout_address from_game initiated_at completed_at');

create trigger payout_holds_event_set after insert on payout_holds for each row
  execute function keep_event('hold.set', 'reason');
create trigger payout_holds_event_lifted after delete on payout_holds for each row
  execute function keep_event('hold.lifted', 'reason');
create trigger closed_months_event after insert on closed_months for each row
  execute function keep_event('month.closed', 'month ends_at');

-- A channel of a tenant's own systems is told of every event, one after the other for each player.
alter table notification_channels
  drop constraint notification_channels_kind_check,
  add constraint notification_channels_kind_check check (kind in ('email', 'webhook', 'chat', 'events')),
  add column with_addresses boolean not null default false,
  add column is_active boolean not null default true;  -- off when it answered that it is gone
alter table notification_deliveries
  add column event_id bigint,
  add column player_id bigint;
create index notification_deliveries_turn on notification_deliveries (tenant_id, channel_id, player_id, id)
  where status = 'waiting' and event_id is not null;

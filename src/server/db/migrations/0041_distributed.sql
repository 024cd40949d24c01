-- The triggers that note what changes the totals of the overview do the same as before, in a form that Citus takes on
-- its workers too: there a `case` that compares one value with several is read wrongly.
create or replace function note_player() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, was_affiliate)
  values (new.tenant_id, new.id, tg_argv[0],
    case when tg_argv[0] = 'moved' then lower(coalesce(old.affiliate_id, '')) end);
  return null;
end $$;

create or replace function note_changed_wallet() returns trigger language plpgsql as $$
declare
  was_open int := (old.closed_at is null)::int;
  is_open int := (new.closed_at is null)::int;
begin
  insert into total_changes (tenant_id, player_id, kind, first_was, first_is, credit, bonus, vip, loyalty, held)
  values (new.tenant_id, new.player_id, 'wallet',
    case when was_open = 1 then old.first_purchase_at end, case when is_open = 1 then new.first_purchase_at end,
    nullif(is_open * new.credit_balance - was_open * old.credit_balance, 0),
    nullif(is_open * new.bonus_balance - was_open * old.bonus_balance, 0),
    nullif(is_open * new.vip_balance - was_open * old.vip_balance, 0),
    nullif(is_open * new.loyalty_balance - was_open * old.loyalty_balance, 0),
    nullif(is_open * new.held_balance - was_open * old.held_balance, 0));
  return null;
end $$;

create or replace function note_transaction() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, amount, asked_at, settled_at, platform, method)
  values (new.tenant_id, new.player_id, case when new.transaction_type = 'TOP_UP' then 'purchase' else 'deposit' end,
    new.amount, new.initiated_at, new.completed_at, left(coalesce(new.platform, ''), 100), left(coalesce(
      case when new.transaction_type = 'TOP_UP' then new.payment_method else new.payment_metadata ->> 'type' end, ''),
      100));
  return null;
end $$;

create or replace function note_redeem() returns trigger language plpgsql as $$
begin
  insert into total_changes (tenant_id, player_id, kind, amount, asked_at, settled_at, platform, method, decided_by)
  values (new.tenant_id, new.player_id, case when new.status = 'success' then 'redeem' else 'refused' end, new.amount,
    new.initiated_at, new.completed_at, left(new.platform, 100), left(coalesce(new.payout_method, ''), 100),
    new.decided_by);
  return null;
end $$;

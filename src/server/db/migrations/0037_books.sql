-- Books that can be closed: months of a tenant that nothing can be written into any more, and what they added up to.
create table closed_months (
  tenant_id bigint not null references tenants,
  month date not null check (extract(day from month) = 1),
  starts_at timestamptz not null,             -- in the tenant's time zone
  ends_at timestamptz not null,               -- the start of the next month
  closed_at timestamptz not null default now(),
  admin_id bigint not null references admins, -- who closed it
  primary key (tenant_id, month)
);
-- The movements of a closed month, from account to account, as they were when it was closed.
create table statement_lines (
  tenant_id bigint not null,
  month date not null,
  from_account text not null,
  to_account text not null,
  amount numeric(16,2) not null,
  transfers bigint not null,
  primary key (tenant_id, month, from_account, to_account),
  foreign key (tenant_id, month) references closed_months
);
create function refuse_reopening() returns trigger language plpgsql as $$
begin
  raise exception 'a closed month is never reopened or changed';
end $$;
create trigger closed_months_for_good before update or delete on closed_months
  for each row execute function refuse_reopening();
create trigger closed_months_never_emptied before truncate on closed_months execute function refuse_reopening();
create trigger statement_lines_for_good before update or delete on statement_lines
  for each row execute function refuse_reopening();
create trigger statement_lines_never_emptied before truncate on statement_lines execute function refuse_reopening();

-- Up to when the books of a tenant are closed; null: no month is closed.
create function closed_until(tenant bigint) returns timestamptz language sql stable as $$
  select max(ends_at) from public.closed_months where tenant_id = tenant
$$;

-- The last line of defence: the server refuses the same with better words. The conditions of the triggers cost nothing
-- for what happens now; only what is dated back is looked up.
create function refuse_closed_money() returns trigger language plpgsql as $$
declare
  until timestamptz;
begin
  if tg_op = 'INSERT' then
    until := public.closed_until(new.tenant_id);
    if new.initiated_at < until or new.completed_at < until then
      raise exception 'the books of tenant % are closed until %', new.tenant_id, until using errcode = 'BK001';
    end if;
    return new;
  end if;
  until := public.closed_until(old.tenant_id);
  if old.completed_at < until or (tg_op = 'UPDATE' and (new.completed_at < until
      or (old.initiated_at <> new.initiated_at and least(old.initiated_at, new.initiated_at) < until))) then
    raise exception 'the books of tenant % are closed until %', old.tenant_id, until using errcode = 'BK001';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;
create function refuse_closed_transfer() returns trigger language plpgsql as $$
begin
  if new.created_at < public.closed_until(new.tenant_id) then
    raise exception 'the books of tenant % are closed until %', new.tenant_id, public.closed_until(new.tenant_id)
      using errcode = 'BK001';
  end if;
  return new;
end $$;
create trigger transfers_closed before insert on transfers
  for each row when (new.created_at < now() - interval '1 hour') execute function refuse_closed_transfer();
create trigger transactions_closed before insert on transactions for each row
  when (new.initiated_at < now() - interval '1 hour' or new.completed_at < now() - interval '1 hour')
  execute function refuse_closed_money();
create trigger transactions_closed_change before update on transactions for each row
  when ((old.completed_at is not null or new.completed_at < now() - interval '1 hour'
      or old.initiated_at <> new.initiated_at)
    and (old.tenant_id, old.player_id, old.transaction_type, old.status, old.amount, old.net_amount, old.platform,
      old.payment_method,
      old.initiated_at, old.completed_at, old.is_history, old.payment_metadata)
    is distinct from (new.tenant_id, new.player_id, new.transaction_type, new.status, new.amount, new.net_amount,
      new.platform, new.payment_method, new.initiated_at, new.completed_at, new.is_history, new.payment_metadata))
  execute function refuse_closed_money();
create trigger transactions_closed_delete before delete on transactions for each row
  when (old.completed_at is not null) execute function refuse_closed_money();
create trigger redeems_closed before insert on redeems for each row
  when (new.initiated_at < now() - interval '1 hour' or new.completed_at < now() - interval '1 hour')
  execute function refuse_closed_money();
create trigger redeems_closed_change before update on redeems for each row
  when ((old.completed_at is not null or new.completed_at < now() - interval '1 hour'
      or old.initiated_at <> new.initiated_at)
    and (old.tenant_id, old.player_id, old.status, old.amount, old.platform, old.payout_method, old.initiated_at,
      old.completed_at,
      old.is_history, old.business_day)
    is distinct from (new.tenant_id, new.player_id, new.status, new.amount, new.platform, new.payout_method,
      new.initiated_at,
      new.completed_at, new.is_history, new.business_day))
  execute function refuse_closed_money();
create trigger redeems_closed_delete before delete on redeems for each row
  when (old.completed_at is not null) execute function refuse_closed_money();

-- A month of a statement without a look at all others.
create index transfers_time on transfers (tenant_id, created_at);
create index transactions_history on transactions (tenant_id, completed_at) where is_history and status = 'success';
create index redeems_history on redeems (tenant_id, completed_at) where is_history and status = 'success';

-- The check of the whole ledger in slices: where it stands, and what the last complete one found. A row per tenant.
create table book_checks (
  tenant_id bigint primary key references tenants,
  requested_at timestamptz,                   -- when somebody last asked for one
  started_at timestamptz,
  part text not null default 'players' check (part in ('players', 'days', 'months')),
  position text not null default '',          -- in its part: a player's id or a day; empty: at the start
  carried jsonb,                              -- the movements of a closed month up to the position
  checked bigint not null default 0,          -- how many players so far
  found int not null default 0,               -- how many differences so far, and by how much the books are off
  found_off_by numeric(16,2) not null default 0,
  next_at timestamptz not null default now(), -- no slice before
  finished_at timestamptz,                    -- of the last complete check, and what it found
  differences int not null default 0,
  off_by numeric(16,2) not null default 0
) with (fillfactor = 50);
-- The first of the differences that a check found.
create table book_differences (
  tenant_id bigint not null references tenants,
  started_at timestamptz not null,            -- the check that found it
  id bigint generated always as identity,
  sentence text not null,
  off_by numeric(16,2) not null,
  primary key (tenant_id, started_at, id)
);

-- Winnings come back from a game platform: a return, and a redeem that is paid from the game. Nothing moves by itself:
-- every tenant keeps its redeems as they are until it chooses otherwise.
alter table tenants add column redeems_from_game boolean not null default false;

alter table transactions
  drop constraint transactions_transaction_type_check,
  add constraint transactions_transaction_type_check check (transaction_type in ('TOP_UP', 'DEPOSIT', 'RETURN')) not valid,
  add constraint transactions_returned_from check (transaction_type <> 'RETURN' or platform is not null) not valid;
alter table transactions validate constraint transactions_transaction_type_check;
alter table transactions validate constraint transactions_returned_from;
create index transactions_returned on transactions (tenant_id, completed_at) include (amount)
  where transaction_type = 'RETURN' and status = 'success';

-- Whether a redeem holds no credit and its success takes the amount from its platform: as its tenant had chosen.
alter table redeems add column from_game boolean not null default false,
  add constraint redeems_history_from_game check (not (is_history and from_game));

alter table transfers
  drop constraint transfers_from_account_check,
  add constraint transfers_from_account_check check (from_account in
    ('credit', 'bonus', 'vip', 'loyalty', 'held', 'cash_in', 'platform', 'adjustment', 'opening')) not valid;
alter table transfers validate constraint transfers_from_account_check;

alter table payment_references
  drop constraint payment_references_kind_check,
  add constraint payment_references_kind_check check (kind in ('TOP_UP', 'DEPOSIT', 'RETURN', 'REDEEM'));

alter table saved_views
  drop constraint saved_views_list_check,
  add constraint saved_views_list_check check (list in ('users', 'purchases', 'deposits', 'returns', 'redeems'));

-- Two people agree on a large return as on a large edit.
alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('redeem', 'return', 'balances', 'limits')),
  add column return_id bigint,
  add foreign key (tenant_id, return_id) references transactions,
  add constraint approvals_return check ((kind = 'return') = (return_id is not null));
create unique index approvals_return on approvals (tenant_id, return_id) where ended_at is null;

-- The facts by game platform: deposits in, returns out. The deposits that are counted already are added once.
insert into facts (tenant_id, dimension, unit, starts, key, amount_in, count_in)
select m.tenant_id, 'game', u.unit, u.starts, left(coalesce(m.platform, ''), 100), sum(m.amount), count(*)
from transactions m
  join facts_until f on f.tenant_id = m.tenant_id and m.completed_at < f.until
  join tenants t on t.id = m.tenant_id
  cross join lateral (select (m.completed_at at time zone t.time_zone)::date as day) d
  cross join lateral (values ('day', day), ('week', day - extract(dow from day)::int),
    ('month', date_trunc('month', day::timestamp)::date)) as u (unit, starts)
where m.transaction_type = 'DEPOSIT' and m.status = 'success'
group by 1, 3, 4, 5;

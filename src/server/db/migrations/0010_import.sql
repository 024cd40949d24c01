-- What came in from another back-office. Nothing in it tells who or what it was: both texts are seals under the server's key.
create table imported (
  tenant_id bigint not null references tenants,
  kind text not null check (kind in ('players', 'transactions')),
  object_id bigint not null,                  -- the player, or the purchase, deposit or redeem
  key text not null,                          -- of the id it had there
  prints text not null,                       -- of each column, as it was in the file
  primary key (tenant_id, kind, key)
);

-- What was settled elsewhere before it came in: it counts in every report and moved no balance here. In the books it passes through `opening`.
alter table transactions add column is_history boolean not null default false, add constraint transactions_history check (not is_history or status <> 'pending');
alter table redeems add column is_history boolean not null default false, add constraint redeems_history check (not is_history or status <> 'pending');
alter table transfers drop constraint transfers_to_account_check, add constraint transfers_to_account_check
  check (to_account in ('credit', 'bonus', 'vip', 'loyalty', 'held', 'cash_out', 'platform', 'adjustment', 'opening'));

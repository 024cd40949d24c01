-- What a work queue asks for: what waits, the oldest first; a piece of text; and what makes a redeem worth a second look.
create index transactions_pending on transactions (tenant_id, transaction_type, initiated_at, id) where status = 'pending';

-- One line per field, so that a piece of text never matches across two of them. The expressions are those of moneyList.ts.
create index transactions_text on transactions using gin (tenant_id, lower(coalesce(payment_reference, '') || E'\n' || coalesce(description, '')) gin_trgm_ops)
  where payment_reference is not null or description is not null;
create index redeems_text on redeems using gin (tenant_id, lower(coalesce(payout_address, '') || E'\n' || coalesce(description, '')) gin_trgm_ops)
  where payout_address is not null or description is not null;

create index redeems_address on redeems (tenant_id, lower(btrim(payout_address)), player_id) where payout_address is not null;
create index transfers_by_hand on transfers (tenant_id, player_id, created_at) where from_account = 'adjustment' or to_account = 'adjustment';

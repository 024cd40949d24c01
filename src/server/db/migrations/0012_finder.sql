-- What came in and went out between two moments, whoever's it was: the affiliates of a range of days.
create index transactions_completed on transactions (tenant_id, completed_at) include (player_id, amount) where transaction_type = 'TOP_UP' and status = 'success';
create index redeems_completed on redeems (tenant_id, completed_at) include (player_id, amount) where status = 'success';

-- What begins with some characters, whatever the database's collation, for the search; equal ones are found by it as before. A reference may be of any length, a key may not.
create index transactions_reference on transactions (tenant_id, left(lower(payment_reference), 100) text_pattern_ops) where payment_reference is not null;
drop index redeems_address;
create index redeems_address on redeems (tenant_id, lower(btrim(payout_address)) text_pattern_ops, player_id) where payout_address is not null;

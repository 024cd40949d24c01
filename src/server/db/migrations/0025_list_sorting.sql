-- For lists sorted by amount, and for the sums of a list, which read this index alone.
create index transactions_amount on transactions (tenant_id, transaction_type, amount, id) include (status);
create index transactions_amount_of_all on transactions (transaction_type, amount, id) include (status);
create index redeems_amount on redeems (tenant_id, amount, id) include (status);
create index redeems_amount_of_all on redeems (amount, id) include (status);

-- For lists sorted by player. Payments of deleted players stay in them, so all players are in it.
create index players_in_order on players (tenant_id, lower(email), id);
create index players_in_order_of_all on players (lower(email), tenant_id, id);

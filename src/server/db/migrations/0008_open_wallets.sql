-- The Users list by a balance: a deleted player's wallet is closed, so an index of the open ones has the page without a look at the players.
drop index wallets_credit;
drop index wallets_ggr;
create index wallets_credit on wallets (tenant_id, credit_balance, player_id) where closed_at is null;
create index wallets_ggr on wallets (tenant_id, individual_ggr, player_id) where closed_at is null;

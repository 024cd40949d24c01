-- Players by their last purchase and by tag. The new column is empty at first and written into the wallets of those who
-- have bought, from an index; then its index is built. Both lock `wallets`, for about a minute with a million of
-- them.
alter table wallets add column last_purchase_at timestamptz; -- of the last successful TOP_UP, when it was settled
update wallets w set last_purchase_at = m.at
from (
  select tenant_id, player_id, max(completed_at) as at from transactions
  where transaction_type = 'TOP_UP' and status = 'success' group by tenant_id, player_id
) m
where m.tenant_id = w.tenant_id and m.player_id = w.player_id;
create index wallets_last_purchase on wallets (tenant_id, last_purchase_at, player_id) where closed_at is null;
create index player_tags_tag on player_tags (tenant_id, lower(tag), player_id);

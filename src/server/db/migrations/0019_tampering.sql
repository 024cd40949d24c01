-- What shows that somebody changed rows past the server, and what makes a deleted player's words unreadable.

-- The key of each player, with which the audit log encrypts names, notes and the like; itself encrypted with the server's
-- key. Null: the player was deleted. No foreign key: it would lock the player's row after the audit log's, against the
-- order of every other lock.
create table player_keys (
  tenant_id bigint not null,
  player_id bigint not null,
  sealed text,
  primary key (tenant_id, player_id)
);

-- An HMAC of where and how much a redeem pays out, from its creation on. Setup seals those that are pending at the upgrade.
alter table redeems add column payout_seal bytea;

-- With which batch a row was imported; the audit entry of the batch has its digest. Null: before this migration.
alter table imported add column batch bigint;
create sequence import_batches;

-- Whose data an answer contains: it goes with the player.
alter table idempotency_keys add column player_id bigint;
create index idempotency_keys_player on idempotency_keys (tenant_id, player_id) where player_id is not null;

-- A player has one active login per platform, beside former ones that are switched off. A login may have no password.
alter table player_credentials
  drop constraint player_credentials_tenant_id_player_id_platform_name_key,
  alter column password_secret drop not null;
create unique index player_credentials_active on player_credentials (tenant_id, player_id, platform_name)
  where is_active;
create index player_credentials_player on player_credentials (tenant_id, player_id);
-- Where the tenant's staff work at a platform.
alter table tenant_platforms add column panel_url text;

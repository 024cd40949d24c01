-- API keys end: a key without a last day gets one, a year from now.
update api_keys set expires_at = now() + interval '1 year' where expires_at is null and revoked_at is null;
-- Deciding became a permission of its own. Keys that could decide before still can.
update api_keys set scopes = array_append(scopes, 'transactions:settle')
where 'transactions:write' = any(scopes) and not 'transactions:settle' = any(scopes);
-- The keys of a person, to end with the person.
create index api_keys_admin on api_keys (admin_id) where revoked_at is null;

-- When the set-up of a second factor was begun; one that nobody confirms ends soon after.
alter table two_factor add column begun_at timestamptz not null default now();

-- What the sender of a write may do, looked up again in its transaction; null: nothing any more. `secret` is the hash of
-- a session's token, of its checkout cookie, or of an API key. In a function because the statement goes with BEGIN,
-- where none can be prepared: PL/pgSQL keeps the plan of a connection.
create function find_permissions(kind text, secret bytea, idle_seconds double precision) returns text[]
  language plpgsql stable as $$
begin
  if kind = 'key' then
    return (
      select '{}'::text[] from api_keys k join tenants t on t.id = k.tenant_id
      where k.key_hash = secret and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and t.is_active);
  elsif kind = 'checkout' then
    secret := (select token_hash from sessions where checkout_hash = secret);
  end if;
  return (
    select a.permissions
    from sessions s join admins a on a.id = s.admin_id join tenants t on t.id = a.tenant_id
    where s.token_hash = secret and a.is_active and t.is_active and s.expires_at > now()
      and s.last_seen_at > now() - make_interval(secs => idle_seconds));
end $$;

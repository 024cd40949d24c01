-- Single sign-on by OpenID Connect: the identity provider of a tenant's people; that of tenant 1 is for super admins.
create table identity_providers (
  tenant_id bigint primary key references tenants,
  issuer text not null,
  client_id text not null,
  client_secret text not null,                -- encrypted
  groups_claim text not null,
  group_permissions jsonb not null,           -- the permissions of each group; none: groups say nothing
  is_active boolean not null,
  only_sso boolean not null,                  -- passwords are refused, but for the one account that is named
  break_glass_admin_id bigint references admins,
  end_session_url text,                       -- where people sign out
  set_by bigint not null references admins,   -- who chose the issuer, and so could sign in as anybody it names
  check (not only_sso or break_glass_admin_id is not null)
);

-- Who an account is to an identity provider.
create table identities (
  issuer text not null,
  subject text not null,
  admin_id bigint not null references admins on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (admin_id, issuer)
);

-- Sign-ins that have begun. Each is used once, within ten minutes, in the browser that has begun it.
create table sso_flows (
  state_hash bytea primary key,               -- SHA-256
  tenant_id bigint not null,
  browser_hash bytea not null,                -- SHA-256 of the cookie
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index sso_flows_age on sso_flows (created_at);

-- Two-factor sign-in, and what a person is told of their own sessions.
alter table tenants add column require_two_factor boolean not null default false;

alter table sessions add column id bigint generated always as identity;  -- what it is called by: the token is nobody's to know
alter table sessions add column browser text not null default '';        -- in words, from the sign-in's User-Agent
alter table sessions add column proof text;                              -- the second factor it began with, see secondFactor.ts; null: none
create unique index sessions_id on sessions (id);

create table two_factor (
  admin_id bigint primary key references admins on delete cascade,
  secret text not null,                       -- of the authenticator app, encrypted
  confirmed_at timestamptz,                   -- null: begun, not yet in force
  last_step bigint not null default 0,        -- of the last code taken: none of that step or before it is taken again
  recovery_salt bytea not null                -- shared by the recovery codes of the account
);

create table recovery_codes (
  admin_id bigint not null references two_factor on delete cascade,
  code_hash bytea not null,                   -- argon2id; the row goes when the code is used
  primary key (admin_id, code_hash)
);

-- The passkeys with which people sign in.
create table passkeys (
  id bigint generated always as identity primary key,
  admin_id bigint not null references admins on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,                  -- COSE
  counter bigint not null,                    -- of its uses; 0 where the passkey counts none
  name text not null,
  backed_up boolean not null,                 -- its maker keeps it on several devices
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_admin on passkeys (admin_id);

-- The owner is told of a new one.
alter table mail_queue drop constraint mail_queue_kind_check,
  add constraint mail_queue_kind_check check (kind in ('invitation', 'password', 'new_place', 'new_passkey'));

-- What a passkey shall sign, once. Without an account whoever has a passkey may sign it.
create table passkey_challenges (
  challenge bytea primary key,
  purpose text not null check (purpose in ('add', 'sign-in')),
  admin_id bigint references admins on delete cascade,
  password_digest bytea,                      -- SHA-256 of the hash of the password that was right
  created_at timestamptz not null default now()
);
create index passkey_challenges_age on passkey_challenges (created_at);

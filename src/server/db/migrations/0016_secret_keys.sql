-- The secret keys that were replaced (npm run change-key): what is still needed of them, encrypted with the present key.
create table secret_keys (
  number int primary key,                     -- in the order in which they were in use
  id text not null unique,                    -- as the values name it that it has encrypted
  sealed text not null,                       -- encrypted; see auth/keyring.ts
  replaced_at timestamptz not null default now()
);

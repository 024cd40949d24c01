-- One row: what this database is, and which key its secrets were sealed with.
create table installation (
  is_only boolean primary key default true check (is_only),
  is_demo boolean not null,                   -- the sample world, whose passwords everybody knows
  is_filled boolean not null,                 -- false while the sample world is being written
  key_check text not null,                    -- a known text sealed with the key, to tell a wrong key at once
  created_at timestamptz not null default now()
);

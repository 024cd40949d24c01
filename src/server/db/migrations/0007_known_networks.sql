-- From where an account has signed in: there its owner gets in, however many guesses come from elsewhere.
create table known_networks (
  admin_id bigint not null references admins on delete cascade,
  network text not null,                      -- an IPv4 address, or the first 64 bits of an IPv6 one
  seen_at timestamptz not null default now(),
  primary key (admin_id, network)
);

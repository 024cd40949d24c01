-- Writes into `players` wait while its two indexes are built: 13 s for a million players.

-- Players who are one person, as somebody has said. The group is called by its lowest id, which is in it, too.
create table player_links (
  tenant_id bigint not null,
  player_id bigint not null,
  head_id bigint not null,
  since timestamptz not null default now(),
  admin_id bigint not null references admins,
  primary key (tenant_id, player_id),
  foreign key (tenant_id, player_id) references players,
  foreign key (tenant_id, head_id) references players,
  check (head_id <= player_id)
);
create index player_links_head on player_links (tenant_id, head_id);

-- Players who look like one person and are not.
create table dismissed_pairs (
  tenant_id bigint not null,
  higher_id bigint not null,
  lower_id bigint not null,
  at timestamptz not null default now(),
  admin_id bigint not null references admins,
  primary key (tenant_id, higher_id, lower_id),
  foreign key (tenant_id, higher_id) references players,
  foreign key (tenant_id, lower_id) references players,
  check (lower_id < higher_id)
);

-- The same phone is written with and without the code of its country.
create index players_phone on players (tenant_id, right(regexp_replace(phone_number, '[^0-9]', '', 'g'), 9), id)
  where phone_number is not null and deleted_at is null;
create index players_full_name on players (tenant_id, translate(fold_text(first_name || last_name), ' .-''', ''), id)
  where first_name is not null and last_name is not null and deleted_at is null;

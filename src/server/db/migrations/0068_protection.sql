-- A player's break from playing: through the day `until` in the tenant's time zone, or for good. One that is over
-- stays.
create table player_exclusions (
  tenant_id bigint not null,
  player_id bigint not null,
  until date,
  since timestamptz not null default now(),
  admin_id bigint references admins,
  api_key_id bigint,
  primary key (tenant_id, player_id),
  foreign key (tenant_id, player_id) references players,
  foreign key (tenant_id, api_key_id) references api_keys,
  check ((admin_id is null) <> (api_key_id is null))
);

-- A player's own limits. From `next_at` on, `next_amount` counts; an amount of null is no limit.
create table player_limits (
  tenant_id bigint not null,
  player_id bigint not null,
  money text not null check (money in ('purchase', 'deposit')),
  span text not null check (span in ('day', 'week', 'month')),
  amount numeric(14, 2) check (amount >= 0),
  next_amount numeric(14, 2) check (next_amount >= 0),
  next_at timestamptz,
  since timestamptz not null default now(),
  admin_id bigint references admins,
  api_key_id bigint,
  primary key (tenant_id, player_id, money, span),
  foreign key (tenant_id, player_id) references players,
  foreign key (tenant_id, api_key_id) references api_keys,
  check ((admin_id is null) <> (api_key_id is null))
);

-- Why a person has to look at money that has arrived. The server then holds payouts by itself.
alter table transactions add column attention text;
alter table payout_holds alter column admin_id drop not null;
alter table alarm_finds
  drop constraint alarm_finds_alarm_check,
  add constraint alarm_finds_alarm_check check (alarm in ('reference_twice', 'foreign_address', 'protected_player'));

-- A refusal that is repeated has the code of the first.
alter table idempotency_keys add column code text;

-- Who a player is, as far as anybody knows. No document and no tax number is kept.
create table player_eligibility (
  tenant_id bigint not null,
  player_id bigint not null,
  birth_date date,
  region text,                                -- ISO 3166-2, such as US-CA
  kyc_status text not null default 'none' check (kyc_status in ('none', 'pending', 'verified', 'refused')),
  kyc_until date,
  kyc_missing text,
  kyc_reference text,                         -- the vendor's
  since timestamptz not null default now(),
  admin_id bigint references admins,
  api_key_id bigint,
  primary key (tenant_id, player_id),
  foreign key (tenant_id, player_id) references players,
  foreign key (tenant_id, api_key_id) references api_keys,
  check ((admin_id is null) <> (api_key_id is null))
);
-- What a tenant asks for; null asks for nothing.
alter table tenants
  add column minimum_age int,
  add column refused_regions text[],
  add column kyc_from numeric(14, 2),
  add column kyc_first boolean,
  add column report_from numeric(14, 2);

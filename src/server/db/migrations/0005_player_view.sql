-- What succeeded on each business day by game platform and by way of paying, beside day_totals and with its slots. Empty: none was given.
create table method_totals (
  tenant_id bigint not null references tenants,
  day date not null,
  platform text not null,
  method text not null,                       -- of a purchase its payment method, of a redeem its payout method
  slot smallint not null check (slot between 0 and 15),
  purchases numeric(16,2) not null default 0,
  redeems numeric(16,2) not null default 0,
  primary key (tenant_id, day, platform, method, slot)
) with (fillfactor = 50);

insert into method_totals (tenant_id, day, platform, method, slot, purchases, redeems)
select m.tenant_id, (m.completed_at at time zone t.time_zone)::date, left(coalesce(m.platform, ''), 100), left(coalesce(m.method, ''), 100), 0, sum(m.purchase), sum(m.redeem)
from (
  select tenant_id, completed_at, platform, payment_method as method, amount as purchase, 0 as redeem from transactions where transaction_type = 'TOP_UP' and status = 'success'
  union all select tenant_id, completed_at, platform, payout_method, 0, amount from redeems where status = 'success') m
join tenants t on t.id = m.tenant_id group by 1, 2, 3, 4;

-- What staff keep on a player. It goes with the player.
create table player_notes (
  tenant_id bigint not null,
  id bigint generated always as identity,
  player_id bigint not null,
  admin_id bigint not null references admins,
  text text not null check (text <> ''),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, player_id) references players
);
create index player_notes_player on player_notes (tenant_id, player_id, id desc);

create table player_tags (
  tenant_id bigint not null,
  player_id bigint not null,
  tag text not null check (tag <> ''),
  primary key (tenant_id, player_id, tag),
  foreign key (tenant_id, player_id) references players
);

-- While there is one, no redeem of the player becomes success.
create table payout_holds (
  tenant_id bigint not null,
  player_id bigint not null,
  admin_id bigint not null references admins,
  reason text,
  note text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, player_id),
  foreign key (tenant_id, player_id) references players
);

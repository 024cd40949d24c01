-- What somebody should know of, and where it is sent. Rules, hours and channels of the platform belong to tenant 1.
-- New, empty tables: nothing waits for them.

-- A rule that somebody changed; one without a row has the values of the contract.
create table notification_rules (
  tenant_id bigint not null references tenants,
  kind text not null check (kind <> ''),
  is_active boolean not null,
  threshold numeric(14,2) not null check (threshold >= 0),
  is_urgent boolean not null default false,   -- rings in the quiet hours too
  channel_ids bigint[],                       -- null: every channel
  muted_until timestamptz,
  primary key (tenant_id, kind)
);

-- From one hour to another nothing is sent, in the tenant's time zone.
create table notification_hours (
  tenant_id bigint primary key references tenants,
  quiet_from smallint not null check (quiet_from between 0 and 23),
  quiet_to smallint not null check (quiet_to between 0 and 23 and quiet_to <> quiet_from)
);

create table notification_channels (
  tenant_id bigint not null references tenants,
  id bigint generated always as identity,
  kind text not null check (kind in ('email', 'webhook', 'chat')),
  target text not null,                       -- what people see: an e-mail address, or the host of an address
  secret text not null,                       -- encrypted JSON: the whole address, and what signs for it
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index notification_channels_id on notification_channels (id);

create table notifications (
  tenant_id bigint not null references tenants,
  id bigint generated always as identity,
  kind text not null,
  about_tenant_id bigint references tenants,
  title text not null check (title <> ''),
  detail text not null default '',
  object_id text,
  payload jsonb,                              -- what a channel needs besides the text, such as the bars of a picture
  at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index notifications_id on notifications (id);
create index notifications_age on notifications (at);

-- Nothing rings twice: each thing that a rule has rung for, such as 'redeem 5'. That of a state, such as too much money
-- pending, goes when the state does.
create table notification_things (
  tenant_id bigint not null references tenants,
  kind text not null,
  thing text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, kind, thing)
);
create index notification_things_age on notification_things (at);

-- Who has read what.
create table notification_reads (
  admin_id bigint not null references admins on delete cascade,
  tenant_id bigint not null,
  notification_id bigint not null,
  primary key (admin_id, tenant_id, notification_id),
  foreign key (tenant_id, notification_id) references notifications on delete cascade
);
create index notification_reads_of on notification_reads (tenant_id, notification_id);

-- A notification on its way to a channel. It is written in the transaction of the notification.
create table notification_deliveries (
  tenant_id bigint not null references tenants,
  id bigint generated always as identity,
  notification_id bigint,                     -- null: a test of the channel
  channel_id bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  answer text,
  created_at timestamptz not null default now(),
  last_at timestamptz,
  next_at timestamptz not null default now(),
  give_up_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, notification_id) references notifications on delete cascade,
  foreign key (tenant_id, channel_id) references notification_channels on delete cascade
);
create index notification_deliveries_due on notification_deliveries (next_at) where status = 'waiting';
create index notification_deliveries_id on notification_deliveries (id);
create index notification_deliveries_of on notification_deliveries (tenant_id, notification_id);
create index notification_deliveries_channel on notification_deliveries (tenant_id, channel_id);

-- The oldest pending redeems, without a look at all of them.
create index redeems_waiting on redeems (tenant_id, initiated_at, id) where status = 'pending';

-- How other systems come in: signed webhooks of payment processors, and keys of a tenant's own systems.

-- Whose payment is whose: one purchase, deposit or redeem for each reference, however often and in whatever order it is told of.
create table payment_references (
  tenant_id bigint not null references tenants,
  kind text not null check (kind in ('TOP_UP', 'DEPOSIT', 'REDEEM')),
  method text not null,                       -- of a purchase its payment method, else the game platform
  reference text not null check (reference <> ''),
  money_id bigint,                            -- null only within the transaction that makes it
  primary key (tenant_id, kind, method, reference)
);
insert into payment_references (tenant_id, kind, method, reference, money_id)
select tenant_id, transaction_type, coalesce(case transaction_type when 'TOP_UP' then payment_method else platform end, ''), payment_reference, min(id)
from transactions where payment_reference <> '' and length(payment_reference) <= 200 group by 1, 2, 3, 4;

-- Of a method whose credentials have none of their own; encrypted.
alter table payment_methods add column webhook_secret text;

-- What payment processors have sent with a right signature, and what came of it. A redelivery is the row of the first.
create table webhook_deliveries (
  tenant_id bigint not null references tenants,
  id bigint generated always as identity,
  payment_platform text not null,
  delivery_id text not null,
  event_type text not null,
  reference text,
  outcome text not null check (outcome in ('received', 'applied', 'unchanged', 'ignored', 'attention')),
  detail text,                                -- why it needs a person
  money_id bigint,
  attempts int not null default 1,
  received_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, payment_platform, delivery_id)
);
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, payment_platform, last_at desc, id desc);
create index webhook_deliveries_age on webhook_deliveries (last_at);

create table api_keys (
  tenant_id bigint not null references tenants,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  prefix text not null,                       -- how the key begins, to tell it from others
  key_hash bytea not null unique,             -- SHA-256 of 256 random bits
  scopes text[] not null,
  admin_id bigint not null references admins, -- who made it
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);
create index api_keys_id on api_keys (id);

-- What was answered to a key's request, to be answered again.
create table idempotency_keys (
  tenant_id bigint not null references tenants,
  api_key_id bigint not null,
  idempotency_key text not null,
  request_hash bytea not null,                -- SHA-256 of the call, its path and its body
  status int,                                 -- null only within the transaction that answers
  answer text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, api_key_id, idempotency_key),
  foreign key (tenant_id, api_key_id) references api_keys
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- How a player is called in a tenant's own systems.
alter table players add column external_id text check (external_id <> '');
create unique index players_external_id on players (tenant_id, external_id) where deleted_at is null;

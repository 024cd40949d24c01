-- Who works on a pending purchase, deposit or redeem, and until when; ended and settled ones count no more.
create table row_claims (
  tenant_id bigint not null references tenants,
  money_id bigint not null,
  kind text not null,                         -- as in the audit log
  admin_id bigint references admins,
  api_key_id bigint,
  claimed_until timestamptz not null,
  primary key (tenant_id, money_id),
  foreign key (tenant_id, api_key_id) references api_keys,
  check ((admin_id is null) <> (api_key_id is null))
);
-- With the first key on a row it is taken.
alter table tenants add column key_takes boolean;

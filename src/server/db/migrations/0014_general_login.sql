-- The general login's session is replaced by the tenant login that follows it; one that began at a tenant's login is not.
alter table sessions add column is_general boolean not null default false;

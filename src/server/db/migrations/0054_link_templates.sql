-- Links that a tenant adds to players, payments and platforms: a list of {kind, label, url}. A small table.
alter table tenants add column link_templates jsonb;

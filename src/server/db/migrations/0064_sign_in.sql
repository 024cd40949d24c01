-- A tenant lets its admins invite colleagues and choose a forgotten password by a link in an e-mail.
alter table tenants add column mail_links boolean not null default false;

-- E-mails about signing in that wait to be sent. Whoever asks for one learns nothing: it is kept whether or not there
-- is such an account, which is looked up when it is sent.
create table mail_queue (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('invitation', 'password', 'new_place')),
  email text not null,
  detail text not null default '',
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now()  -- when to try; later than now while a server is trying
);
create index mail_queue_next on mail_queue (next_at);

-- Links with which an account gets a password. The link is good while e-mail and password are those that it was made
-- for.
create table mail_links (
  token_hash bytea primary key,               -- SHA-256 of the token in the link
  admin_id bigint not null references admins on delete cascade,
  email text not null,
  password_digest bytea not null,             -- SHA-256 of the hash of the password at that time
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index mail_links_admin on mail_links (admin_id, created_at);
create index mail_links_age on mail_links (created_at);

-- The networks from which the admins of a tenant sign in and work, those of the platform for super admins; none: all.
alter table tenants add column allowed_networks text[] not null default '{}';

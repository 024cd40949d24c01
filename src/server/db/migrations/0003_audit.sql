-- Who did what, when and from where: one row for each write, appended in the write's own transaction. See audit.ts.
-- Writers spread over 16 lanes by their connection; in each lane every row is sealed together with the row before it.
create sequence audit_ids;
create table audit_log (
  lane smallint not null check (lane between 0 and 15),
  position bigint not null check (position > 0), -- in its lane, without gaps
  id bigint not null,                         -- roughly by time, with gaps
  at timestamptz not null,                    -- whole milliseconds, as they are sealed
  admin_id bigint,                            -- null: nobody who had proven who they are
  email text not null,                        -- the account's at that time
  address text not null,
  call text not null,
  kind text not null,
  object_id text,
  player_id bigint,                           -- whose history the row belongs to
  tenant_id bigint,                           -- whose object it was; null: nobody's
  before json,                                -- json, not jsonb: the text is kept as it was sealed
  after json,
  reason text,
  note text,
  request_id text not null,
  seal bytea not null,
  primary key (lane, position)
);
create unique index audit_log_id on audit_log (id);
create index audit_log_tenant on audit_log (tenant_id, id);
create index audit_log_object on audit_log (kind, object_id, id);
create index audit_log_player on audit_log (tenant_id, player_id, id) where player_id is not null;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_audit_change();
create trigger audit_log_never_emptied before truncate on audit_log execute function refuse_audit_change();

-- Where each lane ends, sealed as well: without it the last rows could go unnoticed.
create table audit_lanes (
  lane smallint primary key check (lane between 0 and 15),
  position bigint not null,
  last_seal bytea not null,                   -- of the row at that position; empty in an empty lane
  seal bytea not null
) with (fillfactor = 50);

-- Why somebody changed money, said beside the movement it belongs to: a purchase, deposit or redeem by its id, a transfer by hand by its id below zero.
create table remarks (
  tenant_id bigint not null,
  line_id bigint not null,
  reason text,
  note text,
  primary key (tenant_id, line_id),
  check (reason is not null or note is not null)
);

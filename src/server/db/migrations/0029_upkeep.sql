-- When the last backup was made and the ledger was last checked, for whoever watches the server. A new, empty table:
-- nothing waits for it. It is not in backups, because a restored database has no backup of its own yet.
create table upkeep (
  task text primary key check (task in ('backup', 'verify')),
  at timestamptz not null,
  findings int not null                       -- how many differences it found
);

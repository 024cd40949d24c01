-- What one tenant has or does no longer stops the work for all others.
-- Locks each of these tables, but none of the large ones, and each for a moment: a sum without a precision takes the
-- values as they are, so no row is read or written for it and no index is built. Read for a new index is what waits to
-- be added to the totals, a few seconds' worth, and the deliveries of 90 days: a second for some hundred thousand.

-- Sums have no limit: of amounts of up to 99,999,999,999.99 a thousand were too much for a total.
alter table day_totals alter column purchases type numeric, alter column redeems type numeric;
alter table method_totals alter column purchases type numeric, alter column redeems type numeric;
alter table player_totals alter column purchases type numeric, alter column redeems type numeric;
alter table part_totals alter column amount_in type numeric, alter column amount_out type numeric;
alter table statement_lines alter column amount type numeric;
alter table book_checks alter column found_off_by type numeric, alter column off_by type numeric;
alter table book_differences alter column off_by type numeric;

-- Since when a change waits to be added to the totals; null: since before this migration.
alter table total_changes add column noted_at timestamptz;
alter table total_changes alter column noted_at set default now();
create index total_changes_oldest on total_changes (noted_at);

-- How many times in a row the next slice of a check has failed. Then others are checked until next_at.
alter table book_checks add column failures int not null default 0;

-- What is due, tenant by tenant, and how much was to be sent in the last hour: what was too much was never tried.
drop index notification_deliveries_due;
create index notification_deliveries_due on notification_deliveries (tenant_id, next_at) where status = 'waiting';
create index notification_deliveries_recent on notification_deliveries (tenant_id, created_at)
  where not (status = 'failed' and attempts = 0);

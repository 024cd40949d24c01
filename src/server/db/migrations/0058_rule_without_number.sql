-- Null: no number of its own. A redeem then waits too long when it is overdue for its tenant.
alter table notification_rules alter column threshold drop not null;

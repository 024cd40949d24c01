-- What one person has approved has a seal while it waits. Only the server can make it, so what waits from before is
-- refused, and approved again. A small table; nothing else waits for it.
alter table approvals add column seal bytea;
update approvals set outcome = 'refused', ended_at = now() where ended_at is null;

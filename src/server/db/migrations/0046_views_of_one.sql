-- A saved view is its owner's alone. Each colleague gets a copy of what was shared, unless the name is taken.
-- A small table; nothing else waits for it.
insert into saved_views (tenant_id, admin_id, list, name, query, is_shared)
select v.tenant_id, a.id, v.list, v.name, v.query, false
from saved_views v
  join admins a on coalesce(a.tenant_id, 1) = v.tenant_id and a.id <> v.admin_id
  join roles r on r.id = a.role_id and r.name in ('admin', 'super_admin')
where v.is_shared
on conflict do nothing;
drop index saved_views_shared;
alter table saved_views drop column is_shared;

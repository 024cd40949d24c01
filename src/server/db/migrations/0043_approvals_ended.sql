-- What waits for a second person is ended with the player whom it is about, and the words about the player go. From now
-- on the deletion does both; this does it for players who are deleted already.
update approvals o set outcome = 'refused', ended_at = now()
from players p
where p.tenant_id = o.tenant_id and p.id = o.player_id and p.deleted_at is not null and o.ended_at is null;

update approvals o set change = (o.change::jsonb - 'note')::json
from players p
where p.tenant_id = o.tenant_id and p.id = o.player_id and p.deleted_at is not null
  and o.change ->> 'note' is not null;

-- So it is with the person who was first, when the account may no longer do what waits.
update approvals o set outcome = 'refused', ended_at = now()
from admins f, roles r
where f.id = o.first_admin_id and r.id = f.role_id and o.ended_at is null
  and not (f.is_active and (r.name = 'super_admin' or (r.name = 'admin' and
    case when o.kind = 'redeem' then 'payouts' when o.kind = 'balances' then 'money' else 'team' end
      = any(f.permissions))));

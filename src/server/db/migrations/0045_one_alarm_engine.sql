-- The alarms of the books become kinds of notification rules. Rules about habits and the quiet hours go.
-- Small tables; nothing else waits for them.
alter table notification_things rename column thing to dedup_key;
update notification_things set kind = split_part(dedup_key, ' ', 1), dedup_key = split_part(dedup_key, ' ', 2)
where kind = 'book_alarm';

-- The rule 'book_alarm' was for five alarms, each with a rule of its own now.
insert into notification_rules (tenant_id, kind, is_active, threshold, is_urgent, channel_ids, muted_until)
select r.tenant_id, k.kind, r.is_active, 0, false, r.channel_ids, r.muted_until
from notification_rules r cross join
  unnest(array['no_reference', 'no_reason', 'frozen_balance', 'reference_twice', 'foreign_address']) as k (kind)
where r.kind = 'book_alarm';
delete from notification_rules where kind in ('book_alarm', 'large_win', 'large_purchase');

update notifications set object_id = substring(title from ': (?:player|purchase|redeem) ([0-9]+), '), kind = case
    when title like 'Success purchase without a payment reference: %' then 'no_reference'
    when title like 'Balance changed by hand without a reason: %' then 'no_reason'
    when title like 'Payment reference used twice: %' then 'reference_twice'
    when title like 'Redeem paid to an address of another player: %' then 'foreign_address'
    else 'frozen_balance' end
where kind = 'book_alarm';
delete from notifications where kind in ('large_win', 'large_purchase');
delete from notification_things where kind in ('large_win', 'large_purchase');

alter table notification_rules drop column is_urgent;
drop table notification_hours;

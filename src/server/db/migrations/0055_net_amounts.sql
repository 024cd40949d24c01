-- The fees of purchases become facts, and the sums of lists read net amounts from the index they come from. This reads
-- every purchase once and builds two indexes: writes of payments wait for about a minute with ten million of them.
insert into facts (tenant_id, dimension, unit, starts, key, amount_in, count_in)
select m.tenant_id, 'fee', u.unit, u.starts, '', sum(m.amount - m.net_amount), count(*)
from facts_until f
  join tenants t on t.id = f.tenant_id
  join transactions m on m.tenant_id = f.tenant_id and m.completed_at < f.until
  cross join lateral (select (m.completed_at at time zone t.time_zone)::date as day) d
  cross join lateral (values ('day', day), ('week', day - extract(dow from day)::int),
    ('month', date_trunc('month', day::timestamp)::date)) as u (unit, starts)
where m.transaction_type = 'TOP_UP' and m.status = 'success' and m.net_amount <> m.amount
group by m.tenant_id, u.unit, u.starts;

drop index transactions_amount;
drop index transactions_amount_of_all;
create index transactions_amount on transactions (tenant_id, transaction_type, amount, id)
  include (status, net_amount);
create index transactions_amount_of_all on transactions (transaction_type, amount, id) include (status, net_amount);

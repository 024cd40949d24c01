-- The reference of what is known by its id; purchases, deposits and redeems share their ids.
create index payment_references_money on payment_references (tenant_id, money_id);

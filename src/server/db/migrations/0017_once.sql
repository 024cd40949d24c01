-- One payment is one purchase, and one action of a person has one effect, however often it is sent.

-- The processor whose reference a purchase has: with it, no payment can become a second purchase. Where a payment became
-- several before, one of them has it; npm run verify lists them.
alter table transactions add column processor text;
update transactions t set processor = r.method
from payment_references r
where r.tenant_id = t.tenant_id and r.money_id = t.id and r.kind = 'TOP_UP' and t.transaction_type = 'TOP_UP'
  and r.method in ('flikpay', 'apex', 'btcpay');
create unique index transactions_payment on transactions (tenant_id, processor, payment_reference)
  where processor is not null and status <> 'failed';

-- Whether a reference came in with a file, in which other rows may have it too, unless it is a processor's.
alter table payment_references add column is_imported boolean not null default false;
update payment_references r set is_imported = true
from imported i
where i.tenant_id = r.tenant_id and i.kind = 'transactions' and i.object_id = r.money_id;

-- Who sent a key: 'key 12' for an API key, 'admin 7' for a person. Dropping the old column drops the keys made of it.
alter table idempotency_keys add column caller text;
update idempotency_keys set caller = 'key ' || api_key_id;
alter table idempotency_keys drop column api_key_id;
alter table idempotency_keys alter column caller set not null;
alter table idempotency_keys add primary key (tenant_id, caller, idempotency_key);

/** Integrations of the sample data: API keys that nobody has, and the latest events of payment processors. */
import { randomBytes } from 'node:crypto';
import { type PaymentPlatform, paymentPlatformNames } from '../../contract/platforms';
import type { TransactionSql } from '../db/open';
import { tenants } from './cast';
import { daysBefore, insertRows } from './insert';
import type { Random } from './random';

/** The prefixes of a processor's references in history.ts. */
const prefixes = { flikpay: 'FLK', apex: 'APX', btcpay: 'BTC' } as const satisfies Record<PaymentPlatform, string>;

interface Materials {
  adminIds: ReadonlyMap<number, number>;
  random: Random;
  now: Date;
}

export async function insertIntegrations(sql: TransactionSql, { adminIds, random, now }: Materials): Promise<void> {
  const keys = tenants.flatMap(({ id: tenant_id }) => {
    const newKey = (name: string, scopes: readonly string[], age: number) => ({
      ...{ tenant_id, admin_id: adminIds.get(tenant_id), name, scopes },
      prefix: `gbk_${random.code(6)}`,
      key_hash: `\\x${randomBytes(32).toString('hex')}`,
      created_at: daysBefore(now, age),
      expires_at: daysBefore(now, age - 366),
    });
    const shop = newKey('Web shop', ['players:write', 'transactions:write', 'transactions:settle'], 40),
      used_at = daysBefore(now, random.between(2, 50) / 1440),
      old = newKey('Old CRM', ['players:write'], 210);
    return [
      { ...shop, last_used_at: used_at, revoked_at: null },
      { ...old, last_used_at: daysBefore(now, 33), revoked_at: daysBefore(now, 32) },
    ];
  });
  await insertRows(sql, 'api_keys', keys);

  await sql`
    insert into payment_references (tenant_id, kind, method, reference, money_id)
    select tenant_id, transaction_type,
      coalesce(case transaction_type when 'TOP_UP' then payment_method else platform end, ''),
      payment_reference, min(id)
    from transactions where payment_reference <> '' group by 1, 2, 3, 4`;

  const processors = tenants.flatMap(({ id: tenantId, processors }) =>
    paymentPlatformNames
      .filter((platform) => processors[platform])
      .map((platform) => ({ tenantId, platform, prefix: prefixes[platform] })),
  );
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, reference, outcome, detail,
      money_id, attempts, received_at, last_at)
    select p."tenantId", p.platform, 'evt-' || m.id || '-' || m.status,
      case
        when p.platform = 'btcpay' then
          case m.status
            when 'success' then 'InvoiceSettled' when 'failed' then 'InvoiceExpired' else 'InvoiceProcessing' end
        else
          case m.status
            when 'success' then 'payment.succeeded' when 'failed' then 'payment.failed' else 'payment.pending' end
      end,
      m.payment_reference,
      case when m.nth = 3 then 'attention' when m.nth % 5 = 4 then 'unchanged' else 'applied' end,
      case when m.nth = 3 then 'Paid in EUR, not in USD' end, m.id, 1 + (m.nth % 5 = 4)::int,
      coalesce(m.completed_at, m.initiated_at), coalesce(m.completed_at, m.initiated_at)
    from json_to_recordset(${JSON.stringify(processors)}::text::json) as p ("tenantId" bigint, platform text, prefix text)
    join (
      select *, split_part(payment_reference, '-', 1) as prefix,
        row_number() over (
          partition by tenant_id, split_part(payment_reference, '-', 1) order by initiated_at desc) as nth
      from transactions where transaction_type = 'TOP_UP') m
      on m.tenant_id = p."tenantId" and m.prefix = p.prefix and m.nth <= 8`;
}

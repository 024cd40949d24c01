/** The credentials of a payment method with its webhook secret, which some processors include in their credentials. */
import { isDeepStrictEqual } from 'node:util';
import { type PaymentPlatform, paymentPlatforms } from '../../contract/platforms';
import { secretContext } from '../auth/secrets';
import type { Services } from '../core/context';
import type { Sql } from '../db/open';

export interface MethodWithSecret {
  tenant_id: number;
  id: number;
  payment_platform: PaymentPlatform;
  is_active: boolean;
  credentials: Readonly<Record<string, string>>;
  /** null until one is generated. */
  secret: string | null;
}
interface MethodRow extends Omit<MethodWithSecret, 'credentials' | 'secret'> {
  credentials_secret: string;
  webhook_secret: string | null;
}

const includesSecret = (platform: PaymentPlatform) =>
  paymentPlatforms[platform].fields.some((field) => field === 'webhook_secret');

/** `is_active` is false for a method that is switched off, and for all methods of an inactive tenant. */
export async function findMethodWithSecret(
  sql: Sql,
  { secrets }: Services,
  tenantId: number,
  platform: string,
  lock?: 'for update' | 'for share',
): Promise<MethodWithSecret | null> {
  const [row] = await sql<MethodRow[]>`
    select m.tenant_id, m.id, m.payment_platform, m.is_active and t.is_active as is_active, m.credentials_secret,
      m.webhook_secret
    from payment_methods m join tenants t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId} and m.payment_platform = ${platform}
    ${lock ? sql`${sql.unsafe(lock)} of m` : sql``}`;
  if (!row) return null;
  const { credentials_secret, webhook_secret, ...method } = row;
  const credentials: Record<string, string> = JSON.parse(
    secrets.decrypt(credentials_secret, secretContext.paymentMethod(tenantId, method.payment_platform)),
  );
  const own =
    webhook_secret === null
      ? null
      : secrets.decrypt(webhook_secret, secretContext.webhookSecret(tenantId, method.payment_platform));
  return {
    ...method,
    credentials,
    secret: includesSecret(method.payment_platform) ? (credentials['webhook_secret'] ?? null) : own,
  };
}

/** Whether the method is as it was when an event was let in; nobody changes it until the transaction ends. */
export async function isMethodUnchanged(sql: Sql, services: Services, method: MethodWithSecret): Promise<boolean> {
  const now = await findMethodWithSecret(sql, services, method.tenant_id, method.payment_platform, 'for share');
  return isDeepStrictEqual(now, method);
}

/** Replaces the secret; the old one is invalid from now on. */
export async function saveSecret(
  sql: Sql,
  { secrets }: Services,
  { tenant_id, id, payment_platform, credentials }: MethodWithSecret,
  secret: string,
): Promise<void> {
  const change = includesSecret(payment_platform)
    ? {
        credentials_secret: secrets.encrypt(
          JSON.stringify({ ...credentials, webhook_secret: secret }),
          secretContext.paymentMethod(tenant_id, payment_platform),
        ),
      }
    : { webhook_secret: secrets.encrypt(secret, secretContext.webhookSecret(tenant_id, payment_platform)) };
  await sql`
    update payment_methods set ${sql(change)}, updated_at = now()
    where tenant_id = ${tenant_id} and id = ${id}`;
}

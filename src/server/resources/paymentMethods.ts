import { LIST_MAX } from '../../contract/constants';
import type { PaymentCredentials, PaymentMethod } from '../../contract/entities';
import { type PaymentPlatform, paymentPlatforms } from '../../contract/platforms';
import { keepsSecret, maskSecret, secretContext } from '../auth/secrets';
import type { Handlers, Services } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import { requireTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { isSafeUrl } from '../outgoing/address';

interface PaymentMethodRow extends Omit<PaymentMethod, 'credentials' | 'created_at'> {
  created_at: Date;
  credentials_secret: string;
}

/** Shown in clear text; every other credential is a secret. */
const visibleFields: readonly string[] = ['merchant_id', 'store_id', 'server_url'];

/** Merges what was sent into what is stored: every field of the processor is required, nothing else accepted. */
function merge(platform: PaymentPlatform, stored: PaymentCredentials, sent: PaymentCredentials): PaymentCredentials {
  const { fields, label } = paymentPlatforms[platform];
  const names: readonly string[] = fields;
  if (Object.keys(sent).some((key) => !names.includes(key)))
    throw new Problem(422, `body: ${label} takes only ${names.join(', ')}`);
  const merged = Object.fromEntries(
    names.map((name) => {
      const value = keepsSecret(sent[name]) ? stored[name] : sent[name];
      if (!value) throw new Problem(422, `body.${name}: is required for ${label}`);
      return [name, value];
    }),
  );
  if (merged['server_url'] !== undefined) checkServer(merged['server_url'], stored['server_url'], sent);
  return merged;
}

/** The key goes to the server, so it must be known to whoever names another server, and it never travels in clear. */
function checkServer(address: string, before: string | undefined, sent: PaymentCredentials): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Problem(422, 'body.server_url: expected a web address');
  if (!isSafeUrl(url))
    throw new Problem(422, 'body.server_url: must begin with https://, except on this machine or a private network');
  if (before !== undefined && new URL(before).origin !== url.origin && keepsSecret(sent['api_key']))
    throw new Problem(422, 'body.api_key: enter the key again, because the server has changed');
}

const encrypt = ({ secrets }: Services, tenantId: number, platform: string, credentials: PaymentCredentials): string =>
  secrets.encrypt(JSON.stringify(credentials), secretContext.paymentMethod(tenantId, platform));
const decrypt = (
  { secrets }: Services,
  { tenant_id, payment_platform, credentials_secret }: PaymentMethodRow,
): PaymentCredentials =>
  JSON.parse(secrets.decrypt(credentials_secret, secretContext.paymentMethod(tenant_id, payment_platform)));

function toPaymentMethod(services: Services, { credentials_secret, ...row }: PaymentMethodRow) {
  const credentials = decrypt(services, { ...row, credentials_secret });
  const show = (name: string, value: string) => (visibleFields.includes(name) ? value : maskSecret(value));
  const shown = Object.entries(credentials).map(([name, value]) => [name, show(name, value)]);
  return { ...row, credentials: Object.fromEntries(shown) };
}

const toSubject = ({ tenant_id, payment_platform }: PaymentMethodRow) =>
  ({ kind: 'payment method', id: payment_platform, tenant_id }) as const;
/** Decrypted, so that a secret which is set to the same value is no change; the audit log masks all of them. */
const auditedMethod = (services: Services, row: PaymentMethodRow) => ({
  is_active: row.is_active,
  webhook_url: row.webhook_url,
  ...decrypt(services, row),
});

async function lockMethod(sql: Sql, tenantId: number, platform: string): Promise<PaymentMethodRow> {
  return sql<PaymentMethodRow[]>`
    select m.*, t.name as tenant_name from payment_methods m join tenants t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId}
    and m.payment_platform = ${platform} for update of m`.one(notFound('Payment method'));
}

export const paymentMethods = {
  async listPaymentMethods({ sql, services }) {
    const rows = await sql<PaymentMethodRow[]>`
      select m.*, t.name as tenant_name
      from payment_methods m join tenants t on t.id = m.tenant_id
      order by lower(t.name), m.tenant_id, m.payment_platform limit ${LIST_MAX}`;
    return rows.map((row) => toPaymentMethod(services, row));
  },

  async createPaymentMethod({ sql, params, query, body, services, audit }) {
    const { id: tenant_id, name } = await requireTenant(sql, params.tenant_id);
    const { payment_platform } = query;
    const row = {
      tenant_id,
      payment_platform,
      webhook_url: query.webhook_url || null,
      credentials_secret: encrypt(services, tenant_id, payment_platform, merge(payment_platform, {}, body)),
    };
    const insert = sql<PaymentMethodRow[]>`insert into payment_methods ${sql(row)} returning *`;
    const method = await orConflict(insert.one(), 'This tenant already has this payment method');
    audit.about({ ...toSubject(method), after: auditedMethod(services, method) });
    return toPaymentMethod(services, { ...method, tenant_name: name });
  },

  /** A webhook_url left out stays, a blank one goes. An empty or masked credential keeps what is stored. */
  async updatePaymentMethod({ sql, params, query, body, services, audit }) {
    const stored = await lockMethod(sql, params.tenant_id, params.platform);
    const { tenant_id, payment_platform } = stored,
      merged = merge(payment_platform, decrypt(services, stored), body);
    const changes = {
      credentials_secret: encrypt(services, tenant_id, payment_platform, merged),
      webhook_url: query.webhook_url === undefined ? stored.webhook_url : query.webhook_url || null,
    };
    await sql`
      update payment_methods set ${sql(changes)}, updated_at = now()
      where tenant_id = ${stored.tenant_id} and id = ${stored.id}`;
    audit.about({
      ...toSubject(stored),
      before: auditedMethod(services, stored),
      after: auditedMethod(services, { ...stored, ...changes }),
    });
    return toPaymentMethod(services, { ...stored, ...changes });
  },

  async togglePaymentMethod({ sql, params, services, audit }) {
    const stored = await lockMethod(sql, params.tenant_id, params.platform);
    await sql`
      update payment_methods set is_active = ${!stored.is_active}, updated_at = now()
      where tenant_id = ${stored.tenant_id} and id = ${stored.id}`;
    audit.about({ ...toSubject(stored), before: stored, after: { ...stored, is_active: !stored.is_active } });
    return toPaymentMethod(services, { ...stored, is_active: !stored.is_active });
  },

  async deletePaymentMethod({ sql, params, services, audit }) {
    const stored = await lockMethod(sql, params.tenant_id, params.platform);
    const { tenant_id, id } = stored;
    await sql`delete from payment_methods where tenant_id = ${tenant_id} and id = ${id}`;
    audit.about({ ...toSubject(stored), before: auditedMethod(services, stored) });
  },
} satisfies Partial<Handlers>;

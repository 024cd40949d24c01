import { createHash } from 'node:crypto';
import { calls } from '../../contract/allCalls';
import type { Status } from '../../contract/constants';
import { type PaymentPlatform, paymentPlatformNames } from '../../contract/platforms';
import { BtcpayEvent, PaymentEvent } from '../../contract/schemas/integrations';
import { confirmIdentity, requireUnchanged } from '../auth/reauthentication';
import { newToken } from '../auth/secrets';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { decodeUtf8, parseBody, parseJson } from '../http/validate';
import { fetchInvoice, type Invoice, isInvoiceId } from './btcpay';
import { applyUpdate, buildResult, type PaymentUpdate, type Result } from './paymentEvents';
import { type Delivery, lastDeliveries, lockDelivery, recordDelivery, saveOutcome } from './webhookDeliveries';
import { findMethodWithSecret, isMethodUnchanged, type MethodWithSecret, saveSecret } from './webhookSecrets';
import { getSignatureHeader, isValidSignature } from './webhookSignature';

/** Compared when there is no secret, so that it takes as long. */
const decoy = newToken();
const findPlatform = (name: string): PaymentPlatform | undefined =>
  paymentPlatformNames.find((known) => known === name);

/** A parsed delivery; `update` returns what it changes, or why it changes nothing. */
interface ParsedDelivery {
  delivery: Delivery;
  update: (access: MethodWithSecret) => Promise<PaymentUpdate | Result>;
}

const eventStatus: Record<PaymentEvent['type'], Status> = {
  'payment.pending': 'pending',
  'payment.succeeded': 'success',
  'payment.failed': 'failed',
};

function readPayment({ tenant_id, payment_platform }: MethodWithSecret, body: unknown): ParsedDelivery {
  const { id, type, reference, amount, currency = 'USD', user_id, email } = parseBody(PaymentEvent, body);
  const update: PaymentUpdate = {
    tenant_id,
    method: payment_platform,
    reference,
    status: eventStatus[type],
    amount: String(amount),
    currency,
    player: { user_id, email },
  };
  return {
    delivery: { tenant_id, payment_platform, delivery_id: id, event_type: type, reference },
    update: async () => update,
  };
}

/** What an invoice's state means for its purchase; one that is only expected or partly paid is none yet. */
const invoiceStatus: ReadonlyMap<string, Status> = new Map([
  ['Processing', 'pending'],
  ['Settled', 'success'],
  ['Expired', 'failed'],
  ['Invalid', 'failed'],
]);

/** All that is not known of an invoice beside its state. */
const nothingMore = { amount: null, currency: 'USD', player: null };
const NOT_ALLOWED = 'The stored API key is not allowed to read the invoices of the store';

/** An event only says that something happened; the state is read there, so their order does not matter. */
function readInvoice({ tenant_id, payment_platform }: MethodWithSecret, body: unknown): ParsedDelivery {
  const { deliveryId, originalDeliveryId, type, storeId, invoiceId } = parseBody(BtcpayEvent, body);
  const delivery: Delivery = {
    tenant_id,
    payment_platform,
    delivery_id: originalDeliveryId || deliveryId,
    event_type: type,
    reference: invoiceId || null,
  };
  const status = invoiceStatus.get(/^Invoice(\w+)$/.exec(type)?.[1] ?? '');
  return {
    delivery,
    async update({ credentials: { server_url = '', api_key = '', store_id = '' } }) {
      if (!status) return buildResult(200, 'ignored', 'This event moves no money');
      if (!invoiceId || /^__test__/.test(invoiceId)) return buildResult(200, 'ignored', 'Webhook test');
      if (!isInvoiceId(invoiceId)) return buildResult(409, 'attention', 'invoiceId is not the id of an invoice');
      if (storeId !== store_id) return buildResult(409, 'attention', 'storeId is not the store of this payment method');
      const invoice = await fetchInvoice({ server_url, api_key, store_id }, invoiceId);
      if (invoice === 'unknown')
        return buildResult(404, 'attention', 'The BTCPay Server has no such invoice in this store');
      const update = { tenant_id, method: payment_platform, reference: invoiceId };
      // The key may not read invoices. The event is signed, and a known purchase has the amount.
      return invoice === 'refused'
        ? { ...update, ...nothingMore, status, comment: NOT_ALLOWED }
        : toUpdate(invoice, update);
    },
  };
}

function toUpdate(
  { status, additionalStatus, amount, currency, metadata }: Invoice,
  update: Pick<PaymentUpdate, 'tenant_id' | 'method' | 'reference'>,
): PaymentUpdate | Result {
  const known = invoiceStatus.get(status);
  if (!known) return buildResult(200, 'ignored', 'The invoice is not paid');
  if (known === 'failed' && additionalStatus === 'PaidPartial')
    return buildResult(200, 'attention', 'Expired after a partial payment');
  // an unpaid invoice is no purchase, unless it was one before
  if (known === 'failed') return { ...update, ...nothingMore, status: known };
  const { user_id, external_id, buyerEmail } = metadata ?? {};
  const player = /^\d{1,15}$/.test(user_id ?? '')
    ? { user_id: Number(user_id) }
    : external_id
      ? { external_id }
      : buyerEmail
        ? { email: buyerEmail }
        : null;
  const comment =
    additionalStatus === 'PaidOver'
      ? 'Overpaid; the amount of the invoice was used'
      : additionalStatus === 'Marked'
        ? 'Marked manually in BTCPay Server'
        : undefined;
  return { ...update, status: known, amount: amount ?? null, currency: currency ?? '', player, comment };
}

const notSigned = () => new Problem(401, 'Unknown webhook or wrong signature');

/** Records a signed but invalid body under its hash, so that admins can see it. */
async function refuseUnreadable(
  sql: Sql,
  { tenant_id, payment_platform }: MethodWithSecret,
  raw: Buffer,
  error: Problem,
): Promise<void> {
  const delivery = {
    tenant_id,
    payment_platform,
    delivery_id: `sha256:${createHash('sha256').update(raw).digest('hex')}`,
    event_type: 'unreadable',
    reference: null,
  };
  await recordDelivery(sql, delivery);
  await saveOutcome(sql, delivery, buildResult(409, 'attention', error.message));
}

export const webhooks = {
  /** An unknown tenant, processor or secret gets the same answer as a wrong signature. */
  async receiveWebhook({ sql, params, services, exchange, inTransaction, audit }) {
    const method = await services.rateLimits.signature(
      `${params.tenant_id}/${params.platform}`,
      exchange.address,
      async () => {
        const platform = findPlatform(params.platform) ?? 'apex',
          header = exchange.header(getSignatureHeader(platform)) ?? '';
        const found = await findMethodWithSecret(sql, services, params.tenant_id, params.platform);
        const isRight = isValidSignature(platform, found?.secret ?? decoy, exchange.raw, header, Date.now());
        return found?.secret && found.is_active && isRight ? found : null;
      },
    );
    if (!method) throw notSigned();

    let sent: ParsedDelivery;
    try {
      const body = parseJson(decodeUtf8(exchange.raw));
      sent = method.payment_platform === 'btcpay' ? readInvoice(method, body) : readPayment(method, body);
    } catch (error) {
      if (error instanceof Problem) await refuseUnreadable(sql, method, exchange.raw, error);
      throw error;
    }
    const { delivery } = sent;
    const before = await recordDelivery(sql, delivery);
    if (before) return before;
    const keepWhy = async (error: unknown): Promise<never> => {
      if (error instanceof Problem) await saveOutcome(sql, delivery, buildResult(409, 'attention', error.message));
      throw error;
    };
    const update = await sent.update(method).catch(keepWhy);

    const result = await inTransaction(async (tx): Promise<Result> => {
      // The BTCPay Server may have taken its time.
      if (!(await isMethodUnchanged(tx, services, method))) throw notSigned();
      const known = await lockDelivery(tx, delivery);
      if (known) return { status: 200, money_id: null, ...known };
      const made = 'outcome' in update ? update : await applyUpdate(tx, update);
      await saveOutcome(tx, delivery, made);
      if (made.change) {
        const { player_id, amount, before: was, after, attention } = made.change;
        const also = attention && { attention },
          terms = { amount, payment_method: method.payment_platform, payment_reference: delivery.reference };
        audit.by({ admin_id: null, email: `webhook ${method.payment_platform}` });
        audit.about({
          kind: 'purchase',
          id: made.money_id,
          tenant_id: method.tenant_id,
          player_id,
          before: was && { status: was },
          after: { ...(was ? {} : terms), status: after, ...also },
        });
      }
      return made;
    }).catch(keepWhy);
    if (result.status !== 200)
      throw new Problem(result.status, result.detail ?? 'Refused', result.status === 503 ? 60 : undefined);
    return { outcome: result.outcome, detail: result.detail };
  },

  async getWebhook({ sql, params, services }) {
    const method = await findMethodWithSecret(sql, services, params.tenant_id, params.platform);
    if (!method) throw notFound('Payment method');
    const { tenant_id, payment_platform, secret } = method;
    return {
      path: calls.receiveWebhook.path.replace('{tenant_id}', String(tenant_id)).replace('{platform}', payment_platform),
      header: getSignatureHeader(payment_platform),
      has_secret: secret !== null,
      deliveries: await lastDeliveries(sql, tenant_id, payment_platform),
    };
  },

  /**
   * Whoever has the secret can report payments: it takes password and code, as a new API key. It is a write, because
   * the audit log must show who saw it. The first call generates one.
   */
  async revealWebhookSecret(ctx) {
    const { caller, params, body, services, audit } = ctx;
    const find = async (sql: Sql, lock?: 'for update') => {
      const method = await findMethodWithSecret(sql, services, params.tenant_id, params.platform, lock);
      if (!method) throw notFound('Payment method');
      return method;
    };
    await find(ctx.sql);
    const password_hash = await confirmIdentity(ctx, body);
    return ctx.inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, password_hash);
      const method = await find(sql, 'for update');
      const secret = body.rotate || method.secret === null ? newToken() : method.secret;
      if (secret !== method.secret) await saveSecret(sql, services, method, secret);
      const { payment_platform: id, tenant_id } = method,
        before = { webhook_secret: method.secret };
      audit.about({ kind: 'payment method', id, tenant_id, before, after: { webhook_secret: secret } });
      return { secret };
    });
  },
} satisfies Partial<Handlers>;

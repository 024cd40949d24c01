import { createHash } from 'node:crypto';
import { calls } from '../../contract/calls';
import { paymentPlatformNames, type PaymentPlatform, type Status } from '../../contract/constants';
import type { PaymentEvent } from '../../contract/integrations';
import { askForInvoice, type Invoice } from '../payments/btcpay';
import type { Sql } from '../db/open';
import { applyNews, type PaymentNews, type Result } from '../payments/paymentEvents';
import { methodWithSecret, saveSecret, type MethodWithSecret } from '../payments/webhookSecrets';
import { notFound, Problem } from '../problem';
import { parseJson, read, textOf } from '../http/validate';
import type { Handlers } from '../context';
import { webhookShapes } from '../schemas';
import { headerOf, isSignedRight, newWebhookSecret } from '../payments/webhookSignature';
import { lastDeliveries, lockDelivery, noteDelivery, saveOutcome, type Delivery } from '../payments/webhookDeliveries';

/** Compared with where there is no secret: it takes as long. */
const decoy = newWebhookSecret();
const platformOf = (name: string): PaymentPlatform | undefined => paymentPlatformNames.find((known) => known === name);

/** What was sent, read; or why it cannot be. */
interface Sent { delivery: Delivery; news: (access: MethodWithSecret) => Promise<PaymentNews | Result> }

const eventStatus: Record<PaymentEvent['type'], Status> = { 'payment.pending': 'pending', 'payment.succeeded': 'success', 'payment.failed': 'failed' };

function readPayment({ tenant_id, payment_platform }: MethodWithSecret, body: unknown): Sent {
  const { id, type, reference, amount, currency = 'USD', user_id, email } = read(webhookShapes.hmac, body, 'body');
  const news: PaymentNews = { tenant_id, method: payment_platform, reference, status: eventStatus[type], amount: String(amount), currency, player: { user_id, email } };
  return { delivery: { tenant_id, payment_platform, delivery_id: id, event_type: type, reference }, news: async () => news };
}

/** The events that change what an invoice is worth to us. One that is only expected, or paid in part, is no purchase yet. */
const invoiceEvents: Record<string, Status> = { InvoiceProcessing: 'pending', InvoiceSettled: 'success', InvoiceExpired: 'failed', InvoiceInvalid: 'failed' };
const invoiceStatus: Record<string, Status> = { Processing: 'pending', Settled: 'success', Expired: 'failed', Invalid: 'failed' };
const done = (status: Result['status'], outcome: Result['outcome'], detail: string): Result => ({ status, outcome, detail, money_id: null });

/** The event says only that something has happened: what it is worth is asked of the BTCPay Server, so the order of events does not matter. */
function readInvoice({ tenant_id, payment_platform }: MethodWithSecret, body: unknown): Sent {
  const { deliveryId, originalDeliveryId, type, storeId, invoiceId } = read(webhookShapes.btcpay, body, 'body');
  const delivery: Delivery = { tenant_id, payment_platform, delivery_id: originalDeliveryId || deliveryId, event_type: type, reference: invoiceId || null };
  const status = invoiceEvents[type];
  return {
    delivery,
    async news({ credentials: { server_url = '', api_key = '', store_id = '' } }) {
      if (!status) return done(200, 'ignored', 'No event that moves money');
      if (!invoiceId || /^__test__/.test(invoiceId)) return done(200, 'ignored', 'A test of the webhook');
      if (storeId !== store_id) return done(409, 'attention', 'storeId is not the store of this payment method');
      const invoice = await askForInvoice({ server_url, api_key, store_id }, invoiceId);
      if (invoice === 'unknown') return done(404, 'attention', 'The BTCPay Server has no such invoice in this store');
      const news = { tenant_id, method: payment_platform, reference: invoiceId };
      // A key that may not look at invoices: the event is signed, and a purchase that is known says how much.
      return invoice === 'refused' ? { ...news, status, amount: null, currency: 'USD', player: null, remark: 'The stored API key may not look at the invoices of the store' } : newsOf(invoice, news);
    },
  };
}

function newsOf({ status, additionalStatus, amount, currency, metadata }: Invoice, news: Pick<PaymentNews, 'tenant_id' | 'method' | 'reference'>): PaymentNews | Result {
  const known = invoiceStatus[status];
  if (!known) return done(200, 'ignored', 'The invoice is not paid');
  if (known === 'failed' && additionalStatus === 'PaidPartial') return done(200, 'attention', 'Expired after it was paid in part');
  if (known === 'failed') return { ...news, status: known, amount: null, currency: 'USD', player: null }; // what nobody has paid is no purchase, unless it was one already
  const { user_id, external_id, buyerEmail } = metadata ?? {};
  const player = /^\d{1,15}$/.test(user_id ?? '') ? { user_id: Number(user_id) } : external_id ? { external_id } : buyerEmail ? { email: buyerEmail } : null;
  const remark = additionalStatus === 'PaidOver' ? 'More was paid than asked for; the amount of the invoice counts' : additionalStatus === 'Marked' ? 'Marked by hand in BTCPay Server' : undefined;
  return { ...news, status: known, amount: amount ?? null, currency: currency ?? '', player, remark };
}

/** Signed, but not what it should be: kept under the hash of its body, so that it can be seen. */
async function refuseUnreadable(sql: Sql, { tenant_id, payment_platform }: MethodWithSecret, raw: Buffer, error: Problem): Promise<void> {
  const delivery = { tenant_id, payment_platform, delivery_id: `sha256:${createHash('sha256').update(raw).digest('hex')}`, event_type: 'unreadable', reference: null };
  await noteDelivery(sql, delivery);
  await saveOutcome(sql, delivery, done(409, 'attention', error.message));
}

export const webhooks = {
  /** Answers an unknown tenant, processor or secret exactly as a wrong signature. */
  async receiveWebhook({ sql, params, services, exchange, inTransaction, audit }) {
    const method = await services.throttle.signature(`${params.tenant_id}/${params.platform}`, exchange.address, async () => {
      const platform = platformOf(params.platform) ?? 'apex', header = exchange.header(headerOf(platform)) ?? '';
      const found = await methodWithSecret(sql, services, params.tenant_id, params.platform);
      const isRight = isSignedRight(platform, found?.secret ?? decoy, exchange.raw, header, Date.now());
      return found?.secret && found.is_active && isRight ? found : null;
    });
    if (!method) throw new Problem(401, 'Not a webhook of ours, or a wrong signature');

    let sent: Sent;
    try {
      const body = parseJson(textOf(exchange.raw));
      sent = method.payment_platform === 'btcpay' ? readInvoice(method, body) : readPayment(method, body);
    } catch (error) {
      if (error instanceof Problem) await refuseUnreadable(sql, method, exchange.raw, error);
      throw error;
    }
    const { delivery } = sent;
    const before = await noteDelivery(sql, delivery);
    if (before) return before;
    const keepWhy = async (error: unknown): Promise<never> => {
      if (error instanceof Problem) await saveOutcome(sql, delivery, done(409, 'attention', error.message));
      throw error;
    };
    const news = await sent.news(method).catch(keepWhy);

    const result = await inTransaction(async (tx): Promise<Result> => {
      const meanwhile = await lockDelivery(tx, delivery);
      if (meanwhile) return { status: 200, money_id: null, ...meanwhile };
      const made = 'outcome' in news ? news : await applyNews(tx, news);
      await saveOutcome(tx, delivery, made);
      if (made.change) {
        const { player_id, amount, before: was, after } = made.change;
        audit.by({ admin_id: null, email: `webhook ${method.payment_platform}` });
        audit.about({
          kind: 'purchase', id: made.money_id, tenant_id: method.tenant_id, player_id, before: was && { status: was },
          after: was ? { status: after } : { amount, payment_method: method.payment_platform, payment_reference: delivery.reference, status: after },
        });
      }
      return made;
    }).catch(keepWhy);
    if (result.status !== 200) throw new Problem(result.status, result.detail ?? 'Refused', result.status === 503 ? 60 : undefined);
    return { outcome: result.outcome, detail: result.detail };
  },

  async getWebhook({ sql, params, services }) {
    const method = await methodWithSecret(sql, services, params.tenant_id, params.platform);
    if (!method) throw notFound('Payment method');
    const { tenant_id, payment_platform, secret } = method;
    return {
      path: calls.receiveWebhook.path.replace('{tenant_id}', String(tenant_id)).replace('{platform}', payment_platform),
      header: headerOf(payment_platform), has_secret: secret !== null, deliveries: await lastDeliveries(sql, tenant_id, payment_platform),
    };
  },

  /** A write, because who has seen a secret must be known. The first look makes one where there is none. */
  async revealWebhookSecret({ sql, params, body, services, audit }) {
    const method = await methodWithSecret(sql, services, params.tenant_id, params.platform, 'for update');
    if (!method) throw notFound('Payment method');
    const secret = body.rotate || method.secret === null ? newWebhookSecret() : method.secret;
    if (secret !== method.secret) await saveSecret(sql, services, method, secret);
    audit.about({ kind: 'payment method', id: method.payment_platform, tenant_id: method.tenant_id, before: { webhook_secret: method.secret }, after: { webhook_secret: secret } });
    return { secret };
  },
} satisfies Partial<Handlers>;

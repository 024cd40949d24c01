/** What other systems exchange with the product: API keys, what they may send, and webhooks. Needs the features `api_keys` and `webhooks`. */
import type { BalanceKind, Status } from './constants';
import type { ChangeReason } from './entities';

export const scopes = ['players:write', 'transactions:write'] as const;
/** What an API key may do. */
export type Scope = (typeof scopes)[number];
/** How every API key begins. */
export const KEY_PREFIX = 'gbk_';
export const KEY_NAME_MAX = 100;
/** How long an answer is kept to be given again for the same `Idempotency-Key`, at least. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_KEY_MAX = 255;
export const REFERENCE_MAX = 200;
/** How far the time of a signature may be from ours, in seconds. */
export const SIGNATURE_SECONDS = 300;
/** How many of the last deliveries are shown. */
export const DELIVERIES_SHOWN = 20;
export const DELIVERY_DAYS = 90;

/** A key as it is shown: never the key itself, only how it begins. */
export interface ApiKey {
  id: number; tenant_id: number; name: string; prefix: string; scopes: Scope[]; created_by: string; created_at: string;
  expires_at: string | null; revoked_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
}
/** `expires_on` is the last day it works, YYYY-MM-DD in the tenant's time zone. A super admin names the tenant. */
export interface NewApiKey { name: string; scopes: Scope[]; expires_on?: string | undefined; tenant_id?: number | undefined }
/** The only answer that ever holds the key. */
export interface MadeApiKey extends ApiKey { key: string }

/** Which player: exactly one of these. */
export interface PlayerNamed { user_id?: number | undefined; email?: string | undefined; external_id?: string | undefined }
/** Found by `external_id`, else by e-mail, else made. What is left out stays as it was. */
export interface PushedPlayer {
  email: string; external_id?: string | undefined; first_name?: string | null; last_name?: string | null; phone_number?: string | null; referral_id?: string | null; affiliate_id?: string | null;
  is_active?: boolean;
}
export interface PushedPlayerAnswer { id: number; email: string; external_id: string | null; is_active: boolean; is_new: boolean }
interface Pushed extends PlayerNamed { amount: number | string; payment_reference: string; description?: string | undefined }
/** The reference is unique among the purchases of its payment method. */
export interface PushedTopUp extends Pushed { payment_method: string; net_amount?: number | string | undefined }
/** `balance` pays, by default credit. The reference is unique among the deposits, or the redeems, of its game platform. */
export interface PushedDeposit extends Pushed { platform: string; balance?: BalanceKind | undefined }
export interface PushedRedeem extends Pushed { platform: string; payout_method?: string | undefined; payout_address?: string | undefined }
export interface PushedStatus extends ChangeReason { status: Status }
/** The state of a purchase, deposit or redeem. */
export interface PushedMoney {
  id: number; type: 'TOP_UP' | 'DEPOSIT' | 'REDEEM'; user_id: number; status: Status; amount: number; payment_reference: string | null; initiated_at: string; completed_at: string | null;
}

/** What a processor signs with `X-Signature`. `currency` left out is USD; exactly one of `user_id` and `email` names the player. */
export interface PaymentEvent {
  id: string; type: 'payment.pending' | 'payment.succeeded' | 'payment.failed'; reference: string; amount: number | string; currency?: string | undefined;
  user_id?: number | undefined; email?: string | undefined; occurred_at: string;
}
/** What BTCPay Server signs with `BTCPay-Sig`; of the rest of its events nothing is read. */
export interface BtcpayEvent { deliveryId: string; originalDeliveryId?: string | null | undefined; type: string; storeId?: string | null | undefined; invoiceId?: string | null | undefined }
export type WebhookEvent = PaymentEvent | BtcpayEvent;

/** `applied`: something was made or settled; `unchanged`: it was so already; `ignored`: nothing of ours; `attention`: a person must look. */
export type WebhookOutcome = 'applied' | 'unchanged' | 'ignored' | 'attention';
export interface WebhookAnswer { outcome: WebhookOutcome; detail: string | null }
export interface WebhookDelivery {
  id: number; delivery_id: string; event_type: string; reference: string | null; outcome: WebhookOutcome | 'received'; detail: string | null; money_id: number | null; attempts: number; last_at: string;
}
/** Where a payment method's events go: `path` behind the address of the API. */
export interface Webhook { path: string; header: string; has_secret: boolean; deliveries: WebhookDelivery[] }

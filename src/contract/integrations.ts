/** Records of the integrations: API keys, what other systems send, and webhooks (docs/product.md, "Integrations"). */
import type { BalanceKind, Status } from './constants';
import type { ChangeReason } from './entities';

export const scopes = ['players:write', 'transactions:write'] as const;
/** What an API key may do. */
export type Scope = (typeof scopes)[number];
/** Every API key starts with this. */
export const KEY_PREFIX = 'gbk_';
export const KEY_NAME_MAX = 100;
/** How long the answer to an `Idempotency-Key` is kept, at least. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_KEY_MAX = 255;
export const REFERENCE_MAX = 200;
/** How far the timestamp of a signature may differ from the server's clock, in seconds. */
export const SIGNATURE_SECONDS = 300;
/** How many of the latest deliveries are shown. */
export const DELIVERIES_SHOWN = 20;
export const DELIVERY_DAYS = 90;

/** An API key as it is listed: never the key itself, only its prefix. */
export interface ApiKey {
  id: number;
  tenant_id: number;
  name: string;
  prefix: string;
  scopes: Scope[];
  created_by: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  /** Accurate to a minute. */
  last_used_at: string | null;
}
/**
 * `expires_on` is the last day on which the key works, YYYY-MM-DD in the tenant's time zone. A super admin must name
 * the tenant.
 */
export interface NewApiKey {
  name: string;
  scopes: Scope[];
  expires_on?: string | undefined;
  tenant_id?: number | undefined;
}
/** The only answer that contains the key. */
export interface MadeApiKey extends ApiKey {
  key: string;
}

/** Identifies a player by exactly one of these. */
export interface PlayerNamed {
  user_id?: number | undefined;
  email?: string | undefined;
  external_id?: string | undefined;
}
/**
 * The player is found by `external_id`, then by e-mail, and created otherwise. Fields that are left out stay unchanged.
 */
export interface PushedPlayer {
  email: string;
  external_id?: string | undefined;
  first_name?: string | null;
  last_name?: string | null;
  phone_number?: string | null;
  referral_id?: string | null;
  affiliate_id?: string | null;
  is_active?: boolean;
}
export interface PushedPlayerAnswer {
  id: number;
  email: string;
  external_id: string | null;
  is_active: boolean;
  is_new: boolean;
}
interface Pushed extends PlayerNamed {
  amount: number | string;
  payment_reference: string;
  description?: string | undefined;
}
/** The reference is unique among the purchases of its payment method. */
export interface PushedTopUp extends Pushed {
  payment_method: string;
  net_amount?: number | string | undefined;
}
/**
 * `balance` pays; the default is credit. The reference is unique among the deposits, or the redeems, of its game
 * platform.
 */
export interface PushedDeposit extends Pushed {
  platform: string;
  balance?: BalanceKind | undefined;
}
export interface PushedRedeem extends Pushed {
  platform: string;
  payout_method?: string | undefined;
  payout_address?: string | undefined;
}
export interface PushedStatus extends ChangeReason {
  status: Status;
}
/** The state of a purchase, deposit or redeem. */
export interface PushedMoney {
  id: number;
  type: 'TOP_UP' | 'DEPOSIT' | 'REDEEM';
  user_id: number;
  status: Status;
  amount: number;
  payment_reference: string | null;
  initiated_at: string;
  completed_at: string | null;
}

/**
 * What a processor signs with `X-Signature`. `currency` defaults to USD; exactly one of `user_id` and `email`
 * identifies the player.
 */
export interface PaymentEvent {
  id: string;
  type: 'payment.pending' | 'payment.succeeded' | 'payment.failed';
  reference: string;
  amount: number | string;
  currency?: string | undefined;
  user_id?: number | undefined;
  email?: string | undefined;
  occurred_at: string;
}
/** What BTCPay Server signs with `BTCPay-Sig`. Other fields of its events are ignored. */
export interface BtcpayEvent {
  deliveryId: string;
  originalDeliveryId?: string | null | undefined;
  type: string;
  storeId?: string | null | undefined;
  invoiceId?: string | null | undefined;
}
export type WebhookEvent = PaymentEvent | BtcpayEvent;

/**
 * `applied`: a purchase was created or settled. `unchanged`: nothing was left to do. `ignored`: the event does not
 * concern purchases. `attention`: a person has to look at it.
 */
export type WebhookOutcome = 'applied' | 'unchanged' | 'ignored' | 'attention';
export interface WebhookAnswer {
  outcome: WebhookOutcome;
  detail: string | null;
}
export interface WebhookDelivery {
  id: number;
  delivery_id: string;
  event_type: string;
  reference: string | null;
  outcome: WebhookOutcome | 'received';
  detail: string | null;
  money_id: number | null;
  attempts: number;
  last_at: string;
}
/** Where the processor sends its events; `path` is relative to the API. */
export interface Webhook {
  path: string;
  header: string;
  has_secret: boolean;
  deliveries: WebhookDelivery[];
}

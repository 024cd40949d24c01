/**
 * Every record of specification section 3, as our server sends it.
 * Amounts are USD with at most two decimals; moments are ISO 8601 in UTC; `null` means "not set".
 * Another server may leave optional fields out or send amounts as text: the app reads what it gets through `app/read.ts`.
 */
import type {
  AuditKind, BalanceKind, BalanceOperation, ListOrder, ManualRedeemPlatform, MoneyList, PaymentPlatform, PayoutMethod, PlayerSort, Reason, Risk, Status,
} from './constants';

export interface Role { id: number; name: string }

export interface SessionUser {
  role: { name: string; is_super_admin: boolean };
  /** A super admin's own tenant is the platform's (1). */
  tenant_id: number | null;
}

/** `require_two_factor` is an addition: whether its admins must have a second factor. */
export interface Tenant { id: number; name: string; description: string | null; is_active: boolean; email: string | null; require_two_factor?: boolean }
/** What is left out stays as it was. `email` needs the feature `tenant_email`, `require_two_factor` the feature `account`. */
export interface TenantForm { name: string; description?: string; email?: string; require_two_factor?: boolean }

export interface Platform { id: number; name: string; display_name: string | null; description: string | null; is_active: boolean }
export interface PlatformCredentials { username: string; password: string }
/** A platform given to a tenant. `is_active` false: unassigned, credentials kept. The password leaves masked. */
export interface Assignment { platform_id: number; tenant_id: number; is_active: boolean; credentials: PlatformCredentials }

/** A staff account. A player is never called a user in the code, only on the wire. `has_two_factor` is an addition to lists. */
export interface Admin { id: number; email: string; is_active: boolean; tenant_id: number; has_two_factor?: boolean }
export interface NewAdmin { email: string; password: string; tenant_id: number; role_id: number }
/** A blank or missing password keeps the current one. `is_active` needs the feature `enable_admin`. */
export interface AdminForm { email: string; password?: string; is_active?: boolean }

/** Money in (`TOP_UP`), or from the wallet onto a platform (`DEPOSIT`). */
export interface Transaction {
  id: number;
  user_email: string;
  transaction_type: string;
  status: Status;
  amount: number;
  /** `amount` less the processor's fee. */
  net_amount: number | null;
  payment_method: string | null;
  /** Of a deposit: `type` is the balance that paid, CREDIT, BONUS, VIP or LOYALTY. */
  payment_metadata: { type?: string; [key: string]: unknown } | null;
  initiated_at: string;
  completed_at: string | null;
  description: string | null;
  payment_reference: string | null;
}
export interface StatusForm extends ChangeReason { status: Status }

/** A row of the Users list. Balances without what is held for pending redeems. */
export interface Player {
  id: number;
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
  referral_id: string | null;
  affiliate_id: string | null;
  /** All this player's success purchases less success redeems. */
  individual_ggr: number;
  credit_balance: number;
  bonus_balance: number;
  vip_balance: number;
  loyalty_balance: number;
  tenant_id: number;
  /** An addition: the specification has it in the form only. */
  is_active: boolean;
}
export interface PlayerPage {
  users: Player[];
  pagination: { total_users: number; total_pages: number; has_next: boolean; has_previous: boolean };
}
export interface PlayerQuery {
  tenant_id?: number | undefined;
  search?: string | undefined;
  sort_by?: PlayerSort | undefined;
  sort_order?: 'asc' | 'desc' | undefined;
  page?: number | undefined;
  page_size?: number | undefined;
}
/** Blank text clears a field; a field left out of an edit stays as it was, the e-mail among them. */
export interface PlayerForm {
  email: string;
  password?: string;
  first_name?: string | null;
  last_name?: string | null;
  phone_number?: string | null;
  referral_id?: string | null;
  affiliate_id?: string | null;
  is_active?: boolean;
}
export interface NewPlayer extends PlayerForm { password: string; tenant_id: number }
/** `id` and `tenant_id` are additions: one e-mail may belong to players of two tenants. */
export interface PlayerHit { id: number; tenant_id: number; email: string; first_name: string | null; last_name: string | null; credit_balance: number }

/** Why: both optional, both need the feature `reasons`. */
export interface ChangeReason { reason?: Reason | undefined; note?: string | undefined }

/** Amounts to add to or remove from each balance; all of them happen or none. */
export interface BalanceForm extends ChangeReason {
  credit?: number | string; credit_op?: BalanceOperation;
  bonus?: number | string; bonus_op?: BalanceOperation;
  vip?: number | string; vip_op?: BalanceOperation;
  loyalty?: number | string; loyalty_op?: BalanceOperation;
}
/** A player's login at a game platform. The password leaves masked. */
export interface PlayerCredential { id: number; platform_name: string; platform_username: string; platform_password: string; is_active: boolean }
export interface PlayerCredentialForm { platform_username?: string; platform_password?: string }
/** A line of a player's history. WITHDRAWAL is a redeem, ADJUSTMENT a change by hand (signed: negative when removed). */
export interface HistoryLine {
  id: number; initiated_at: string; transaction_type: string; amount: number;
  payment_method: string | null; description: string | null; payment_reference: string | null;
  /** An addition. */
  status: Status;
  /** Additions: why the line was made by hand or decided as it was. */
  reason?: string | null; note?: string | null;
}

/** Newest first. `person` is a part of the e-mail, `day` a business day of the entry's tenant, `cursor` the answer's `next_cursor`. */
export interface AuditQuery {
  tenant_id?: number | undefined; person?: string | undefined; kind?: AuditKind | undefined; object_id?: string | undefined; player_id?: number | undefined;
  day?: string | undefined; cursor?: number | undefined;
}
/** One write, or one sign-in that failed. `before` and `after` hold what changed, secrets masked. */
export interface AuditEntry {
  id: number; at: string;
  /** Null for a sign-in that failed. `email` is empty when the account is unknown. */
  admin_id: number | null; email: string; address: string;
  call: string; kind: string; object_id: string | null; player_id: number | null; tenant_id: number | null;
  before: Record<string, unknown> | null; after: Record<string, unknown> | null;
  reason: string | null; note: string | null; request_id: string;
}
export interface AuditPage { entries: AuditEntry[]; next_cursor: number | null }

/**
 * What a list of money shows; needs the feature `queue`. Days are the business days of `initiated_at` in each row's tenant, amounts USD, all ends inclusive.
 * `method` is how it was paid or is paid out; of a deposit the balance that paid. `text` is a part of e-mail, reference, payout address or description.
 */
export interface ListFilter {
  status?: Status | undefined; from_date?: string | undefined; to_date?: string | undefined; platform?: string | undefined; method?: string | undefined;
  min_amount?: number | string | undefined; max_amount?: number | string | undefined; text?: string | undefined;
}
/** `pending_first`: what waits, the oldest first, then what is settled, the newest first. `limit` is the size of a page. */
export interface ListQuery extends ListFilter { tenant_id?: number | undefined; order?: ListOrder | undefined; page?: number | undefined; limit?: number | undefined }
/** How much is pending in each list. */
export type PendingCounts = Record<MoneyList, number>;

/** `platform_type` is an addition: 'manual' or 'api'. */
export interface AvailablePlatform { id: number; name: string; display_name: string | null; description: string | null; platform_type: string }
/** The assignment as its tenant sees it; `id` is the platform's. */
export interface MyPlatform { id: number; is_activated: boolean; is_configured: boolean; platform_type: string }

/** A cash-out. */
export interface Redeem {
  id: number; user_email: string; platform: string; amount: number; payout_method: string | null; payout_address: string | null;
  status: Status; initiated_at: string; completed_at: string | null;
  /** An addition, while it is pending and the list was asked for as a queue. */
  risks?: Risk[];
  /** An addition, while it is pending: why the player's redeems must not be paid out. */
  payout_hold?: string | null;
}
/** Why a player's redeems must not be paid out, and who said so. */
export interface PayoutHold extends Remarked { by: string; created_at: string }
interface Remarked { reason: string | null; note: string | null }
export interface PlayerNote { id: number; text: string; by: string; created_at: string }
/** What is to be known of a player at a glance; needs the feature `player_view`. Tags in the order of the alphabet, notes the newest first. */
export interface PlayerFile {
  player: Player; tenant_name: string; created_at: string; updated_at: string;
  /** Taken out of the balances for pending redeems and deposits. */
  held_balance: number;
  hold: PayoutHold | null; tags: string[]; notes: PlayerNote[];
}
/** A movement on one of the player's accounts, `held` among them. `balance` is the account's after it; `by` null: the platform itself. */
export interface LedgerLine extends Remarked {
  id: number; created_at: string; account: BalanceKind | 'held'; amount: number; balance: number;
  /** TOP_UP, DEPOSIT, WITHDRAWAL, ADJUSTMENT or OPENING, as in a history; `money_id` is that of the first three. */
  transaction_type: string; money_id: number | null; by: string | null;
}
/** The newest first, a page of whole movements; `next_cursor` asks for the ones before. */
export interface LedgerPage { lines: LedgerLine[]; next_cursor: number | null }
export interface HoldForm extends ChangeReason { is_held: boolean }

export interface RedeemForm { platform_name: string; amount: number | string }
export interface ManualRedeemForm {
  user_email: string; amount: number | string; platform: ManualRedeemPlatform; payout_method: PayoutMethod; payout_address: string; description?: string;
  /** Needs the feature `redeem_tenant`. */
  tenant_id?: number;
}

/** Dates are YYYY-MM-DD business days, both ends included. */
export interface AffiliateQuery { affiliate_id: string; start_date: string; end_date: string; tenant_id?: number | undefined }
export interface AffiliateStats { total_players: number; total_ggr: number }

export interface DashboardMetrics {
  new_signups_today: number;
  first_purchase_today: number;
  total_purchases_today: number;
  total_redeems_today: number;
  /** Today's. */
  total_ggr: number;
  yesterday_ggr: number;
  /** Sunday to today. */
  week_ggr: number;
  week_purchases: number;
  /** The seven days before this week's Sunday. */
  last_week_ggr: number;
  last_week_purchases: number;
  /** The 1st to today. */
  month_purchases: number;
  month_redeems: number;
  month_ggr: number;
  /** An addition: the last 30 business days up to today, the oldest first. */
  trend?: DayAmounts[];
}

/** What succeeded, in USD; GGR is the difference. */
export interface Amounts { purchases: number; redeems: number; ggr: number }
/** `day` is a business day; of all tenants together, so many days before each one's own today. */
export interface DayAmounts extends Amounts { day: string }
/** `name` is empty where none was given: a purchase, for one, belongs to no game platform. */
export interface NamedAmounts extends Amounts { name: string }
/** One moment's figures, so that the parts of each sum to `total`. Every day is there, the oldest first; names by turnover. */
export interface Charts { total: Amounts; days: DayAmounts[]; platforms: NamedAmounts[]; methods: NamedAmounts[] }

export interface PlayerToday {
  id: number; first_name: string | null; last_name: string | null; email: string; phone_number: string | null; affiliate_id: string | null; created_at: string;
}
/** `status` is upper case here, and only here. */
export interface FirstPurchase {
  id: number; user: { first_name: string | null; last_name: string | null; email: string };
  amount: number; payment_method: string | null; status: string; initiated_at: string;
}

/** A payment processor set up for a tenant. Secrets among the credentials leave masked. */
export interface PaymentMethod {
  id: number; tenant_id: number; tenant_name: string; payment_platform: PaymentPlatform; is_active: boolean;
  webhook_url: string | null; credentials: Record<string, string>; created_at: string;
}
export type PaymentCredentials = Record<string, string>;

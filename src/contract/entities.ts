/**
 * The records of the API as our server sends them. Amounts are USD with at most two decimals, timestamps are ISO 8601
 * in UTC, and `null` means "not set". Another server may leave optional fields out or send amounts as text; the app
 * parses its answers tolerantly.
 */
import type {
  AuditKind,
  BalanceKind,
  BalanceOperation,
  ListOrder,
  ManualRedeemPlatform,
  MoneyList,
  PaymentPlatform,
  PayoutMethod,
  PlayerSort,
  Reason,
  Risk,
  Status,
} from './constants';

export interface Role {
  id: number;
  name: string;
}

export interface SessionUser {
  role: { name: string; is_super_admin: boolean };
  /** The tenant of a super admin is the platform's own (1). */
  tenant_id: number | null;
}

/** `require_two_factor`: the tenant's admins must use two-factor sign-in. */
export interface Tenant {
  id: number;
  name: string;
  description: string | null;
  is_active: boolean;
  email: string | null;
  require_two_factor?: boolean;
}
/** Fields that are left out stay. `email` needs the feature `tenant_email`, `require_two_factor` needs `account`. */
export interface TenantForm {
  name: string;
  description?: string;
  email?: string;
  require_two_factor?: boolean;
}

export interface Platform {
  id: number;
  name: string;
  display_name: string | null;
  description: string | null;
  is_active: boolean;
}
export interface PlatformCredentials {
  username: string;
  password: string;
}
/** A platform assigned to a tenant; inactive when unassigned with its credentials kept. The password is masked. */
export interface Assignment {
  platform_id: number;
  tenant_id: number;
  is_active: boolean;
  credentials: PlatformCredentials;
}

/** A staff account. The code calls players "players"; only the API calls them users. */
export interface Admin {
  id: number;
  email: string;
  is_active: boolean;
  tenant_id: number;
  has_two_factor?: boolean;
}
export interface NewAdmin {
  email: string;
  password: string;
  tenant_id: number;
  role_id: number;
}
/** A blank or missing password keeps the current one. `is_active` needs the feature `enable_admin`. */
export interface AdminForm {
  email: string;
  password?: string;
  is_active?: boolean;
}

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
  /** For a deposit, `type` is the balance that paid: CREDIT, BONUS, VIP or LOYALTY. */
  payment_metadata: { type?: string; [key: string]: unknown } | null;
  initiated_at: string;
  completed_at: string | null;
  description: string | null;
  payment_reference: string | null;
}
export interface StatusForm extends ChangeReason {
  status: Status;
}

/** A row of the Users list. The balances exclude what is held for pending redeems. */
export interface Player {
  id: number;
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
  referral_id: string | null;
  affiliate_id: string | null;
  /** The player's successful purchases minus successful redeems. */
  individual_ggr: number;
  credit_balance: number;
  bonus_balance: number;
  vip_balance: number;
  loyalty_balance: number;
  tenant_id: number;
  /** Optional on other servers. */
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
/** Blank text clears a field. Fields that are left out of an edit, including the e-mail, stay unchanged. */
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
export interface NewPlayer extends PlayerForm {
  password: string;
  tenant_id: number;
}
/** One e-mail may belong to players of several tenants, so `id` and `tenant_id` tell them apart. */
export interface PlayerHit {
  id: number;
  tenant_id: number;
  email: string;
  first_name: string | null;
  last_name: string | null;
  credit_balance: number;
}

/** Why something is changed. Both fields are optional and need the feature `reasons`. */
export interface ChangeReason {
  reason?: Reason | undefined;
  note?: string | undefined;
}

/** Amounts to add to or remove from each balance. Either all changes are made or none. */
export interface BalanceForm extends ChangeReason {
  credit?: number | string;
  credit_op?: BalanceOperation;
  bonus?: number | string;
  bonus_op?: BalanceOperation;
  vip?: number | string;
  vip_op?: BalanceOperation;
  loyalty?: number | string;
  loyalty_op?: BalanceOperation;
}
/** A player's login at a game platform. The password is masked. */
export interface PlayerCredential {
  id: number;
  platform_name: string;
  platform_username: string;
  platform_password: string;
  is_active: boolean;
}
export interface PlayerCredentialForm {
  platform_username?: string;
  platform_password?: string;
}
/** A line of a player's history. WITHDRAWAL is a redeem. ADJUSTMENT is made by hand, negative when removed. */
export interface HistoryLine {
  id: number;
  initiated_at: string;
  transaction_type: string;
  amount: number;
  payment_method: string | null;
  description: string | null;
  payment_reference: string | null;
  /** Optional on other servers. */
  status: Status;
  /** Why the line was made by hand, or why its status was decided; optional on other servers. */
  reason?: string | null;
  note?: string | null;
}

/** `person` matches a part of the e-mail, `day` is a business day, `cursor` the last page's `next_cursor`. */
export interface AuditQuery {
  tenant_id?: number | undefined;
  person?: string | undefined;
  kind?: AuditKind | undefined;
  object_id?: string | undefined;
  player_id?: number | undefined;
  day?: string | undefined;
  cursor?: number | undefined;
}
/** One write, or one failed sign-in. `before` and `after` contain what changed; secrets are masked. */
export interface AuditEntry {
  id: number;
  at: string;
  /** Null for a failed sign-in. `email` is empty when the account is unknown. */
  admin_id: number | null;
  email: string;
  address: string;
  call: string;
  kind: string;
  object_id: string | null;
  player_id: number | null;
  tenant_id: number | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  note: string | null;
  request_id: string;
}
export interface AuditPage {
  entries: AuditEntry[];
  next_cursor: number | null;
}

/**
 * Filters of the transaction lists; needs the feature `queue`. Days are business days of `initiated_at` in the row's
 * tenant. Amounts are USD. All bounds are inclusive. `method` is the payment or payout method; for a deposit, the
 * balance that paid. `text` matches a part of the e-mail, reference, payout address or description.
 */
export interface ListFilter {
  status?: Status | undefined;
  from_date?: string | undefined;
  to_date?: string | undefined;
  platform?: string | undefined;
  method?: string | undefined;
  min_amount?: number | string | undefined;
  max_amount?: number | string | undefined;
  text?: string | undefined;
}
/** `pending_first`: pending rows, oldest first, then settled rows, newest first. `limit` is the page size. */
export interface ListQuery extends ListFilter {
  tenant_id?: number | undefined;
  order?: ListOrder | undefined;
  page?: number | undefined;
  limit?: number | undefined;
}
/** The number of pending rows in each list. */
export type PendingCounts = Record<MoneyList, number>;

/** `platform_type` is 'manual' or 'api'; optional on other servers. */
export interface AvailablePlatform {
  id: number;
  name: string;
  display_name: string | null;
  description: string | null;
  platform_type: string;
}
/** An assignment as its tenant sees it; `id` is the platform's. */
export interface MyPlatform {
  id: number;
  is_activated: boolean;
  is_configured: boolean;
  platform_type: string;
}

/** A cash-out. */
export interface Redeem {
  id: number;
  user_email: string;
  platform: string;
  amount: number;
  payout_method: string | null;
  payout_address: string | null;
  status: Status;
  initiated_at: string;
  completed_at: string | null;
  /** Only for a pending redeem in a filtered list. */
  risks?: Risk[];
  /** Only for a pending redeem: why the player's payouts are on hold. */
  payout_hold?: string | null;
}
/** Why a player's payouts are on hold, and who put them on hold. */
export interface PayoutHold extends Remarked {
  by: string;
  created_at: string;
}
interface Remarked {
  reason: string | null;
  note: string | null;
}
export interface PlayerNote {
  id: number;
  text: string;
  by: string;
  created_at: string;
}
/** Everything about a player; needs the feature `player_view`. Tags are in alphabetical order, notes newest first. */
export interface PlayerFile {
  player: Player;
  tenant_name: string;
  created_at: string;
  updated_at: string;
  /** Held for pending redeems and deposits. */
  held_balance: number;
  hold: PayoutHold | null;
  tags: string[];
  notes: PlayerNote[];
}
/** A movement on one account of a player. `balance` is the one after it; `by` is null unless made by hand. */
export interface LedgerLine extends Remarked {
  id: number;
  created_at: string;
  account: BalanceKind | 'held';
  amount: number;
  balance: number;
  /** TOP_UP, DEPOSIT, WITHDRAWAL, ADJUSTMENT or OPENING, as in a history. `money_id` is set for the first three. */
  transaction_type: string;
  money_id: number | null;
  by: string | null;
}
/** Newest first. A page contains whole movements; `next_cursor` asks for older ones. */
export interface LedgerPage {
  lines: LedgerLine[];
  next_cursor: number | null;
}
export interface HoldForm extends ChangeReason {
  is_held: boolean;
}

export interface RedeemForm {
  platform_name: string;
  amount: number | string;
}
export interface ManualRedeemForm {
  user_email: string;
  amount: number | string;
  platform: ManualRedeemPlatform;
  payout_method: PayoutMethod;
  payout_address: string;
  description?: string;
  /** Needs the feature `redeem_tenant`. */
  tenant_id?: number;
}

/** Dates are business days, YYYY-MM-DD, both ends included. */
export interface AffiliateQuery {
  affiliate_id: string;
  start_date: string;
  end_date: string;
  tenant_id?: number | undefined;
}
export interface AffiliateStats {
  total_players: number;
  total_ggr: number;
}

export interface DashboardMetrics {
  new_signups_today: number;
  first_purchase_today: number;
  total_purchases_today: number;
  total_redeems_today: number;
  /** Today. */
  total_ggr: number;
  yesterday_ggr: number;
  /** From Sunday to today. */
  week_ggr: number;
  week_purchases: number;
  /** The seven days before this week's Sunday. */
  last_week_ggr: number;
  last_week_purchases: number;
  /** From the 1st to today. */
  month_purchases: number;
  month_redeems: number;
  month_ggr: number;
  /** The last 30 business days up to today, oldest first; optional on other servers. */
  trend?: DayAmounts[];
}

/** Successful amounts in USD; GGR is their difference. */
export interface Amounts {
  purchases: number;
  redeems: number;
  ggr: number;
}
/** `day` is a business day. For all tenants together, each tenant's days are counted back from its own today. */
export interface DayAmounts extends Amounts {
  day: string;
}
/** `name` is empty where none was given; a purchase, for example, belongs to no game platform. */
export interface NamedAmounts extends Amounts {
  name: string;
}
/** Read at once, so the parts of each add up to `total`. Days have no gaps, oldest first; names are by turnover. */
export interface Charts {
  total: Amounts;
  days: DayAmounts[];
  platforms: NamedAmounts[];
  methods: NamedAmounts[];
}

export interface PlayerToday {
  id: number;
  first_name: string | null;
  last_name: string | null;
  email: string;
  phone_number: string | null;
  affiliate_id: string | null;
  created_at: string;
}
/** `status` is upper case here, and nowhere else. */
export interface FirstPurchase {
  id: number;
  user: { first_name: string | null; last_name: string | null; email: string };
  amount: number;
  payment_method: string | null;
  status: string;
  initiated_at: string;
}

/** A payment processor that a tenant uses. Secret credentials are masked. */
export interface PaymentMethod {
  id: number;
  tenant_id: number;
  tenant_name: string;
  payment_platform: PaymentPlatform;
  is_active: boolean;
  webhook_url: string | null;
  credentials: Record<string, string>;
  created_at: string;
}
export type PaymentCredentials = Record<string, string>;

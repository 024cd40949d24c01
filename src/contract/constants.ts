/** Business constants of specification section 9. Amounts in USD, times in milliseconds. */

export const TOAST_MS = 4000;
export const PAYMENT_ERROR_MS = 6000;
export const METRICS_FIRST_MS = 100;
export const METRICS_EVERY_MS = 300_000;

export const PURCHASES_LIMIT = 100;
export const HISTORY_LIMIT = 100;

export const pageSizes = [25, 50, 100, 200] as const;
export const PAGE_SIZE = 50;
/** What a list of players may be sorted by: the columns on screen, and the default `updated_at`. */
export const playerSorts = ['email', 'first_name', 'affiliate_id', 'individual_ggr', 'credit_balance', 'updated_at'] as const;
export type PlayerSort = (typeof playerSorts)[number];
export const SEARCH_MAX = 100;
/** From how many typed characters on the manual redeem's user search asks. */
export const USER_SEARCH_MIN = 2;

/** The platform's own tenant, hidden from the tenants table. */
export const PLATFORM_TENANT_ID = 1;
/** The role given to new admins. */
export const ADMIN_ROLE = 'admin';

export const REDEEM_MIN = 100;
/** The most a player may redeem in one request, and in one business day. */
export const REDEEM_MAX = 1000;
export const MANUAL_REDEEM_MIN = 0.01;
export const MANUAL_REDEEM_STEP = 0.01;
export const manualRedeemPlatforms = [
  'golden_dragon', 'bluedragon', 'vblink', 'ultrapanda', 'yolo', 'juwa777', 'firekirin', 'luckysweeps', 'riversweeps', 'orionstar', 'milkyway',
] as const;
export type ManualRedeemPlatform = (typeof manualRedeemPlatforms)[number];
export const payoutMethods = ['Crypto Wallet', 'Cash Tag', 'PayPal'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

export const balanceKinds = ['credit', 'bonus', 'vip', 'loyalty'] as const;
export type BalanceKind = (typeof balanceKinds)[number];
export const balanceOperations = ['add', 'remove'] as const;
export type BalanceOperation = (typeof balanceOperations)[number];

export const statuses = ['pending', 'success', 'failed'] as const;
/** Purchases and redeems share one life: pending, then success or failed for good (section 4). */
export type Status = (typeof statuses)[number];

/** Payment processors, the name each is shown by, and the credential fields of its form (section 2). */
export const paymentPlatforms = {
  flikpay: { label: 'FlikPay', fields: ['api_key', 'merchant_id', 'webhook_secret'] },
  apex: { label: 'Apex Processing', fields: ['api_key', 'secret_key', 'merchant_id'] },
  btcpay: { label: 'BTC Pay', fields: ['server_url', 'api_key', 'store_id'] },
} as const;
export type PaymentPlatform = keyof typeof paymentPlatforms;
export const paymentPlatformNames = /* @__PURE__ */ Object.keys(paymentPlatforms) as [PaymentPlatform, ...PaymentPlatform[]];

export const DEMO_PURCHASES = 5;
export const DEMO_REDEEMS = 2;

export const DATE_MIN = '1900-01-01';
export const DATE_MAX = '2099-12-31';
/** The work queue: rows of one answer unless asked for otherwise, and how long a decision made with a key can be taken back, in milliseconds. */
export const QUEUE_PAGE = 100;
export const UNDO_MS = 5000;
/** From when on something pending is called late, and overdue, in milliseconds. */
export const LATE_MS = 3_600_000;
export const OVERDUE_MS = 86_400_000;
export const listOrders = ['newest', 'pending_first'] as const;
export type ListOrder = (typeof listOrders)[number];
/** The lists of money that can be filtered, counted and exported. */
export const moneyLists = ['purchases', 'deposits', 'redeems'] as const;
export type MoneyList = (typeof moneyLists)[number];
/** What makes a pending redeem worth a second look. */
export const risks = ['first_redeem', 'shared_address', 'new_account', 'adjusted', 'near_limit', 'negative_ggr'] as const;
export type Risk = (typeof risks)[number];
/** From this much in one business day on, in USD, a player is near REDEEM_MAX. */
export const NEAR_LIMIT = 800;

/** How many days a chart can show. */
export const chartDays = [30, 90] as const;
export type ChartDays = (typeof chartDays)[number];
/** A chart by platform or method names no more than this many, the rest together. */
export const CHART_NAMES = 12;

/** Characters of a note, characters of a tag, tags of one player. */
export const PLAYER_NOTE_MAX = 2000;
export const TAG_MAX = 40;
export const TAGS_MAX = 20;
/** Rows of one part of the player's view. */
export const PLAYER_ROWS = 100;

/** Why something was changed. */
export const reasons = ['customer_request', 'correction', 'goodwill', 'duplicate', 'fraud_suspected', 'chargeback', 'test', 'other'] as const;
export type Reason = (typeof reasons)[number];
export const NOTE_MAX = 500;

/** What an entry of the audit log can be about. */
export const auditKinds = ['sign-in', 'tenant', 'admin', 'assignment', 'player', 'player login', 'purchase', 'deposit', 'redeem', 'payment method', 'import', 'export', 'api key', 'other'] as const;
export type AuditKind = (typeof auditKinds)[number];
/** Entries of the audit log in one answer. */
export const AUDIT_PAGE = 50;

/** Stands for a stored secret on the wire; sent back, it keeps what is stored. */
export const MASK = '••••••••';

/**
 * What a server can do beyond the specification's calls. It says so in the login answer's `features`;
 * without a name there, the app neither shows nor sends what belongs to it.
 */
export const features = [
  /** `POST /auth/logout` ends the session on the server. */
  'logout',
  /** Tenants carry an e-mail on create and update. */
  'tenant_email',
  /** `PUT /admin/admin-users/{id}/` takes `is_active`. */
  'enable_admin',
  /** A manual redeem takes the player's `tenant_id`. */
  'redeem_tenant',
  /** The my-platforms calls take a `tenant_id`. */
  'platforms_tenant',
  /** The audit log can be read. */
  'audit',
  /** Balance edits, status changes and deletes take a `reason` and a `note`; a history shows them. */
  'reasons',
  /** Purchases, deposits and redeems can be filtered, ordered, paged and counted. */
  'queue',
  /** Lists can be had as CSV. */
  'export',
  /** Pending redeems say what makes them worth a second look. */
  'risk',
  /** Purchases, redeems and GGR by day, platform and method; the metrics bring a `trend`. */
  'charts',
  /** All about one player, with notes, tags and a hold on payouts. */
  'player_view',
  /** The affiliates of a range of days as a list. */
  'affiliates',
  /** Players, payments and tenants are found by what is known of them. */
  'search',
  /** Players and transactions come in from files. */
  'import',
  /** One's own password, sessions and second factor; tenants can require one, super admins reset one. */
  'account',
  /** Not a thing offered but one asked for: until a second factor is set up, this session reaches the account calls alone. */
  'two_factor_setup',
  /** A tenant's own systems can be given keys. */
  'api_keys',
  /** Payment processors can send signed events. */
  'webhooks',
] as const;
export type Feature = (typeof features)[number];

/** Constants of the business (docs/product.md, "Limits and constants"). Amounts are in USD, times in milliseconds. */

/** The two paths that the early script needs: it must stay small, so it does not import the table of calls. */
export const PLAYERS_PATH = '/api/v1/admin/user-management/users/';
export const TENANTS_PATH = '/api/v1/admin/tenants/';

export const TOAST_MS = 4000;
export const PAYMENT_ERROR_MS = 6000;
export const METRICS_FIRST_MS = 100;
export const METRICS_EVERY_MS = 300_000;

export const PURCHASES_LIMIT = 100;
export const HISTORY_LIMIT = 100;
/** The most rows in any list. The app says that there may be more when a list has as many. */
export const LIST_MAX = 1000;

export const pageSizes = [25, 50, 100, 200] as const;
export const PAGE_SIZE = 50;
/** The columns by which a list of players can be sorted, and the default, `updated_at`. */
export const playerSorts = [
  'email',
  'first_name',
  'affiliate_id',
  'individual_ggr',
  'credit_balance',
  'updated_at',
] as const;
export type PlayerSort = (typeof playerSorts)[number];
export const SEARCH_MAX = 100;
/** The user search of the manual redeem starts at this many characters. */
export const USER_SEARCH_MIN = 2;
export const USER_SEARCH_HITS = 20;

/** The platform's own tenant, hidden from the tenants table. */
export const PLATFORM_TENANT_ID = 1;
/** The role given to new admins. */
export const ADMIN_ROLE = 'admin';

export const REDEEM_MIN = 100;
/** The most a player may redeem in one request, and in one business day. */
export const REDEEM_MAX = 1000;
export const MANUAL_REDEEM_MIN = 0.01;
export const MANUAL_REDEEM_STEP = 0.01;
export const balanceKinds = ['credit', 'bonus', 'vip', 'loyalty'] as const;
export type BalanceKind = (typeof balanceKinds)[number];
export const balanceOperations = ['add', 'remove'] as const;
export type BalanceOperation = (typeof balanceOperations)[number];

export const statuses = ['pending', 'success', 'failed'] as const;
/** A purchase or redeem is pending until it becomes success or failed for good (docs/product.md, "Status changes"). */
export type Status = (typeof statuses)[number];

export const DEMO_PURCHASES = 5;
export const DEMO_REDEEMS = 2;

export const DATE_MIN = '1900-01-01';
export const DATE_MAX = '2099-12-31';
/** The default page size of the work queue, and how long a decision can be undone. */
export const QUEUE_PAGE = 100;
export const UNDO_MS = 5000;
/** A pending row that somebody has taken is theirs for this long. */
export const CLAIM_MINUTES = 10;
/** The `code` of a 409 about a row that somebody else has taken. */
export const CLAIMED = 'claimed';
/** How often an open queue asks who has which row, and what is new. */
export const WATCH_EVERY_MS = 15_000;
/** A pending row is shown as late, and as overdue, after so many minutes, unless the tenant has its own; the most. */
export const LATE_MINUTES = { late: 240, overdue: 1440 } as const;
export const LATE_MAX = 43_200;
export const listOrders = ['newest', 'pending_first'] as const;
/** The lists of transactions that can be filtered, counted and exported. */
export const moneyLists = ['purchases', 'deposits', 'returns', 'redeems'] as const;
export type MoneyList = (typeof moneyLists)[number];
/** The columns by which such a list can be sorted; `player` is the e-mail. */
export const moneySorts = ['amount', 'initiated_at', 'player'] as const;
export type MoneySort = (typeof moneySorts)[number];
/** The lists of which views can be saved; the most views of one person; the limits of a view's name and query. */
export const savedLists = ['users', ...moneyLists] as const;
export type SavedList = (typeof savedLists)[number];
export const SAVED_VIEWS_MAX = 50;
export const VIEW_NAME_MAX = 60;
export const VIEW_QUERY_MAX = 1000;
/** The most rows of a list that are summed. */
export const SUM_ROWS = 1_000_000;
/** Why a pending redeem deserves a second look. */
export const risks = [
  'first_redeem',
  'shared_address',
  'new_account',
  'adjusted',
  'near_limit',
  'reported',
  'negative_ggr',
] as const;
export type Risk = (typeof risks)[number];
/** Why a pending return deserves a second look: value enters here. */
export const returnRisks = ['no_deposit', 'over_20_times'] as const;
export type ReturnRisk = (typeof returnRisks)[number];
/** A player who gets back more than so many times what went to the platform has an unusual return. */
export const RETURN_TIMES = 20;
/** From this amount per business day on, a player is near REDEEM_MAX. */
export const NEAR_LIMIT = 800;
/** From this amount on, the app asks before a balance is edited. */
export const LARGE_EDIT = 1000;

/** The spans of days that a chart can show. */
export const chartDays = [30, 90] as const;
/** A chart by platform or method shows at most this many names; the rest are grouped as "Others". */
export const CHART_NAMES = 12;

/** Limits of a note's length, of a tag's length, and of the tags of one player. */
export const PLAYER_NOTE_MAX = 2000;
export const TAG_MAX = 40;
export const TAGS_MAX = 20;
/** The most rows in one part of the player view. */
export const PLAYER_ROWS = 100;

/** Why something was changed. */
export const reasons = [
  'customer_request',
  'correction',
  'goodwill',
  'duplicate',
  'fraud_suspected',
  'chargeback',
  'test',
  'other',
] as const;
export const NOTE_MAX = 500;

/** What an entry of the audit log can be about. */
export const auditKinds = [
  'sign-in',
  'tenant',
  'admin',
  'assignment',
  'player',
  'player login',
  'purchase',
  'deposit',
  'return',
  'redeem',
  'payment method',
  'import',
  'export',
  'api key',
  'saved view',
  'books',
  'notification rule',
  'notification channel',
  'other',
] as const;
export type AuditKind = (typeof auditKinds)[number];
/** The most networks from which a tenant's people sign in. */
export const NETWORKS_MAX = 50;
/** Entries of the audit log in one answer. */
export const AUDIT_PAGE = 50;

/** The `code` of a 500 when a write may have been done or not. Every other error means that it was not. */
export const UNKNOWN_OUTCOME = 'unknown_outcome';
/** The `code` of a 409 when whoever settles a payment must name its account. */
export const ACCOUNT_NEEDED = 'account_needed';

/** Replaces a stored secret in answers. A form that sends it back keeps the stored secret. */
export const MASK = '••••••••';

/** What goes beyond docs/product.md, "Calls", as the login answer lists it; the rest is neither shown nor sent. */
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
  'audit',
  /** Balance edits, status changes and deletes take a `reason` and a `note`, and histories show them. */
  'reasons',
  /** Purchases, deposits and redeems can be filtered, ordered, paged and counted. */
  'queue',
  'export',
  'risk',
  /** Purchases, redeems and GGR by day, platform and method; the metrics include a `trend`. */
  'charts',
  /** A page about one player, with notes, tags and a hold on payouts. */
  'player_view',
  'affiliates',
  'search',
  'import',
  /** People manage their own password, sessions and second factor; tenants can require it, super admins reset it. */
  'account',
  /** Not an offer but a demand: until a second factor is set up, the session can only make the account calls. */
  'two_factor_setup',
  'api_keys',
  /** Payment processors can send signed events. */
  'webhooks',
  /** Calls marked with `once` take an `Idempotency-Key`: sent again with the same key, they have one effect. */
  'idempotency_key',
  /** Admins come with their `api_keys`, which disabling and new passwords revoke unless `keep_api_keys` is sent. */
  'key_owners',
  /** A purchase, deposit or redeem says who made it, who decided it, and why. */
  'details',
  /** Rows of lists that can span tenants carry `tenant_id`, and an export of all tenants names the tenant. */
  'tenant_rows',
  /** Tenants carry a `time_zone`, which can be changed; the metrics carry the zones of their days. */
  'time_zone',
  /** The rows that came into a list after it was loaded can be counted. */
  'new_rows',
  /** Sorting and summing of purchases, deposits and redeems, a part of a payment method as filter, players' names. */
  'list_tools',
  /** What a tenant has of platforms, admins, payment methods, players and API keys, for the list of first steps. */
  'tenant_setup',
  /** Each admin of a tenant has permissions, and a tenant can manage its own team. */
  'permissions',
  /** Two people must agree on large payouts and edits of balances, from amounts on that a tenant chooses. */
  'approvals',
  /** Tags can be added to a player, and a player can be switched on or off, without sending the rest. */
  'bulk_work',
  /** A list can be kept under a name, with its filters, order and columns. */
  'saved_views',
  /** Whether the books add up, months that are closed, and a statement of each month. */
  'books',
  /**
   * The overview, a page of pictures by day, week and month. Lists can be narrowed to what one bar stands for, by when
   * a payment was settled and by a part; a search of players can have `signed:` and `bought:` with two days.
   */
  'overview',
  /** Rules that notify: a bell in the app, e-mail, webhooks and chats. */
  'notifications',
  /** Winnings come back from a game platform to the credit balance, and a tenant can pay redeems from the game. */
  'returns',
  /** Logins of players at game platforms can be added and switched, and their passwords copied. */
  'player_logins',
  /** A pending row can be taken for ten minutes: meanwhile nobody else decides it. */
  'claims',
  /** A list of players can be narrowed to a `segment`: by tag, last purchase, GGR and hold. */
  'player_filters',
  /** Tenants add links to players, payments and platforms. */
  'link_templates',
  /** A tenant says after how many minutes a pending row is late. */
  'late_minutes',
  /** Webhooks and API keys are told of what happened at a tenant, and robots do what waits at game platforms. */
  'events',
  /** A new admin is invited by e-mail, and a forgotten password is replaced by a link. */
  'mail_links',
  /** A tenant, and the platform, say from which networks their people sign in and work. */
  'allowed_networks',
  /** A tenant's people, and super admins, sign in by an identity provider. Needs `APP_URL`. */
  'sso',
  /** Players take a break from playing and have limits of their own (docs/extras/protection.md). */
  'protection',
  /** Who may play, by age and region, and whose identity must be verified (docs/extras/protection.md). */
  'eligibility',
  /** What is kept of a player, as a file for that person. */
  'personal_data',
  /** A list of where value is: cash accounts and stocks of credits. Who settles can name the account. */
  'accounts',
  /** People sign in with passkeys: alone, or in place of a code. */
  'passkeys',
  /** Cashiers open and close shifts with counts, and the profit is known (docs/extras/shifts.md). */
  'shifts',
] as const;
export type Feature = (typeof features)[number];

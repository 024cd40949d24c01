/**
 * The schemas of every call's query, body and answer, typed against the contract. Input that does not match is refused
 * with 422. An answer is serialized by its schema, so a column that is not named here cannot leave the server. The
 * OpenAPI document is generated from the same schemas.
 */
import * as v from 'valibot';
import type { Answer, Body, CallName, Query } from '../contract/calls';
import {
  auditKinds,
  balanceKinds,
  balanceOperations,
  chartDays,
  features,
  listOrders,
  manualRedeemPlatforms,
  moneyLists,
  NOTE_MAX,
  PAGE_SIZE,
  PLAYER_NOTE_MAX,
  pageSizes,
  paymentPlatformNames,
  payoutMethods,
  playerSorts,
  reasons,
  risks,
  SEARCH_MAX,
  statuses,
  TAG_MAX,
  TAGS_MAX,
} from '../contract/constants';
import { IMPORT_CHARS, importKinds } from '../contract/imports';
import { KEY_NAME_MAX, type PlayerNamed, REFERENCE_MAX, scopes } from '../contract/integrations';
import { affiliateSorts, FIND_MIN, foundBy } from '../contract/search';

// ---- input

/** PostgreSQL cannot store a NUL character, and a lone surrogate would be stored as another character. */
const plainText = v.pipe(
  v.string('expected text'),
  v.check((text) => !/\0|\p{Surrogate}/u.test(text), 'contains an invalid character'),
);
/** Text is normalized, so that a letter sent as letter and accent matches the composed letter. */
export const text = (max: number) =>
  v.pipe(plainText, v.trim(), v.normalize('NFC'), v.maxLength(max, `at most ${max} characters`));
export const filled = (max: number) => v.pipe(text(max), v.minLength(1, 'must not be empty'));
const secret = (min: number) =>
  v.pipe(
    plainText,
    v.minLength(min, min > 1 ? `at least ${min} characters` : 'must not be empty'),
    v.maxLength(1000, 'at most 1000 characters'),
  );
export const email = v.pipe(filled(254), v.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'expected an e-mail address'));
const id = v.pipe(
  v.union([v.number(), v.string()], 'expected a whole number'),
  v.transform(String),
  v.regex(/^\d{1,15}$/, 'expected a whole number'),
  v.transform(Number),
);
/**
 * USD as a number or decimal text with at most two decimals, without sign or exponent. Handlers receive the exact text.
 */
export const money = v.pipe(
  v.union([v.number(), v.string()], 'expected an amount'),
  v.transform((value) => String(value).trim()),
  v.check((amount) => !/^\d{12,}(\.\d*)?$/.test(amount), 'at most 99999999999.99'),
  v.regex(/^\d{1,11}(\.\d{1,2})?$/, 'expected an amount with at most 2 decimals'),
);
export const positive = v.pipe(
  money,
  v.check((amount) => Number(amount) > 0, 'must be above 0'),
);
const date = v.pipe(
  v.string('expected a date'),
  v.isoDate('expected a date as YYYY-MM-DD'),
  v.check(
    (day) =>
      !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day),
    'there is no such day',
  ),
  v.check((day) => day >= '1900-01-01' && day <= '2099-12-31', 'expected a date from 1900-01-01 to 2099-12-31'),
);
const blankToNull = (max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        text(max),
        v.transform((value) => value || null),
      ),
    ),
  );
/** In a body, null means the same as blank. */
const nullAsBlank = <T extends v.GenericSchema<string, string>>(of: T) =>
  v.optional(
    v.pipe(
      v.nullable(v.string('expected text')),
      v.transform((value) => value ?? ''),
      of,
    ),
  );
/** In a body, null means that the value is left out. `unlessBlank` treats blank text alike. */
const unlessNull = <T extends v.GenericSchema>(of: T) =>
  v.optional(
    v.union([
      v.pipe(
        v.null(),
        v.transform(() => undefined),
      ),
      of,
    ]),
  );
const unlessBlank = <T extends v.GenericSchema>(of: T) =>
  unlessNull(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => undefined),
      ),
      of,
    ]),
  );
/** In a query, a blank value means that the value is left out. */
const given = <T extends v.GenericSchema>(of: T) =>
  v.optional(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => undefined),
      ),
      of,
    ]),
  );
const limit = (most: number) =>
  given(v.pipe(id, v.minValue(1, `from 1 to ${most}`), v.maxValue(most, `from 1 to ${most}`)));
export const status = v.picklist(statuses, `expected one of ${statuses.join(', ')}`);
const httpsUrl = v.pipe(
  text(2000),
  v.check(
    (url) => url === '' || (URL.canParse(url) && new URL(url).protocol === 'https:'),
    'expected an https address',
  ),
);
const oneReason = v.picklist(reasons, `expected one of ${reasons.join(', ')}`);
/** The reason of a change: in the query of a delete, in the body of any other call. */
const reasonInQuery = { reason: given(oneReason), note: given(text(NOTE_MAX)) };
const reasonInBody = { reason: unlessBlank(oneReason), note: unlessBlank(text(NOTE_MAX)) };
/** The filters of a transaction list, and its pages. */
const listFilter = {
  tenant_id: given(id),
  status: given(status),
  from_date: given(date),
  to_date: given(date),
  platform: given(text(100)),
  method: given(text(100)),
  min_amount: given(money),
  max_amount: given(money),
  text: given(text(SEARCH_MAX)),
};
const listQuery = {
  ...listFilter,
  order: given(v.picklist(listOrders, `expected one of ${listOrders.join(', ')}`)),
  page: limit(100_000),
  limit: limit(1000),
};
const transactionType = given(v.picklist(['TOP_UP', 'DEPOSIT'], 'expected TOP_UP or DEPOSIT'));
const sortOrder = v.picklist(['asc', 'desc'], 'expected asc or desc');
const maybeTenant = v.object({ tenant_id: given(id) });

// ---- answers

const number = v.number();
const instant = v.pipe(
  v.union([v.date(), v.string()]),
  v.transform((value) => new Date(value).toISOString()),
);
const maybe = <T extends v.GenericSchema>(of: T) => v.nullable(of);
const string = v.string();

const Ok = v.object({ ok: v.literal(true) });
const Tenant = v.object({
  id: number,
  name: string,
  description: maybe(string),
  is_active: v.boolean(),
  email: maybe(string),
  require_two_factor: v.optional(v.boolean()),
});
const TenantForm = v.object({
  name: filled(200),
  description: nullAsBlank(text(2000)),
  email: nullAsBlank(v.union([v.pipe(text(254), v.literal('')), email], 'expected an e-mail address')),
  require_two_factor: unlessNull(v.boolean('expected true or false')),
});
const LoginAnswer = v.object({
  access_token: string,
  user: v.object({ role: v.object({ name: string, is_super_admin: v.boolean() }), tenant_id: maybe(number) }),
  features: v.array(v.picklist(features)),
});
// An identifier without an at-sign is legal (docs/product.md, "Sign-in and sessions"). There is no length rule, because
// it would reveal the password policy of an account.
const Login = v.object({ email: filled(254), password: secret(1), code: nullAsBlank(text(40)) });
const BothFactors = v.object({ password: secret(1), code: filled(40) });
const RecoveryCodes = v.object({ recovery_codes: v.array(v.string()) });
const PlatformCredentials = v.object({
  username: text(200),
  password: v.pipe(plainText, v.maxLength(1000, 'at most 1000 characters')),
});
const Assignment = v.object({
  platform_id: number,
  tenant_id: number,
  is_active: v.boolean(),
  credentials: v.object({ username: string, password: string }),
});
const Platform = v.object({
  id: number,
  name: string,
  display_name: maybe(string),
  description: maybe(string),
  is_active: v.boolean(),
});
const Admin = v.object({
  id: number,
  email: string,
  is_active: v.boolean(),
  tenant_id: number,
  has_two_factor: v.optional(v.boolean()),
});
const Transaction = v.object({
  id: number,
  user_email: string,
  transaction_type: string,
  status,
  amount: number,
  net_amount: maybe(number),
  payment_method: maybe(string),
  payment_metadata: maybe(v.looseObject({ type: v.optional(string) })),
  initiated_at: instant,
  completed_at: maybe(instant),
  description: maybe(string),
  payment_reference: maybe(string),
});
const Player = v.object({
  id: number,
  email: string,
  first_name: maybe(string),
  last_name: maybe(string),
  phone_number: maybe(string),
  referral_id: maybe(string),
  affiliate_id: maybe(string),
  individual_ggr: number,
  credit_balance: number,
  bonus_balance: number,
  vip_balance: number,
  loyalty_balance: number,
  tenant_id: number,
  is_active: v.boolean(),
});
const PlayerQuery = v.object({
  tenant_id: given(id),
  search: v.optional(text(SEARCH_MAX)),
  sort_by: given(v.picklist(playerSorts, `expected one of ${playerSorts.join(', ')}`)),
  sort_order: given(sortOrder),
  page: limit(1_000_000),
  page_size: given(v.pipe(id, v.picklist(pageSizes, `expected one of ${pageSizes.join(', ')}, default ${PAGE_SIZE}`))),
});
const profile = {
  first_name: blankToNull(100),
  last_name: blankToNull(100),
  phone_number: blankToNull(40),
  referral_id: blankToNull(100),
  affiliate_id: blankToNull(100),
  is_active: unlessNull(v.boolean('expected true or false')),
};
const PlayerCredential = v.object({
  id: number,
  platform_name: string,
  platform_username: string,
  platform_password: string,
  is_active: v.boolean(),
});
const MyPlatform = v.object({
  id: number,
  is_activated: v.boolean(),
  is_configured: v.boolean(),
  platform_type: string,
});
const Redeem = v.object({
  id: number,
  user_email: string,
  platform: string,
  amount: number,
  payout_method: maybe(string),
  payout_address: maybe(string),
  status,
  initiated_at: instant,
  completed_at: maybe(instant),
  risks: v.optional(v.array(v.picklist(risks))),
  payout_hold: v.optional(maybe(string)),
});
/** A file is streamed; this schema only describes it. */
const Csv = v.instance(Blob);
const amounts = { purchases: number, redeems: number, ggr: number };
const DayAmounts = v.object({ ...amounts, day: string });
const NamedAmounts = v.object({ ...amounts, name: string });
const affiliateFigures = { players: number, ...amounts };
const FoundPlayer = v.object({
  id: number,
  tenant_id: number,
  tenant_name: string,
  email: string,
  first_name: maybe(string),
  last_name: maybe(string),
  matched: v.picklist(foundBy),
  value: string,
});
const PayoutHold = v.object({ reason: maybe(string), note: maybe(string), by: string, created_at: instant });
const PlayerNote = v.object({ id: number, text: string, by: string, created_at: instant });
const chars = (max: number) => v.pipe(plainText, v.maxLength(max, `at most ${max} characters`));
const ImportBatch = v.object({
  tenant_id: id,
  kind: v.picklist(importKinds, `expected one of ${importKinds.join(', ')}`),
  header: chars(10_000),
  rows: chars(IMPORT_CHARS),
  first_line: v.pipe(id, v.minValue(2, 'must be at least 2')),
  file_name: given(text(255)),
  file_sha256: given(v.pipe(v.string('expected text'), v.regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hexadecimal'))),
});
const ImportAnswer = v.object({
  created: number,
  existing: number,
  rejects: v.array(v.object({ line: number, column: maybe(string), reason: string })),
  ignored_columns: v.array(string),
  keys: v.array(string),
});
const operation = unlessBlank(v.picklist(balanceOperations, 'expected add or remove'));
const PaymentMethod = v.object({
  id: number,
  tenant_id: number,
  tenant_name: string,
  payment_platform: v.picklist(paymentPlatformNames),
  is_active: v.boolean(),
  webhook_url: maybe(string),
  credentials: v.record(string, string),
  created_at: instant,
});
const PaymentCredentials = v.record(
  v.pipe(plainText, v.maxLength(100)),
  v.pipe(
    v.nullable(v.string('expected text')),
    v.transform((value) => value ?? ''),
    text(2000),
  ),
  'expected an object',
);

// ---- integrations

const scope = v.picklist(scopes, `expected ${scopes.join(' or ')}`);
const apiKey = {
  id: number,
  tenant_id: number,
  name: string,
  prefix: string,
  scopes: v.array(scope),
  created_by: string,
  created_at: instant,
  expires_at: maybe(instant),
  revoked_at: maybe(instant),
  last_used_at: maybe(instant),
};
export const externalId = filled(200);
const namedPlayer = { user_id: unlessNull(id), email: unlessNull(email), external_id: unlessNull(externalId) };
const isOne = (...values: unknown[]) => values.filter((value) => value !== undefined).length === 1;
const namesOne = ({ user_id, email, external_id }: PlayerNamed) => isOne(user_id, email, external_id);
const ONE = 'exactly one of user_id, email and external_id is required';
const pushed = {
  ...namedPlayer,
  amount: positive,
  payment_reference: filled(REFERENCE_MAX),
  description: unlessNull(text(2000)),
};
const PushedMoney = v.object({
  id: number,
  type: v.picklist(['TOP_UP', 'DEPOSIT', 'REDEEM']),
  user_id: number,
  status,
  amount: number,
  payment_reference: maybe(string),
  initiated_at: instant,
  completed_at: maybe(instant),
});
const timestamp = v.pipe(
  v.string('expected a timestamp'),
  v.maxLength(40, 'expected a timestamp as ISO 8601'),
  v.check((at) => /^\d{4}-\d\d-\d\dT/.test(at) && !Number.isNaN(Date.parse(at)), 'expected a timestamp as ISO 8601'),
);
const outcomes = ['applied', 'unchanged', 'ignored', 'attention'] as const;
/** The bodies of webhooks, parsed after the signature has been checked. */
export const webhookSchemas = {
  hmac: v.pipe(
    v.object({
      id: filled(REFERENCE_MAX),
      type: v.picklist(
        ['payment.pending', 'payment.succeeded', 'payment.failed'],
        'expected payment.pending, payment.succeeded or payment.failed',
      ),
      reference: filled(REFERENCE_MAX),
      amount: positive,
      currency: unlessNull(v.pipe(plainText, v.regex(/^[A-Za-z]{3}$/, 'expected a currency such as USD'))),
      user_id: unlessNull(id),
      email: unlessNull(email),
      occurred_at: timestamp,
    }),
    v.check(({ user_id, email }) => isOne(user_id, email), 'exactly one of user_id and email is required'),
  ),
  btcpay: v.object({
    deliveryId: filled(REFERENCE_MAX),
    originalDeliveryId: v.optional(v.nullable(text(REFERENCE_MAX))),
    type: filled(100),
    storeId: v.optional(v.nullable(text(REFERENCE_MAX))),
    invoiceId: v.optional(v.nullable(text(REFERENCE_MAX))),
  }),
};

export interface CallSchemas {
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  answer: v.GenericSchema;
}
type Checked = {
  [N in CallName]: {
    query?: v.GenericSchema<unknown, Query<N>>;
    body?: v.GenericSchema<unknown, Body<N>>;
    answer: v.GenericSchema<unknown, Answer<N>>;
  };
};

export const schemas = {
  login: { body: Login, answer: LoginAnswer },
  loginToTenant: { body: Login, answer: LoginAnswer },
  logout: { answer: Ok },

  listTenants: { answer: v.array(Tenant) },
  createTenant: { body: TenantForm, answer: Tenant },
  updateTenant: { body: TenantForm, answer: Tenant },
  listAssignments: { answer: v.array(Assignment) },
  saveAssignment: { body: PlatformCredentials, answer: Assignment },

  listPlatforms: { answer: v.array(Platform) },
  unassignPlatform: { body: v.object({ tenant_id: id }), answer: Ok },

  listRoles: { answer: v.array(v.object({ id: number, name: string })) },
  listAdmins: { query: v.object({ tenant_id: id }), answer: v.array(Admin) },
  createAdmin: { body: v.object({ email, password: secret(8), tenant_id: id, role_id: id }), answer: Admin },
  updateAdmin: {
    body: v.object({
      email,
      password: unlessNull(
        v.union([v.literal(''), secret(8)], 'at least 8 characters, or blank to keep the current one'),
      ),
      is_active: unlessNull(v.boolean('expected true or false')),
    }),
    answer: Admin,
  },
  disableAdmin: { query: v.object(reasonInQuery), answer: Ok },

  listPurchases: { query: v.object({ ...listQuery, transaction_type: transactionType }), answer: v.array(Transaction) },
  listDeposits: { query: v.object(listQuery), answer: v.array(Transaction) },
  changePurchaseStatus: { body: v.object({ status, ...reasonInBody }), answer: Transaction },

  listPlayers: {
    query: PlayerQuery,
    answer: v.object({
      users: v.array(Player),
      pagination: v.object({
        total_users: number,
        total_pages: number,
        has_next: v.boolean(),
        has_previous: v.boolean(),
      }),
    }),
  },
  updatePlayerCredential: {
    body: v.object({
      platform_username: unlessNull(filled(200)),
      platform_password: unlessNull(v.pipe(plainText, v.maxLength(1000))),
    }),
    answer: PlayerCredential,
  },
  listPlayerCredentials: { answer: v.array(PlayerCredential) },
  listPlayerTransactions: {
    query: v.object({ limit: limit(1000) }),
    answer: v.array(
      v.object({
        id: number,
        initiated_at: instant,
        transaction_type: string,
        amount: number,
        payment_method: maybe(string),
        description: maybe(string),
        payment_reference: maybe(string),
        status,
        reason: maybe(string),
        note: maybe(string),
      }),
    ),
  },
  updatePlayer: {
    body: v.object({
      email: unlessNull(email),
      password: unlessNull(v.pipe(plainText, v.maxLength(1000))),
      ...profile,
    }),
    answer: Player,
  },
  createPlayer: { body: v.object({ email, password: secret(1), tenant_id: id, ...profile }), answer: Player },
  deletePlayer: { query: v.object(reasonInQuery), answer: Ok },
  adjustBalances: {
    body: v.object({
      credit: unlessBlank(positive),
      credit_op: operation,
      bonus: unlessBlank(positive),
      bonus_op: operation,
      vip: unlessBlank(positive),
      vip_op: operation,
      loyalty: unlessBlank(positive),
      loyalty_op: operation,
      ...reasonInBody,
    }),
    answer: Player,
  },

  listAvailablePlatforms: {
    query: maybeTenant,
    answer: v.array(
      v.object({
        id: number,
        name: string,
        display_name: maybe(string),
        description: maybe(string),
        platform_type: string,
      }),
    ),
  },
  listMyPlatforms: { query: maybeTenant, answer: v.array(MyPlatform) },
  activateMyPlatform: { query: maybeTenant, answer: MyPlatform },
  deactivateMyPlatform: { query: maybeTenant, answer: MyPlatform },
  saveMyPlatformCredentials: { query: maybeTenant, body: PlatformCredentials, answer: MyPlatform },

  listPlatformNames: { answer: v.array(Platform) },
  submitRedeem: { body: v.object({ platform_name: filled(100), amount: positive }), answer: Redeem },

  listRedeems: { query: v.object(listQuery), answer: v.array(Redeem) },
  changeRedeemStatus: { body: v.object({ status, ...reasonInBody }), answer: Redeem },
  searchPlayers: {
    query: v.object({ email: text(SEARCH_MAX) }),
    answer: v.array(
      v.object({
        id: number,
        tenant_id: number,
        email: string,
        first_name: maybe(string),
        last_name: maybe(string),
        credit_balance: number,
      }),
    ),
  },
  createManualRedeem: {
    body: v.object({
      user_email: email,
      amount: positive,
      platform: v.picklist(manualRedeemPlatforms, 'unknown platform'),
      payout_method: v.picklist(payoutMethods, `expected one of ${payoutMethods.join(', ')}`),
      payout_address: filled(500),
      description: nullAsBlank(text(2000)),
      tenant_id: unlessBlank(id),
    }),
    answer: Redeem,
  },

  getAffiliateStats: {
    query: v.object({ affiliate_id: filled(100), start_date: date, end_date: date, tenant_id: given(id) }),
    answer: v.object({ total_players: number, total_ggr: number }),
  },
  getAffiliates: {
    query: v.object({
      start_date: date,
      end_date: date,
      tenant_id: given(id),
      text: given(text(100)),
      sort_by: given(v.picklist(affiliateSorts, `expected one of ${affiliateSorts.join(', ')}`)),
      sort_order: given(sortOrder),
    }),
    answer: v.object({
      affiliates: v.array(v.object({ affiliate_id: string, ...affiliateFigures })),
      total: v.object({ affiliates: number, ...affiliateFigures }),
    }),
  },

  getDashboardMetrics: {
    query: maybeTenant,
    answer: v.object({
      new_signups_today: number,
      first_purchase_today: number,
      total_purchases_today: number,
      total_redeems_today: number,
      total_ggr: number,
      yesterday_ggr: number,
      week_ggr: number,
      week_purchases: number,
      last_week_ggr: number,
      last_week_purchases: number,
      month_purchases: number,
      month_redeems: number,
      month_ggr: number,
      trend: v.array(DayAmounts),
    }),
  },
  listNewPlayersToday: {
    query: maybeTenant,
    answer: v.array(
      v.object({
        id: number,
        first_name: maybe(string),
        last_name: maybe(string),
        email: string,
        phone_number: maybe(string),
        affiliate_id: maybe(string),
        created_at: instant,
      }),
    ),
  },
  listFirstPurchasesToday: {
    query: maybeTenant,
    answer: v.array(
      v.object({
        id: number,
        user: v.object({ first_name: maybe(string), last_name: maybe(string), email: string }),
        amount: number,
        payment_method: maybe(string),
        status: string,
        initiated_at: instant,
      }),
    ),
  },

  listPaymentMethods: { answer: v.array(PaymentMethod) },
  togglePaymentMethod: { answer: PaymentMethod },
  deletePaymentMethod: { query: v.object(reasonInQuery), answer: Ok },
  createPaymentMethod: {
    query: v.object({
      payment_platform: v.picklist(paymentPlatformNames, `expected one of ${paymentPlatformNames.join(', ')}`),
      webhook_url: v.optional(httpsUrl),
    }),
    body: PaymentCredentials,
    answer: PaymentMethod,
  },
  updatePaymentMethod: {
    query: v.object({ webhook_url: v.optional(httpsUrl) }),
    body: PaymentCredentials,
    answer: PaymentMethod,
  },

  getAudit: {
    query: v.object({
      tenant_id: given(id),
      person: given(text(254)),
      kind: given(v.picklist(auditKinds, `expected one of ${auditKinds.join(', ')}`)),
      object_id: given(text(100)),
      player_id: given(id),
      day: given(date),
      cursor: given(id),
    }),
    answer: v.object({
      entries: v.array(
        v.object({
          id: number,
          at: instant,
          admin_id: maybe(number),
          email: string,
          address: string,
          call: string,
          kind: string,
          object_id: maybe(string),
          player_id: maybe(number),
          tenant_id: maybe(number),
          before: maybe(v.record(string, v.unknown())),
          after: maybe(v.record(string, v.unknown())),
          reason: maybe(string),
          note: maybe(string),
          request_id: string,
        }),
      ),
      next_cursor: maybe(number),
    }),
  },

  countPending: { query: maybeTenant, answer: v.object({ purchases: number, deposits: number, redeems: number }) },
  countListed: {
    query: v.object({ ...listFilter, list: v.picklist(moneyLists, `expected one of ${moneyLists.join(', ')}`) }),
    answer: v.object({ total: number }),
  },
  exportPurchases: { query: v.object({ ...listQuery, transaction_type: transactionType }), answer: Csv },
  exportDeposits: { query: v.object(listQuery), answer: Csv },
  exportRedeems: { query: v.object(listQuery), answer: Csv },
  exportPlayers: { query: PlayerQuery, answer: Csv },

  getCharts: {
    query: v.object({
      tenant_id: given(id),
      days: given(v.pipe(id, v.picklist(chartDays, `expected one of ${chartDays.join(', ')}`))),
    }),
    answer: v.object({
      total: v.object(amounts),
      days: v.array(DayAmounts),
      platforms: v.array(NamedAmounts),
      methods: v.array(NamedAmounts),
    }),
  },

  findAnything: {
    query: v.object({
      tenant_id: given(id),
      q: v.pipe(text(SEARCH_MAX), v.minLength(FIND_MIN, `at least ${FIND_MIN} characters`)),
    }),
    answer: v.object({
      players: v.array(FoundPlayer),
      payments: v.array(FoundPlayer),
      payouts: v.array(FoundPlayer),
      tenants: v.array(v.object({ id: number, name: string, email: maybe(string) })),
    }),
  },

  getPlayer: {
    answer: v.object({
      player: Player,
      tenant_name: string,
      created_at: instant,
      updated_at: instant,
      held_balance: number,
      hold: maybe(PayoutHold),
      tags: v.array(string),
      notes: v.array(PlayerNote),
    }),
  },
  getPlayerLedger: {
    query: v.object({
      account: given(v.picklist([...balanceKinds, 'held'], `expected one of ${balanceKinds.join(', ')}, held`)),
      cursor: given(id),
    }),
    answer: v.object({
      lines: v.array(
        v.object({
          id: number,
          created_at: instant,
          account: v.picklist([...balanceKinds, 'held']),
          amount: number,
          balance: number,
          transaction_type: string,
          money_id: maybe(number),
          by: maybe(string),
          reason: maybe(string),
          note: maybe(string),
        }),
      ),
      next_cursor: maybe(number),
    }),
  },
  listPlayerPurchases: { answer: v.array(Transaction) },
  listPlayerRedeems: { answer: v.array(Redeem) },
  addPlayerNote: { body: v.object({ text: filled(PLAYER_NOTE_MAX) }), answer: PlayerNote },
  savePlayerTags: {
    body: v.object({
      tags: v.pipe(
        v.array(filled(TAG_MAX), 'expected a list of tags'),
        v.maxLength(TAGS_MAX, `at most ${TAGS_MAX} tags`),
      ),
    }),
    answer: v.object({ tags: v.array(string) }),
  },
  holdPayouts: {
    body: v.object({ is_held: v.boolean('expected true or false'), ...reasonInBody }),
    answer: v.object({ hold: maybe(PayoutHold) }),
  },

  getAccount: {
    answer: v.object({
      email: string,
      has_two_factor: v.boolean(),
      two_factor_at: maybe(instant),
      must_have_two_factor: v.boolean(),
      recovery_codes_left: number,
    }),
  },
  changePassword: { body: v.object({ current_password: secret(1), new_password: secret(8) }), answer: Ok },
  listSessions: {
    answer: v.array(
      v.object({
        id: number,
        created_at: instant,
        last_seen_at: instant,
        address: string,
        browser: string,
        is_current: v.boolean(),
      }),
    ),
  },
  endSession: { answer: Ok },
  endOtherSessions: { answer: Ok },
  setUpTwoFactor: {
    body: v.object({ password: secret(1) }),
    answer: v.object({ secret: string, uri: string, qr: v.object({ size: number, path: string }) }),
  },
  confirmTwoFactor: {
    body: v.object({ code: filled(40) }),
    answer: v.object({ ...RecoveryCodes.entries, features: v.array(v.picklist(features)) }),
  },
  turnOffTwoFactor: { body: BothFactors, answer: Ok },
  renewRecoveryCodes: { body: BothFactors, answer: RecoveryCodes },
  resetTwoFactor: { answer: Ok },

  checkImport: { body: ImportBatch, answer: ImportAnswer },
  importRows: { body: ImportBatch, answer: ImportAnswer },

  listApiKeys: { query: maybeTenant, answer: v.array(v.object(apiKey)) },
  createApiKey: {
    body: v.object({
      name: filled(KEY_NAME_MAX),
      scopes: v.pipe(
        v.array(scope, 'expected a list of scopes'),
        v.minLength(1, 'at least one'),
        v.maxLength(scopes.length, 'each at most once'),
      ),
      expires_on: unlessBlank(date),
      tenant_id: unlessBlank(id),
    }),
    answer: v.object({ ...apiKey, key: string }),
  },
  revokeApiKey: { answer: Ok },
  getWebhook: {
    answer: v.object({
      path: string,
      header: string,
      has_secret: v.boolean(),
      deliveries: v.array(
        v.object({
          id: number,
          delivery_id: string,
          event_type: string,
          reference: maybe(string),
          outcome: v.picklist([...outcomes, 'received']),
          detail: maybe(string),
          money_id: maybe(number),
          attempts: number,
          last_at: instant,
        }),
      ),
    }),
  },
  revealWebhookSecret: {
    body: v.object({ rotate: v.boolean('expected true or false') }),
    answer: v.object({ secret: string }),
  },

  receiveWebhook: {
    body: v.union([webhookSchemas.hmac, webhookSchemas.btcpay]),
    answer: v.object({ outcome: v.picklist(outcomes), detail: maybe(string) }),
  },
  pushPlayer: {
    body: v.object({ email, external_id: unlessNull(externalId), ...profile }),
    answer: v.object({
      id: number,
      email: string,
      external_id: maybe(string),
      is_active: v.boolean(),
      is_new: v.boolean(),
    }),
  },
  pushTopUp: {
    body: v.pipe(
      v.object({ ...pushed, payment_method: filled(100), net_amount: unlessNull(money) }),
      v.check((of) => namesOne(of), ONE),
    ),
    answer: PushedMoney,
  },
  pushDeposit: {
    body: v.pipe(
      v.object({
        ...pushed,
        platform: filled(100),
        balance: unlessNull(v.picklist(balanceKinds, `expected one of ${balanceKinds.join(', ')}`)),
      }),
      v.check((of) => namesOne(of), ONE),
    ),
    answer: PushedMoney,
  },
  pushRedeem: {
    body: v.pipe(
      v.object({
        ...pushed,
        platform: filled(100),
        payout_method: unlessNull(filled(100)),
        payout_address: unlessNull(filled(500)),
      }),
      v.check((of) => namesOne(of), ONE),
    ),
    answer: PushedMoney,
  },
  pushStatus: { body: v.object({ status, ...reasonInBody }), answer: PushedMoney },
  readTransaction: { answer: PushedMoney },
} satisfies Checked;

/**
 * The schema of a path parameter. An unknown name is left to the handler (404); a malformed number is refused with 422.
 */
export const pathValue = (key: string): v.GenericSchema<unknown, string | number> =>
  key === 'platform' ? filled(100) : id;

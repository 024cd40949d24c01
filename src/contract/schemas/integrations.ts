/** API keys, what other systems send, and webhooks (docs/integrations.md, "Integrations"). */
import * as v from 'valibot';
import { balanceKinds, LIST_MAX } from '../constants';
import { KEY_NAME_MAX, REFERENCE_MAX, scopes } from '../integrations';
import {
  boolean,
  date,
  email,
  filled,
  given,
  id,
  instant,
  limit,
  maybe,
  number,
  oneOf,
  plainText,
  reasonInBody,
  reference,
  secret,
  sentMoney,
  sentPositive,
  status,
  string,
  text,
  trueOrFalse,
  unlessBlank,
  unlessNull,
  visible,
} from './fields';
import { profile, segment } from './players';

const scope = v.picklist(scopes, `expected ${scopes.join(' or ')}`);
/** An API key as it is listed: never the key itself, only its prefix. */
export const ApiKey = v.object({
  id: number,
  tenant_id: number,
  name: string,
  prefix: string,
  scopes: v.array(scope),
  /** The e-mail of the admin who made it, and whether this person may still sign in. */
  created_by: string,
  created_by_active: boolean,
  created_at: instant,
  expires_at: maybe(instant),
  revoked_at: maybe(instant),
  /** Accurate to a minute. */
  last_used_at: maybe(instant),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** The caller's own password, and a code if two-factor sign-in is on for the account. */
const identity = { password: secret(1), code: v.optional(text(40)) };

export const NewApiKey = v.object({
  name: reference(KEY_NAME_MAX),
  scopes: v.pipe(
    v.array(scope, 'expected a list of scopes'),
    v.minLength(1, 'at least one'),
    v.maxLength(scopes.length, 'each at most once'),
  ),
  /** The last day on which the key works, in the tenant's time zone; without it, a year from today. */
  expires_on: unlessBlank(date),
  /** A super admin must name the tenant. */
  tenant_id: unlessBlank(id),
  ...identity,
});

/** The only answer that contains the key. */
export const MadeApiKey = v.object({ ...ApiKey.entries, key: string });

export const externalId = reference(200);
export const playerNames = { user_id: unlessNull(id), email: unlessNull(email), external_id: unlessNull(externalId) };
/** Identifies a player by exactly one of these. */
export const PlayerNamed = v.object(playerNames);
export type PlayerNamed = v.InferOutput<typeof PlayerNamed>;
const isOne = (...values: unknown[]) => values.filter((value) => value !== undefined).length === 1;
/** Of what is sent about a player: it names the player once. */
export const namesOnePlayer = <T extends PlayerNamed>() =>
  v.check<T, string>(
    ({ user_id, email, external_id }) => isOne(user_id, email, external_id),
    'exactly one of user_id, email and external_id is required',
  );

/**
 * The player is found by `external_id`, then by e-mail, and created otherwise. Fields that are left out stay unchanged.
 */
export const PushedPlayer = v.object({ email, external_id: v.optional(externalId), ...profile });
export type PushedPlayer = v.InferOutput<typeof PushedPlayer>;

export const PushedPlayerAnswer = v.object({
  id: number,
  email: string,
  external_id: maybe(string),
  is_active: boolean,
  is_new: boolean,
});
export type PushedPlayerAnswer = v.InferOutput<typeof PushedPlayerAnswer>;

/** The login of a player at a game platform. Another user name than the active one's replaces it. */
export const PushedLogin = v.pipe(
  v.object({ ...playerNames, platform: filled(100), username: reference(200), password: unlessNull(secret(1)) }),
  namesOnePlayer(),
);

const pushed = {
  ...playerNames,
  amount: sentPositive,
  payment_reference: reference(REFERENCE_MAX),
  description: unlessNull(text(2000)),
};
/** Players of a selection by their ids, in pages; without `segment` all. */
export const SegmentQuery = v.object({ segment, after: given(id), limit: limit(LIST_MAX) });
export const SegmentPage = v.object({
  players: v.array(
    v.object({
      id: number,
      email: string,
      external_id: maybe(string),
      is_active: boolean,
      individual_ggr: number,
      last_purchase_at: maybe(instant),
    }),
  ),
  /** What the next page comes `after`; null at the end. */
  next: maybe(number),
});
export type SegmentPage = v.InferOutput<typeof SegmentPage>;

/** The reference is unique among the purchases of its payment method. */
export const PushedTopUp = v.pipe(
  v.object({
    ...pushed,
    payment_method: filled(100),
    net_amount: unlessNull(sentMoney),
    /** The money is there already: it is booked whatever the player has wished. Needs the feature `protection`. */
    has_arrived: v.optional(trueOrFalse),
  }),
  namesOnePlayer(),
);

/**
 * `balance` pays; the default is credit. The reference is unique among the deposits, or the redeems, of its game
 * platform.
 */
export const PushedDeposit = v.pipe(
  v.object({ ...pushed, platform: filled(100), balance: v.optional(oneOf(balanceKinds)) }),
  namesOnePlayer(),
);

export const PushedReturn = v.pipe(v.object({ ...pushed, platform: filled(100) }), namesOnePlayer());

export const PushedRedeem = v.pipe(
  v.object({
    ...pushed,
    platform: filled(100),
    payout_method: unlessNull(filled(100)),
    payout_address: unlessNull(reference(500)),
  }),
  namesOnePlayer(),
);

export const PushedStatus = v.object({ status, ...reasonInBody });

/** The state of a purchase, deposit or redeem. */
export const PushedMoney = v.object({
  id: number,
  type: v.picklist(['TOP_UP', 'DEPOSIT', 'RETURN', 'REDEEM']),
  user_id: number,
  status,
  amount: number,
  payment_reference: maybe(string),
  initiated_at: instant,
  completed_at: maybe(instant),
});
export type PushedMoney = v.InferOutput<typeof PushedMoney>;

const timestamp = v.pipe(
  v.string('expected a timestamp'),
  v.maxLength(40, 'expected a timestamp as ISO 8601'),
  v.check((at) => /^\d{4}-\d\d-\d\dT/.test(at) && !Number.isNaN(Date.parse(at)), 'expected a timestamp as ISO 8601'),
);
/** What a processor signs with `X-Signature`. */
export const PaymentEvent = v.pipe(
  v.object({
    id: reference(REFERENCE_MAX),
    type: v.picklist(
      ['payment.pending', 'payment.succeeded', 'payment.failed'],
      'expected payment.pending, payment.succeeded or payment.failed',
    ),
    reference: reference(REFERENCE_MAX),
    amount: sentPositive,
    /** The default is USD. */
    currency: v.optional(v.pipe(plainText, v.regex(/^[A-Za-z]{3}$/, 'expected a currency such as USD'))),
    user_id: unlessNull(id),
    email: unlessNull(email),
    occurred_at: timestamp,
  }),
  v.check(({ user_id, email }) => isOne(user_id, email), 'exactly one of user_id and email is required'),
);
export type PaymentEvent = v.InferOutput<typeof PaymentEvent>;

const referenceOrNone = v.optional(v.nullable(v.pipe(text(REFERENCE_MAX), visible)));
/** What BTCPay Server signs with `BTCPay-Sig`. Other fields of its events are ignored. */
export const BtcpayEvent = v.object({
  deliveryId: reference(REFERENCE_MAX),
  originalDeliveryId: referenceOrNone,
  type: filled(100),
  storeId: referenceOrNone,
  invoiceId: referenceOrNone,
});
export type BtcpayEvent = v.InferOutput<typeof BtcpayEvent>;

export const WebhookEvent = v.union([PaymentEvent, BtcpayEvent]);

/**
 * `applied`: a purchase was created or settled. `unchanged`: nothing was left to do. `ignored`: the event does not
 * concern purchases. `attention`: a person has to look at it.
 */
const outcomes = ['applied', 'unchanged', 'ignored', 'attention'] as const;
export type WebhookOutcome = (typeof outcomes)[number];
export const WebhookAnswer = v.object({ outcome: v.picklist(outcomes), detail: maybe(string) });
export type WebhookAnswer = v.InferOutput<typeof WebhookAnswer>;

export const WebhookDelivery = v.object({
  id: number,
  delivery_id: string,
  event_type: string,
  reference: maybe(string),
  outcome: v.picklist([...outcomes, 'received']),
  detail: maybe(string),
  money_id: maybe(number),
  attempts: number,
  last_at: instant,
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

/** Where the processor sends its events; `path` is relative to the API. */
export const Webhook = v.object({
  path: string,
  header: string,
  has_secret: boolean,
  deliveries: v.array(WebhookDelivery),
});

export const WebhookSecretForm = v.object({ rotate: trueOrFalse, ...identity });

/** What signs. Of a channel that is renewed, the one before it does so too for a day. */
export const WebhookSecret = v.object({ secret: string });

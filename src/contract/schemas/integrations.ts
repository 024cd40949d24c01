/** API keys, what other systems send, and webhooks (docs/integrations.md, "Integrations"). */
import * as v from 'valibot';
import { balanceKinds, LIST_MAX } from '../constants';
import { KEY_NAME_MAX, REFERENCE_MAX, scopes } from '../integrations';
import { BothFactors } from './account';
import * as f from './fields';
import { profile, segment } from './players';

const scope = v.picklist(scopes, `expected ${scopes.join(' or ')}`);
/** An API key as it is listed: never the key itself, only its prefix. */
export const ApiKey = v.object({
  id: f.number,
  tenant_id: f.number,
  name: f.string,
  prefix: f.string,
  scopes: v.array(scope),
  /** The e-mail of the admin who made it, and whether this person may still sign in. */
  created_by: f.string,
  created_by_active: f.boolean,
  created_at: f.instant,
  expires_at: f.maybe(f.instant),
  revoked_at: f.maybe(f.instant),
  /** Accurate to a minute. */
  last_used_at: f.maybe(f.instant),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

export const NewApiKey = v.object({
  name: f.reference(KEY_NAME_MAX),
  scopes: v.pipe(
    v.array(scope, 'expected a list of scopes'),
    v.minLength(1, 'at least one'),
    v.maxLength(scopes.length, 'each at most once'),
  ),
  /** The last day on which the key works, in the tenant's time zone; without it, a year from today. */
  expires_on: f.unlessBlank(f.date),
  tenant_id: f.unlessBlank(f.id),
  ...BothFactors.entries,
});

/** The only answer that contains the key. */
export const MadeApiKey = v.object({ ...ApiKey.entries, key: f.string });

export const externalId = f.reference(200);
export const playerNames = {
  user_id: f.unlessNull(f.id),
  email: f.unlessNull(f.email),
  external_id: f.unlessNull(externalId),
};
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

/** Found by `external_id`, then by e-mail, else created. Fields that are left out stay unchanged. */
export const PushedPlayer = v.object({ email: f.email, external_id: v.optional(externalId), ...profile });
export type PushedPlayer = v.InferOutput<typeof PushedPlayer>;

export const PushedPlayerAnswer = v.object({
  id: f.number,
  email: f.string,
  external_id: f.maybe(f.string),
  is_active: f.boolean,
  is_new: f.boolean,
});
export type PushedPlayerAnswer = v.InferOutput<typeof PushedPlayerAnswer>;

/** The login of a player at a game platform. Another user name than the active one's replaces it. */
export const PushedLogin = v.pipe(
  v.object({
    ...playerNames,
    platform: f.filled(100),
    username: f.reference(200),
    password: f.unlessNull(f.secret(1)),
  }),
  namesOnePlayer(),
);

const pushed = {
  ...playerNames,
  amount: f.sentPositive,
  payment_reference: f.reference(REFERENCE_MAX),
  description: f.unlessNull(f.text(2000)),
};
/** Players of a selection by their ids, in pages; without `segment` all. */
export const SegmentQuery = v.object({ segment, after: f.given(f.id), limit: f.limit(LIST_MAX) });
export const SegmentPage = v.object({
  players: v.array(
    v.object({
      id: f.number,
      email: f.string,
      external_id: f.maybe(f.string),
      is_active: f.boolean,
      individual_ggr: f.number,
      last_purchase_at: f.maybe(f.instant),
    }),
  ),
  /** What the next page comes `after`; null at the end. */
  next: f.maybe(f.number),
});
export type SegmentPage = v.InferOutput<typeof SegmentPage>;

/** The reference is unique among the purchases of its payment method. */
export const PushedTopUp = v.pipe(
  v.object({
    ...pushed,
    payment_method: f.filled(100),
    net_amount: f.unlessNull(f.sentMoney),
    /** The money is there already: it is booked whatever the player has wished. Needs the feature `protection`. */
    has_arrived: v.optional(f.trueOrFalse),
  }),
  namesOnePlayer(),
);

/** `balance` pays, by default credit. The reference is unique among the deposits, or redeems, of its game platform. */
export const PushedDeposit = v.pipe(
  v.object({ ...pushed, platform: f.filled(100), balance: v.optional(f.oneOf(balanceKinds)) }),
  namesOnePlayer(),
);

export const PushedReturn = v.pipe(v.object({ ...pushed, platform: f.filled(100) }), namesOnePlayer());

export const PushedRedeem = v.pipe(
  v.object({
    ...pushed,
    platform: f.filled(100),
    payout_method: f.unlessNull(f.filled(100)),
    payout_address: f.unlessNull(f.reference(500)),
  }),
  namesOnePlayer(),
);

export const PushedStatus = v.object({ status: f.status, ...f.reasonInBody });

/** The state of a purchase, deposit or redeem. */
export const PushedMoney = v.object({
  id: f.number,
  type: v.picklist(['TOP_UP', 'DEPOSIT', 'RETURN', 'REDEEM']),
  user_id: f.number,
  status: f.status,
  amount: f.number,
  payment_reference: f.maybe(f.string),
  initiated_at: f.instant,
  completed_at: f.maybe(f.instant),
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
    id: f.reference(REFERENCE_MAX),
    type: v.picklist(
      ['payment.pending', 'payment.succeeded', 'payment.failed'],
      'expected payment.pending, payment.succeeded or payment.failed',
    ),
    reference: f.reference(REFERENCE_MAX),
    amount: f.sentPositive,
    /** The default is USD. */
    currency: v.optional(v.pipe(f.plainText, v.regex(/^[A-Za-z]{3}$/, 'expected a currency such as USD'))),
    user_id: f.unlessNull(f.id),
    email: f.unlessNull(f.email),
    occurred_at: timestamp,
  }),
  v.check(({ user_id, email }) => isOne(user_id, email), 'exactly one of user_id and email is required'),
);
export type PaymentEvent = v.InferOutput<typeof PaymentEvent>;

const referenceOrNone = v.optional(v.nullable(v.pipe(f.text(REFERENCE_MAX), f.visible)));
/** What BTCPay Server signs with `BTCPay-Sig`. Other fields of its events are ignored. */
export const BtcpayEvent = v.object({
  deliveryId: f.reference(REFERENCE_MAX),
  originalDeliveryId: referenceOrNone,
  type: f.filled(100),
  storeId: referenceOrNone,
  invoiceId: referenceOrNone,
});
export type BtcpayEvent = v.InferOutput<typeof BtcpayEvent>;

export const WebhookEvent = v.union([PaymentEvent, BtcpayEvent]);

/** `applied`: created or settled; `unchanged`; `ignored`: no purchase; `attention`: a person has to look at it. */
const outcomes = ['applied', 'unchanged', 'ignored', 'attention'] as const;
export type WebhookOutcome = (typeof outcomes)[number];
export const WebhookAnswer = v.object({ outcome: v.picklist(outcomes), detail: f.maybe(f.string) });
export type WebhookAnswer = v.InferOutput<typeof WebhookAnswer>;

export const WebhookDelivery = v.object({
  id: f.number,
  delivery_id: f.string,
  event_type: f.string,
  reference: f.maybe(f.string),
  outcome: v.picklist([...outcomes, 'received']),
  detail: f.maybe(f.string),
  money_id: f.maybe(f.number),
  attempts: f.number,
  last_at: f.instant,
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

/** Where the processor sends its events; `path` is relative to the API. */
export const Webhook = v.object({
  path: f.string,
  header: f.string,
  has_secret: f.boolean,
  deliveries: v.array(WebhookDelivery),
});

export const WebhookSecretForm = v.object({ rotate: f.trueOrFalse, ...BothFactors.entries });

/** What signs. Of a channel that is renewed, the one before it does so too for a day. */
export const WebhookSecret = v.object({ secret: f.string });

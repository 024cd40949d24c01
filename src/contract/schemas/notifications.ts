import * as v from 'valibot';
import { channelKinds, deliveryStates, listedKinds, overdueLists, ruleFacts, ruleKinds } from '../notifications';
import {
  boolean,
  filled,
  given,
  id,
  instant,
  listOf,
  maybe,
  number,
  oneOf,
  string,
  trueOrFalse,
  visible,
} from './fields';

const kind = oneOf(ruleKinds);
const tenant_id = v.optional(id);

/** Something that a rule found. */
export const Notification = v.object({
  id: number,
  kind: v.picklist(ruleKinds),
  /** The tenant whose rule fired; the platform's own for a rule of the platform. */
  tenant_id: number,
  /** The tenant that it is about; null for the whole installation. */
  about_tenant_id: maybe(number),
  about_tenant_name: maybe(string),
  title: string,
  detail: string,
  /** What it is about, where that is one thing: a redeem, a player, an admin; 'redeem 12' of what two have ended. */
  object_id: maybe(string),
  /** The player whom it is about; no channel is told. */
  user_email: v.optional(maybe(string)),
  /** Of a redeem or purchase that is pending. */
  initiated_at: v.optional(maybe(instant)),
  at: instant,
  is_read: boolean,
});
export type Notification = v.InferOutput<typeof Notification>;

export const UnreadCount = v.object({ unread: number });

/** Without ids: all that the caller sees, up to the id of the newest that was listed. */
export const ReadForm = v.object({
  tenant_id,
  ids: v.optional(listOf(id, 'ids', 100)),
  up_to: v.optional(id),
});

export const NotificationRule = v.object({
  kind: v.picklist(ruleKinds),
  is_active: boolean,
  /** Null: a redeem or purchase waits too long after the `overdue_minutes`. */
  threshold: maybe(number),
  /** Of rules in `overdueLists`. */
  overdue_minutes: v.optional(number),
  /** The ids of its channels; null means every channel. */
  channel_ids: maybe(v.array(number)),
  muted_until: maybe(instant),
});
export type NotificationRule = v.InferOutput<typeof NotificationRule>;

/** A number with at most two decimals, in the range of the rule. */
const threshold = v.pipe(
  v.number('expected a number'),
  v.check((value) => Math.abs(Math.round(value * 100) - value * 100) < 1e-6, 'expected at most 2 decimals'),
);
export const NotificationRuleForm = v.pipe(
  v.object({
    tenant_id,
    kind,
    is_active: trueOrFalse,
    threshold: v.nullable(threshold),
    channel_ids: v.optional(v.nullable(listOf(id, 'ids', 100))),
  }),
  v.check(({ kind, threshold }) => {
    if (threshold === null) return kind in overdueLists;
    const { range, unit } = ruleFacts[kind];
    const isWhole = unit === 'usd' || Number.isInteger(threshold);
    return threshold >= range[0] && threshold <= range[1] && isWhole;
  }, 'the number is not in the range of this rule'),
);

export const MuteForm = v.object({ tenant_id, kind, is_muted: trueOrFalse });

export const NotificationSettings = v.object({
  has_email: boolean,
});

export const NotificationChannel = v.object({
  id: number,
  kind: v.picklist(channelKinds),
  /** An e-mail address, or the host of a webhook: the rest of its address is a secret. */
  target: string,
  created_at: instant,
  /** False while an e-mail address has not answered the code that it was sent. */
  is_confirmed: v.optional(boolean),
  /** False after a receiver has answered 410: nothing is sent there. */
  is_active: v.optional(boolean),
  /** Whether its events have payout addresses. */
  with_addresses: v.optional(boolean),
});
export type NotificationChannel = v.InferOutput<typeof NotificationChannel>;

export const NotificationChannelForm = v.object({
  tenant_id,
  kind: oneOf(channelKinds),
  /** An e-mail address, or the address of a webhook. */
  target: v.pipe(filled(1000), visible),
  /** Of `events`: also where redeems are paid to. */
  with_addresses: v.optional(trueOrFalse),
});
export type NotificationChannelForm = v.InferOutput<typeof NotificationChannelForm>;

export const ChannelSwitch = v.object({ is_active: trueOrFalse });

export const ChannelCode = v.object({ code: v.pipe(filled(20), v.regex(/^\d{8}$/, 'expected 8 digits')) });

/** `secret` signs what a webhook is sent, and is in this answer alone; null for other channels. */
export const MadeNotificationChannel = v.object({ ...NotificationChannel.entries, secret: maybe(string) });

/** A notification on its way to a channel. */
export const NotificationDelivery = v.object({
  id: number,
  notification_id: maybe(number),
  title: string,
  channel_kind: v.picklist(channelKinds),
  target: string,
  status: v.picklist(deliveryStates),
  attempts: number,
  /** What the last try brought. */
  answer: maybe(string),
  created_at: instant,
  last_at: maybe(instant),
  next_at: maybe(instant),
});
export type NotificationDelivery = v.InferOutput<typeof NotificationDelivery>;

export const NotificationRowsQuery = v.object({ tenant_id: given(id), kind: oneOf(listedKinds) });

/** A payment, change or balance that a rule is about. What it has none of is null. */
export const NotificationRow = v.object({
  /** Tells the rows of a rule apart. */
  key: string,
  tenant_id: number,
  player_id: maybe(number),
  user_email: maybe(string),
  /** The purchase or redeem. */
  payment_id: maybe(number),
  amount: maybe(number),
  at: maybe(instant),
  detail: string,
});
export type NotificationRow = v.InferOutput<typeof NotificationRow>;

/** What tenants' own systems are told of (docs/integrations.md, "Events"). */
export const eventKinds = [
  'player.created',
  'player.updated',
  'player.deleted',
  'login.added',
  'purchase.created',
  'purchase.settled',
  'deposit.created',
  'deposit.settled',
  'return.created',
  'return.settled',
  'redeem.created',
  'redeem.settled',
  'hold.set',
  'hold.lifted',
  'month.closed',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** How long events can be read again. */
export const EVENT_DAYS = 30;
/** The most events of one answer. */
export const EVENTS_MAX = 500;
/** How long a replaced signing secret is still used beside the new one. */
export const OLD_SECRET_HOURS = 24;

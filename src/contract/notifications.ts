/** The rules of notifications: what fires, what a rule's number means, and its value before anybody changes it. */

/** Rules that watch payments and balances which look wrong; what they are about can be listed, even if one is off. */
export const listedKinds = [
  'no_reference',
  'no_reason',
  'frozen_balance',
  'reference_twice',
  'foreign_address',
  'protected_player',
] as const;
export type ListedKind = (typeof listedKinds)[number];
export const isListed = (kind: string): kind is ListedKind => (listedKinds as readonly string[]).includes(kind);

/** What the number of a rule is: USD, hours, a count, an hour of the day, or no number at all. */
export type RuleUnit = 'usd' | 'hours' | 'count' | 'hour' | 'none';

interface RuleFacts {
  name: string;
  unit: RuleUnit;
  /** The number until somebody changes it. Amounts have at most two decimals. */
  threshold: number;
  range: readonly [number, number];
  /** Whether it is on for a tenant, and for the platform, until somebody changes it. */
  isOn: { tenant: boolean; platform: boolean };
  /** Concerns the whole installation, so tenants do not have it. */
  isPlatformOnly?: true;
}

const money = { unit: 'usd', range: [0, 99_999_999_999] } as const;
const noNumber = { unit: 'none', threshold: 0, range: [0, 0] } as const;
const inTenants = { tenant: true, platform: false };
const everywhere = { tenant: true, platform: true };
const nowhere = { tenant: false, platform: false };
const onPlatform = { tenant: false, platform: true };

/** In the order of the list. A tenant's staff look after its money: the platform's rules about it are off at first. */
const rules = {
  old_redeem: { name: 'Redeem that waits', unit: 'hours', threshold: 24, range: [1, 720], isOn: inTenants },
  old_purchase: { name: 'Purchase that waits', unit: 'hours', threshold: 24, range: [1, 720], isOn: inTenants },
  approval_waits: { name: 'Waits for a second person', ...noNumber, isOn: inTenants },
  pending_money: { name: 'Pending money', ...money, threshold: 50_000, isOn: inTenants },
  large_redeem: { name: 'Large redeem', ...money, threshold: 750, isOn: inTenants },
  unusual_return: { name: 'Unusual return from a game', ...noNumber, isOn: inTenants },
  provider_failing: {
    name: 'Failing payment processor',
    unit: 'count',
    threshold: 3,
    range: [1, 1000],
    isOn: everywhere,
  },
  no_reference: { name: 'Success purchase without a payment reference', ...noNumber, isOn: nowhere },
  reference_twice: { name: 'Payment reference used twice', ...noNumber, isOn: nowhere },
  foreign_address: { name: 'Redeem paid to an address of another player', ...noNumber, isOn: nowhere },
  protected_player: { name: 'Payment of a player who is protected', ...noNumber, isOn: inTenants },
  ledger_off: { name: 'Ledger off', ...noNumber, isOn: everywhere },
  shift_difference: { name: 'Difference above', ...money, threshold: 20, isOn: inTenants },
  low_stock: { name: 'Low stock', unit: 'count', threshold: 1000, range: [1, 10_000_000], isOn: nowhere },
  no_reason: { name: 'Balance changed by hand without a reason', ...noNumber, isOn: nowhere },
  frozen_balance: { name: 'Negative or frozen balance', ...noNumber, isOn: nowhere },
  digest: { name: 'Summary of yesterday', unit: 'hour', threshold: 8, range: [0, 23], isOn: nowhere },
  new_place: { name: 'Sign-in from a new place', ...noNumber, isOn: everywhere },
  new_second: { name: 'Approved by a new account', ...noNumber, isOn: everywhere },
  large_export: { name: 'Large export', unit: 'count', threshold: 10_000, range: [1, 10_000_000], isOn: everywhere },
  old_backup: {
    name: 'Old backup',
    unit: 'hours',
    threshold: 26,
    range: [1, 8760],
    isOn: onPlatform,
    isPlatformOnly: true,
  },
} as const satisfies Record<string, RuleFacts>;
export type RuleKind = keyof typeof rules;
export const ruleFacts: Readonly<Record<RuleKind, RuleFacts>> = rules;
export const ruleKinds = /* @__PURE__ */ Object.keys(rules) as readonly RuleKind[];

/** The lists whose pending rows a rule watches: without a number of its own, it fires when they are overdue. */
export const overdueLists: Partial<Record<RuleKind, 'redeems' | 'purchases'>> = {
  old_redeem: 'redeems',
  old_purchase: 'purchases',
};

/** For those who may approve something: others do not see it. */
export const approvalKind: RuleKind = 'approval_waits';

/** Where notifications go besides the app; `events` is told of every event and of no notification. */
export const channelKinds = ['email', 'webhook', 'chat', 'events'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** The most channels of a tenant, or of the platform. */
export const CHANNELS_MAX = 10;
/** The rows behind a rule look back so many days where they are payments or changes, and so many are listed. */
export const ROW_DAYS = 30;
export const NOTIFICATION_ROWS_SHOWN = 100;
/** The newest notifications and deliveries that are listed. */
export const NOTIFICATIONS_SHOWN = 50;
export const NOTIFICATION_DELIVERIES_SHOWN = 100;
/** Unread notifications are counted up to this number. */
export const UNREAD_MAX = 100;
/** Notifications are deleted after this many days. */
export const NOTIFICATION_DAYS = 90;
/** 'Mute' silences a rule for this long. */
export const MUTE_HOURS = 24;
/** The most deliveries of a rule in an hour, of a tenant or of the platform. */
export const DELIVERIES_AN_HOUR = 500;
/** A delivery is tried for this long. */
export const DELIVERY_HOURS = 24;
/** How often an open page asks what is new. */
export const NOTIFICATIONS_EVERY_MS = 60_000;

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

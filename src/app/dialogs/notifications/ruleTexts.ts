/** Rules of notifications in words. */
import type { NotificationRule } from '../../../contract/entities';
import type { ChannelKind, RuleKind } from '../../../contract/notifications';
import { usd } from '../../ui/Money';

const hours = (value: number) => `${value} ${value === 1 ? 'hour' : 'hours'}`;

/** When a rule rings, with its number. */
export const ruleTexts: Readonly<Record<RuleKind, (threshold: number) => string>> = {
  large_redeem: (value) => `A redeem is above ${usd(value)}`,
  old_redeem: (value) => `A redeem waits longer than ${hours(value)}`,
  pending_money: (value) => `Pending money is above ${usd(value)}`,
  provider_failing: (value) =>
    `${value === 1 ? 'A delivery' : `${value} deliveries`} of a payment processor fail${value === 1 ? 's' : ''} ` +
    'within an hour, or it falls silent',
  large_win: (value) => `A player cashes out over ${value} times as much as usual`,
  large_purchase: (value) => `A player buys for over ${value} times as much as usual`,
  new_place: () => 'An account signs in from a new place',
  large_export: (value) =>
    `An export has more than ${value === 1 ? 'one row' : `${value.toLocaleString('en-US')} rows`}`,
  ledger_off: () => 'The ledger is off',
  book_alarm: () => 'An alarm of the books has a new row',
  old_backup: (value) => `The last backup is older than ${hours(value)}`,
  digest: (value) => `The summary of yesterday, at ${formatHour(value)}`,
};

/** The names of the rules, for titles. */
export const ruleNames: Readonly<Record<RuleKind, string>> = {
  large_redeem: 'Large redeem',
  old_redeem: 'Redeem that waits',
  pending_money: 'Pending money',
  provider_failing: 'Failing payment processor',
  large_win: 'Unusual cash-out',
  large_purchase: 'Unusual purchase',
  new_place: 'Sign-in from a new place',
  large_export: 'Large export',
  ledger_off: 'Ledger off',
  book_alarm: 'Alarm of the books',
  old_backup: 'Old backup',
  digest: 'Summary of yesterday',
};

/** The label of a rule's number, by its unit. */
export const unitLabels = {
  usd: 'Amount in USD',
  hours: 'Hours',
  count: 'Number',
  times: 'Times as much as usual',
  hour: 'Hour of the day',
} as const;

export const channelLabels: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  chat: 'Chat',
};

export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The text of any server's rule. */
export const describeRule = ({ kind, threshold }: Pick<NotificationRule, 'kind' | 'threshold'>): string =>
  Object.hasOwn(ruleTexts, kind) ? ruleTexts[kind](threshold) : kind;

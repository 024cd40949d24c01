/** Rules of notifications in words. */
import type { NotificationRule } from '../../../contract/entities';
import { type ChannelKind, overdueLists, type RuleKind, ruleFacts } from '../../../contract/notifications';
import { usd } from '../../ui/Money';

const counted = (value: number, one: string) => `${value} ${value === 1 ? one : `${one}s`}`;
const hours = (value: number) => counted(value, 'hour');
/** '90 minutes', '24 hours'. */
export const formatMinutes = (value: number): string =>
  value % 60 ? counted(value, 'minute') : counted(value / 60, 'hour');

/** When a rule fires, with its number. */
const ruleTexts: Readonly<Record<RuleKind, (threshold: number) => string>> = {
  large_redeem: (value) => `A redeem is above ${usd(value)}`,
  old_redeem: (value) => `A redeem waits longer than ${hours(value)}`,
  old_purchase: (value) => `A purchase waits longer than ${hours(value)}`,
  approval_waits: () => 'Something waits for a second person',
  unusual_return: () => 'A return has no deposit at its platform, or is many times what went there',
  pending_money: (value) => `Pending money is above ${usd(value)}`,
  low_stock: (value) => `A stock has fewer than ${value.toLocaleString('en-US')} credits`,
  shift_difference: (value) => `A shift is closed with a difference above ${usd(value)}`,
  provider_failing: (value) =>
    `${value === 1 ? 'A delivery' : `${value} deliveries`} of a payment processor fail${value === 1 ? 's' : ''} ` +
    'within an hour, or it falls silent',
  no_reference: () => 'A success purchase has no payment reference',
  no_reason: () => 'A balance is changed by hand without a reason',
  frozen_balance: () => 'A balance is negative or frozen',
  reference_twice: () => 'A payment reference is used twice',
  foreign_address: () => 'A redeem is paid to an address of another player',
  protected_player: () => 'A payment arrives for a player who is on a break, over a limit, or may not play',
  new_place: () => 'An account signs in from a new place',
  new_second: () => 'One of two who approved has an account made or changed within 7 days',
  large_export: (value) =>
    `An export has more than ${value === 1 ? 'one row' : `${value.toLocaleString('en-US')} rows`}`,
  ledger_off: () => 'The ledger does not add up',
  old_backup: (value) => `The last backup is older than ${hours(value)}`,
  digest: (value) => `The summary of yesterday, at ${formatHour(value)}`,
};

/** The name of any server's rule. */
export const nameRule = (kind: RuleKind): string => (Object.hasOwn(ruleFacts, kind) ? ruleFacts[kind].name : kind);

/** What stands above a rule, and is of those below it, too. */
export const headings: Partial<Record<RuleKind, string>> = {
  old_redeem: 'Waiting',
  large_redeem: 'Money',
  ledger_off: 'Books',
  new_place: 'Security',
};

/** The label of a rule's number, by its unit. */
export const unitLabels = { usd: 'Amount in USD', hours: 'Hours', count: 'Number', hour: 'Hour of the day' } as const;

export const channelLabels: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  chat: 'Chat',
  events: 'Events',
};

export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The text of any server's rule. */
export function describeRule(rule: Pick<NotificationRule, 'kind' | 'threshold' | 'overdue_minutes'>): string {
  const { kind, threshold, overdue_minutes } = rule;
  if (!Object.hasOwn(ruleTexts, kind)) return kind;
  return threshold === null && overdue_minutes
    ? `A ${overdueLists[kind]?.slice(0, -1)} waits longer than ${formatMinutes(overdue_minutes)}`
    : ruleTexts[kind](threshold ?? ruleFacts[kind].threshold);
}

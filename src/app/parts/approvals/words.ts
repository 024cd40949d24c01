import { balanceKinds } from '../../../contract/constants';
import type { Approval } from '../../../contract/entities';
import { balanceLabels } from '../../ui/balanceLabels';
import { usd } from '../../ui/Money';

const names: Record<Approval['kind'], string> = {
  redeem: 'Payout',
  return: 'Return from a game',
  balances: 'Edit of balances',
  limits: 'Limits for two people',
  account: 'Correction of an account',
};
export const nameOf = ({ kind, entry }: Pick<Approval, 'kind' | 'entry'>): string =>
  entry === 'bought' ? 'Purchase of credits' : names[kind];
export const describeLimit = (amount: number | null): string =>
  amount === null ? 'one person' : `from ${usd(amount)}`;

/** In one phrase: what a second person would make happen. */
export function describeChange(approval: Approval): string {
  if (approval.kind === 'redeem' || approval.kind === 'return') return usd(approval.amount);
  if (approval.kind === 'account') {
    const { entry, account_name, credits } = approval,
      amount = approval.amount ?? 0;
    const account = account_name ?? 'An account';
    if (entry === 'bought') return `${account}: ${credits?.toLocaleString('en-US')} credits for ${usd(amount)}`;
    return `${account} ${amount < 0 ? '−' : '+'}${Math.abs(amount)}`;
  }
  if (approval.kind === 'limits')
    return `Payouts: ${describeLimit(approval.payouts_from)}. Edits: ${describeLimit(approval.edits_from)}`;
  return balanceKinds
    .flatMap((kind) => {
      const amount = approval[kind];
      return amount ? [`${balanceLabels[kind]} ${amount < 0 ? '−' : '+'}${usd(Math.abs(amount))}`] : [];
    })
    .join(', ');
}

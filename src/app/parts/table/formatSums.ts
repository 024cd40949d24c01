import { type Status, SUM_ROWS, statuses } from '../../../contract/constants';
import type { ListSums } from '../../../contract/entities';
import { toAmount } from '../../api/amount';
import { formatCount } from '../../ui/formatCount';
import { usd } from '../../ui/Money';

export interface ShownSum {
  status: Status;
  words: string;
}

/** '39 pending, $1,842.10 ($1,786.84 after fees)' for each status with rows. Of too long a list: lower bounds. */
export function formatSums(sums: ListSums): ShownSum[] {
  const more = sums.is_complete === false ? 'more than ' : '';
  return statuses.flatMap((status) => {
    const { total, amount, net_amount: net = amount } = sums[status];
    const words = `${more}${formatCount(total)} ${status}, ${more}${usd(amount)}`;
    return total > 0 ? [{ status, words: net === amount ? words : `${words} (${usd(net)} after fees)` }] : [];
  });
}

export const TOO_MANY = `Only the first ${formatCount(SUM_ROWS)} rows are summed.`;

/** The exact sum of amounts in USD. */
export const addAmounts = (amounts: readonly unknown[]): number =>
  amounts.reduce<number>((sum, amount) => sum + Math.round((toAmount(amount) ?? 0) * 100), 0) / 100;

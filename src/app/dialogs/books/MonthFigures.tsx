import type { AccountLine, MonthStatement } from '../../../contract/entities';
import { isPlayers } from '../../../contract/months';
import { PlainFigures } from '../../ui/PlainFigures';

export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100;

/** A month in the words of the screens; the ledger's accounts say the same in more detail. */
export function MonthFigures({ of: { accounts, kinds } }: { of: MonthStatement }) {
  const moved = (kind: string) => kinds.find((one) => one.kind === kind)?.amount ?? 0;
  const owed = (when: 'opening' | 'closing') => sum(accounts.filter(isPlayers).map((line: AccountLine) => line[when]));
  const [purchases, redeems] = [moved('purchases'), moved('redeems')];
  const figures = [
    ['Purchases', purchases],
    ['Redeems', redeems],
    ['GGR', sum([purchases, -redeems]), true],
    ['Owed to players', owed('closing')],
    ['Change in what is owed', sum([owed('closing'), -owed('opening')])],
  ] as const;
  return <PlainFigures of={figures} />;
}

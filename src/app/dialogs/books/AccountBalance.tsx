import type { ValueAccount } from '../../../contract/entities';
import { Money } from '../../ui/Money';

/** What an account has: dollars, or credits of a platform. */
export const AccountBalance = ({ kind, amount }: { kind: ValueAccount['kind']; amount: number }) =>
  kind === 'cash' ? <Money amount={amount} /> : <>{amount.toLocaleString('en-US')} credits</>;

type Props = { kind: ValueAccount['kind']; of: readonly (readonly [label: string, amount: number | null])[] };
/** Cells of a row, each with its label and an amount; a dash for what is not known. */
export const BalanceCells = ({ kind, of }: Props) =>
  of.map(([label, amount]) => (
    <td key={label} className={amount === null ? 'number none' : 'number'} data-label={label}>
      {amount === null ? '-' : <AccountBalance kind={kind} amount={amount} />}
    </td>
  ));

import type { ValueAccount } from '../../../contract/entities';
import { Money } from '../../ui/Money';

/** What an account has: dollars, or credits of a platform. */
export const AccountBalance = ({ kind, amount }: { kind: ValueAccount['kind']; amount: number }) =>
  kind === 'cash' ? <Money amount={amount} /> : <>{amount.toLocaleString('en-US')} credits</>;

import { isOpen } from '../../../contract/rules';
import { useRefusal } from '../../state/session';
import type { Item } from './decision';

/** Whether a row is open and this person has the permission for its decision. */
export function useMayDecide(): (row: Item) => boolean {
  const ofPurchases = useRefusal('queue'),
    ofRedeems = useRefusal('payouts');
  return (row) => isOpen(row.status) && ('transaction_type' in row ? ofPurchases : ofRedeems) === null;
}

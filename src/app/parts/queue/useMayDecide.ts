import { isOpen } from '../../../contract/rules';
import { toFieldText } from '../../api/parse';
import { useRefusal } from '../../state/session';
import type { Item } from './decision';

/** Whether a row is open and this person has the permission for its decision. */
export function useMayDecide(): (row: Item) => boolean {
  const ofPurchases = useRefusal('queue'),
    ofRedeems = useRefusal('payouts');
  return (row) => isOpen(toFieldText(row.status)) && ('transaction_type' in row ? ofPurchases : ofRedeems) === null;
}

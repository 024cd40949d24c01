import type { MoneyList } from '../../../contract/constants';
import { useFeature, useMay } from '../../state/session';
import { Dialog } from '../../ui/Dialog';

const decisions = { s: 'Success', f: 'Failed', u: 'Undo', r: 'Reason' };
const logins = { l: 'Look up the login', c: 'Copy the login', o: 'Open the panel' };

/** The keys that a person can use in the table of a queue. */
export function Keys({ list, takes, onClose }: { list: MoneyList; takes: boolean; onClose: () => void }) {
  const mayDecide = useMay(list === 'redeems' ? 'payouts' : 'queue');
  const hasLogins = useFeature('player_logins') && list !== 'purchases';
  const keys = {
    j: 'Next row',
    k: 'Previous row',
    x: 'Select, or not',
    d: 'Details',
    ...(mayDecide && decisions),
    ...(mayDecide && takes && { t: 'Take, or give back' }),
    ...(hasLogins && logins),
    '?': 'This list',
  };
  return (
    <Dialog title="Keys" withClose onClose={onClose}>
      <table>
        <tbody>
          {Object.entries(keys).map(([key, does]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

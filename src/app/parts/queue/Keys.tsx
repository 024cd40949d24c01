import { CloseButton, Dialog } from '../../ui/Dialog';

const always = [
  ['j', 'next row; into the table, from anywhere'],
  ['k', 'previous row'],
] as const;
const ofDecisions = [
  ['s', 'set to success'],
  ['f', 'set to failed'],
  ['u', 'undo the last decision'],
  ['r', 'give a reason for it'],
] as const;
const ofLogins = [
  ['l', 'look up the login'],
  ['c', 'copy the login'],
  ['o', 'open the panel'],
] as const;

/** The keys of a list. */
export const Keys = ({
  mayDecide,
  canTake,
  hasLogins,
  onClose,
}: {
  mayDecide: boolean;
  canTake: boolean;
  hasLogins: boolean;
  onClose: () => void;
}) => {
  const keys = [
    ...always,
    ...(mayDecide ? ofDecisions : []),
    ...(canTake ? [['t', 'take the row, or give it back'] as const] : []),
    ...(hasLogins ? ofLogins : []),
    ['?', 'this list'] as const,
  ];
  return (
    <Dialog title="Keys" onClose={onClose}>
      <table>
        <tbody>
          {keys.map(([key, what]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <CloseButton />
      </footer>
    </Dialog>
  );
};

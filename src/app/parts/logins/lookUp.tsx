import { type FocusEvent, useState } from 'react';
import { isOpen } from '../../../contract/rules';
import { toFieldText } from '../../api/parse';
import { useFeature } from '../../state/session';
import { lazyWithRetry } from '../../ui/lazyWithRetry';

const RowNeeds = lazyWithRetry(() => import('./RowNeeds').then((file) => file.RowNeeds));

interface Looked {
  id: number;
  status: string;
  player_id?: number | null | undefined;
}
/** Opens what staff look up for a row, null for none. It never changes, so memoized rows do not render again. */
export type OnLookUp = ((id: number | null) => void) | undefined;

/** One row of a queue shows what staff look up. Once it is open, it goes along with the keys from row to row. */
export function useLookUp(isQueue: boolean) {
  const isOffered = useFeature('player_logins') && isQueue;
  const [openId, setOpenId] = useState<number | null>(null);
  return {
    openId,
    onLookUp: (isOffered ? setOpenId : undefined) satisfies OnLookUp,
    below: ({ id, status, player_id }: Looked, span: number) =>
      id === openId &&
      isOpen(toFieldText(status)) && (
        <tr className="needs">
          <td colSpan={span}>
            <div>
              <RowNeeds id={id} playerId={player_id} />
            </div>
          </td>
        </tr>
      ),
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      // A click would move the rows from under the pointer.
      if (openId !== null && target.matches('[data-id]:focus-visible')) setOpenId(Number(target.dataset['id']));
    },
  };
}

type Props = { row: Looked; isOpen: boolean; onLookUp: OnLookUp };
/** Only of a row that waits for a decision. */
export const LookUpButton = ({ row: { id, status }, isOpen: isExpanded, onLookUp }: Props) =>
  onLookUp && isOpen(toFieldText(status)) ? (
    <button
      type="button"
      className="copy look"
      title="Look up"
      aria-expanded={isExpanded}
      aria-keyshortcuts="l"
      onClick={() => onLookUp(isExpanded ? null : id)}
    >
      Look up
    </button>
  ) : null;

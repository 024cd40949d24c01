import { EmailLink } from '../../ui/EmailLink';
import { usd } from '../../ui/Money';
import type { Selection } from './useSelection';

interface PlayerRow {
  id: number;
  user_email: string;
  user_name?: string | null;
  player_id?: number | null;
  amount: number;
}

/** The player of a row, with the name below the e-mail, and the check box that selects the row. */
export function PlayerCell<Row extends PlayerRow>({
  row,
  isSelected,
  onSelect,
}: {
  row: Row;
  isSelected: boolean;
  onSelect: Selection<Row>['toggle'] | undefined;
}) {
  return (
    <>
      {onSelect && (
        <input
          type="checkbox"
          className="pick"
          aria-keyshortcuts="x"
          aria-label={`Select ${row.user_email}, ${usd(row.amount)}`}
          checked={isSelected}
          // A click says whether Shift was held; a change does not.
          onClick={({ shiftKey }) => onSelect(row, shiftKey)}
          readOnly
        />
      )}
      <EmailLink email={row.user_email} playerId={row.player_id} />
      {row.user_name && <small className="player-name">{row.user_name}</small>}
    </>
  );
}

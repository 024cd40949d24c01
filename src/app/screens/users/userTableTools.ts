import type { Player } from '../../../contract/entities';

/** What the tools of the list change in its table. */
export interface UserTableTools {
  /** With the hidden columns. */
  toClass: (base: string) => string;
  /** While users are being selected. */
  selected?: ReadonlyMap<number, Player>;
  /** `isRange`: from the one that was clicked last. */
  onSelect?: (player: Player, isRange: boolean) => void;
}

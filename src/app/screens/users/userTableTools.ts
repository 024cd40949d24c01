import type { CSSProperties } from 'react';
import type { Player } from '../../../contract/entities';

/** What the tools of the list change in its table. */
export interface UserTableTools {
  /** Of the columns; undefined for the usual one. */
  order: readonly string[] | undefined;
  toClass: (base: string) => string;
  style: CSSProperties | undefined;
  /** While users are being selected. */
  selected?: ReadonlyMap<number, Player>;
  /** `isRange`: from the one that was clicked last. */
  onSelect?: (player: Player, isRange: boolean) => void;
}

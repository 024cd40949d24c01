/**
 * The ledger in a few numbers, written once more and without a database: whole cents, one thread.
 * While operations overlap, a figure is known only within bounds: what was acknowledged, less and plus what the
 * overlapping operations may do. With one worker nothing overlaps, the bounds meet, and every answer is predicted
 * exactly.
 */
import type { BalanceKind, Status } from '../../src/contract/constants';

/** Figures of a player. `day` is what the daily limit leaves, `pending` how many items are. */
export type Figure = BalanceKind | 'held' | 'ggr' | 'day' | 'pending';
export type Effect = Partial<Record<Figure, number>>;
export interface ModelPlayer {
  tenant_id: number;
  id: number;
  email: string;
  figures: Record<Figure, number>;
  isDeleted: boolean;
  under: Set<Operation>;
}
export interface Item {
  id: number;
  player: ModelPlayer;
  /** A redeem that is paid from the game is `GAME_REDEEM`. */
  type: 'TOP_UP' | 'DEPOSIT' | 'RETURN' | 'REDEEM' | 'GAME_REDEEM';
  kind: BalanceKind;
  cents: number;
  status: Status;
  initiatedAt: number;
  /** How it is paid in or out. */
  method?: string | null;
}
/** A cash account of a tenant, or its stock of credits at a platform. */
export interface ModelAccount {
  tenant_id: number;
  id: number;
  kind: 'cash' | 'credits';
  methods: readonly string[];
  cents: number;
}

/** One operation under way on a player. */
export class Operation {
  readonly player: ModelPlayer;
  readonly wasDeleted: boolean;
  /** How far each figure may have been below and above what it was at the start. */
  readonly #low: Effect = {};
  readonly #high: Effect = {};
  readonly #start: Record<Figure, number>;
  readonly #may: Effect;
  constructor(player: ModelPlayer, may: Effect) {
    this.player = player;
    this.wasDeleted = player.isDeleted;
    this.#start = { ...player.figures };
    this.#may = may;
    for (const other of player.under) {
      this.#overlaps(other);
      other.#overlaps(this);
    }
    player.under.add(this);
  }
  #overlaps(other: Operation): void {
    for (const [figure, by] of Object.entries(other.#may) as [Figure, number][]) {
      const side = by < 0 ? this.#low : this.#high;
      side[figure] = (side[figure] ?? 0) + by;
    }
  }
  low(figure: Figure): number {
    return this.#start[figure] + (this.#low[figure] ?? 0);
  }
  high(figure: Figure): number {
    return this.#start[figure] + (this.#high[figure] ?? 0);
  }
  /** The database has acknowledged it: now it has happened here too. */
  happened(): void {
    for (const [figure, by] of Object.entries(this.#may) as [Figure, number][]) this.player.figures[figure] += by;
  }
  end(): void {
    this.player.under.delete(this);
  }
}

export const creates = (type: Item['type'], kind: BalanceKind, cents: number): Effect =>
  type === 'TOP_UP' || type === 'RETURN'
    ? { pending: 1 }
    : type === 'DEPOSIT'
      ? { [kind]: -cents, held: cents, pending: 1 }
      : type === 'GAME_REDEEM'
        ? { pending: 1, day: -cents }
        : { credit: -cents, held: cents, pending: 1, day: -cents };

export function settles({ type, kind, cents }: Item, status: 'success' | 'failed'): Effect {
  const won = status === 'success';
  switch (type) {
    case 'TOP_UP':
      return won ? { credit: cents, ggr: cents, pending: -1 } : { pending: -1 };
    case 'DEPOSIT':
      return won ? { held: -cents, pending: -1 } : { held: -cents, [kind]: cents, pending: -1 };
    case 'RETURN':
      return won ? { credit: cents, pending: -1 } : { pending: -1 };
    case 'GAME_REDEEM':
      return won ? { ggr: -cents, pending: -1 } : { day: cents, pending: -1 };
    case 'REDEEM':
      return won
        ? { held: -cents, ggr: -cents, pending: -1 }
        : { held: -cents, credit: cents, day: cents, pending: -1 };
  }
}

export const newPlayer = (
  of: { tenant_id: number; id: number; email: string },
  dayLimitCents: number,
): ModelPlayer => ({
  ...of,
  figures: { credit: 0, bonus: 0, vip: 0, loyalty: 0, held: 0, ggr: 0, day: dayLimitCents, pending: 0 },
  isDeleted: false,
  under: new Set(),
});

/** The first top-up that has not failed. */
export const firstPurchase = (items: readonly Item[], player: ModelPlayer): number | null =>
  items
    .filter((item) => item.player === player && item.type === 'TOP_UP' && item.status !== 'failed')
    .sort((a, b) => a.initiatedAt - b.initiatedAt || a.id - b.id)[0]?.id ?? null;

/** What the page about one player shows; needs the feature `player_view`. */
import * as v from 'valibot';
import { balanceKinds, PLAYER_NOTE_MAX, TAG_MAX, TAGS_MAX } from '../constants';
import * as f from './fields';
import { Player } from './players';

/** Why a player's payouts are on hold, and who put them on hold. */
export const PayoutHold = v.object({ ...f.givenReason, by: f.string, created_at: f.instant });
export type PayoutHold = v.InferOutput<typeof PayoutHold>;

export const HoldForm = v.object({ is_held: f.trueOrFalse, ...f.reasonInBody });

/** The hold after the change. */
export const HoldAnswer = v.object({ hold: f.maybe(PayoutHold) });

export const PlayerNote = v.object({ id: f.number, text: f.string, by: f.string, created_at: f.instant });
export type PlayerNote = v.InferOutput<typeof PlayerNote>;

export const NoteForm = v.object({ text: f.filled(PLAYER_NOTE_MAX) });

export const PlayerTags = v.object({ tags: v.array(f.string) });

export const TagsForm = v.object({ tags: f.listOf(f.filled(TAG_MAX), 'tags', TAGS_MAX) });

/** Everything about a player. */
export const PlayerDetails = v.object({
  player: Player,
  tenant_name: f.string,
  created_at: f.instant,
  updated_at: f.instant,
  /** Held for pending redeems and deposits. */
  held_balance: f.number,
  hold: f.maybe(PayoutHold),
  tags: v.array(f.string),
  notes: v.array(PlayerNote),
});
export type PlayerDetails = v.InferOutput<typeof PlayerDetails>;

const account = f.oneOf([...balanceKinds, 'held']);
export const LedgerQuery = v.object({ account: f.given(account), cursor: f.given(f.id) });

/** A movement on one account of a player. */
export const LedgerLine = v.object({
  id: f.number,
  created_at: f.instant,
  account,
  amount: f.number,
  /** The balance after the movement. */
  balance: f.number,
  /** TOP_UP, DEPOSIT, WITHDRAWAL, ADJUSTMENT or OPENING, as in a history. `money_id` is set for the first three. */
  transaction_type: f.string,
  money_id: f.maybe(f.number),
  /** Null unless made by hand. */
  by: f.maybe(f.string),
  ...f.givenReason,
});
export type LedgerLine = v.InferOutput<typeof LedgerLine>;

/** Newest first. A page contains whole movements; `next_cursor` asks for older ones. */
export const LedgerPage = v.object({ lines: v.array(LedgerLine), next_cursor: f.maybe(f.number) });

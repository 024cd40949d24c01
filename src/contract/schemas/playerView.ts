/** What the page about one player shows; needs the feature `player_view`. */
import * as v from 'valibot';
import { balanceKinds, PLAYER_NOTE_MAX, TAG_MAX, TAGS_MAX } from '../constants';
import {
  filled,
  given,
  givenReason,
  id,
  instant,
  maybe,
  number,
  oneOf,
  reasonInBody,
  string,
  trueOrFalse,
} from './fields';
import { Player } from './players';

/** Why a player's payouts are on hold, and who put them on hold. */
export const PayoutHold = v.object({ ...givenReason, by: string, created_at: instant });
export type PayoutHold = v.InferOutput<typeof PayoutHold>;

export const HoldForm = v.object({ is_held: trueOrFalse, ...reasonInBody });

/** The hold after the change. */
export const HoldAnswer = v.object({ hold: maybe(PayoutHold) });

export const PlayerNote = v.object({ id: number, text: string, by: string, created_at: instant });
export type PlayerNote = v.InferOutput<typeof PlayerNote>;

export const NoteForm = v.object({ text: filled(PLAYER_NOTE_MAX) });

export const PlayerTags = v.object({ tags: v.array(string) });

export const TagsForm = v.object({
  tags: v.pipe(v.array(filled(TAG_MAX), 'expected a list of tags'), v.maxLength(TAGS_MAX, `at most ${TAGS_MAX} tags`)),
});

/** Everything about a player. */
export const PlayerDetails = v.object({
  player: Player,
  tenant_name: string,
  created_at: instant,
  updated_at: instant,
  /** Held for pending redeems and deposits. */
  held_balance: number,
  hold: maybe(PayoutHold),
  /** In alphabetical order. */
  tags: v.array(string),
  /** Newest first. */
  notes: v.array(PlayerNote),
});
export type PlayerDetails = v.InferOutput<typeof PlayerDetails>;

const account = oneOf([...balanceKinds, 'held']);
export const LedgerQuery = v.object({ account: given(account), cursor: given(id) });

/** A movement on one account of a player. */
export const LedgerLine = v.object({
  id: number,
  created_at: instant,
  account,
  amount: number,
  /** The balance after the movement. */
  balance: number,
  /** TOP_UP, DEPOSIT, WITHDRAWAL, ADJUSTMENT or OPENING, as in a history. `money_id` is set for the first three. */
  transaction_type: string,
  money_id: maybe(number),
  /** Null unless made by hand. */
  by: maybe(string),
  ...givenReason,
});
export type LedgerLine = v.InferOutput<typeof LedgerLine>;

/** Newest first. A page contains whole movements; `next_cursor` asks for older ones. */
export const LedgerPage = v.object({ lines: v.array(LedgerLine), next_cursor: maybe(number) });

/** Players who may be one person; needs the feature `protection`. */
import * as v from 'valibot';
import { likenesses } from '../doubles';
import { boolean, given, id, instant, maybe, number, oneOf, string } from './fields';

export const DoublesQuery = v.object({ tenant_id: given(id), cursor: given(id) });
export type DoublesQuery = v.InferOutput<typeof DoublesQuery>;

const One = v.object({ id: number, email: string, name: maybe(string) });
export const PossibleDouble = v.object({
  player: One,
  other: One,
  alike: v.array(oneOf(likenesses)),
  is_linked: boolean,
});
export type PossibleDouble = v.InferOutput<typeof PossibleDouble>;

/** The newest players first, each with the next older one of its kind. `next_cursor` looks at older ones. */
export const DoublesPage = v.object({
  pairs: v.array(PossibleDouble),
  /** The sign-up of the last player that was looked at. */
  looked_to: maybe(instant),
  next_cursor: maybe(number),
});

/** The other player of a pair. */
export const PairForm = v.object({ player_id: id });

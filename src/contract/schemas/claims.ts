/** Who has taken which pending row (docs/extras/counter-claims.md). */
import * as v from 'valibot';
import { boolean, id, instant, maybe, number, reasonInBody, string, trueOrFalse } from './fields';

/** Of a pending row in a list, while somebody has taken it; needs the feature `claims`. */
export const claimed = {
  /** The e-mail of the person, or the name of the API key. */
  claimed_by: v.optional(maybe(string)),
  claimed_until: v.optional(maybe(instant)),
};

/** Takes a row, or takes it for longer. */
export const ClaimForm = v.object({
  id,
  /** Also from somebody else: then with a reason or a note. */
  take_over: v.optional(trueOrFalse),
  ...reasonInBody,
});
export type ClaimForm = v.InferOutput<typeof ClaimForm>;

export const Claim = v.object({ id: number, claimed_by: string, claimed_until: instant });
export type Claim = v.InferOutput<typeof Claim>;

/** What an open list asks again and again. */
export const ListWatch = v.object({
  /** The rows that match the filter and came in after the one with this id. */
  new_rows: number,
  claims: v.array(Claim),
  /** Whether the tenant wants that the first key on a row takes it; false for all tenants. */
  key_takes: boolean,
});
export type ListWatch = v.InferOutput<typeof ListWatch>;

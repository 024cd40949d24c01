/** What protects a player; needs the feature `protection`. */
import * as v from 'valibot';
import { limitedMoney, limitSpans } from '../protection';
import { boolean, date, instant, listOf, maybe, number, oneOf, sentMoney, string } from './fields';
import { namesOnePlayer, playerNames } from './integrations';

/** The player plays nothing through the day `until`, in the tenant's time zone, or for good. */
export const Exclusion = v.object({
  until: maybe(string),
  since: instant,
  /** The e-mail of the person, or the name of the API key. */
  by: string,
});

const of = { money: oneOf(limitedMoney), span: oneOf(limitSpans) };
/** A limit in force, or about to be. */
export const PlayerLimit = v.object({
  ...of,
  /** Null while only the next one is there. */
  amount: maybe(number),
  /** What counts as soon as `next_at` comes, null for no limit; both are null if nothing waits. */
  next_amount: maybe(number),
  next_at: maybe(instant),
  /** Pending and paid so far in the current day, week or month. */
  used: number,
  since: instant,
  by: string,
});
export type PlayerLimit = v.InferOutput<typeof PlayerLimit>;

/** A player who is linked with this one: a break of one, and what all have used, counts for each. */
const Linked = v.object({ id: number, email: string, is_on_break: boolean });

/** What the player has now. An exclusion that is over is not named. */
export const Protection = v.object({
  exclusion: maybe(Exclusion),
  limits: v.array(PlayerLimit),
  linked: v.array(Linked),
});
export type Protection = v.InferOutput<typeof Protection>;

const LIMITS = limitedMoney.length * limitSpans.length;
const wish = {
  /** Left out: unchanged. Only a super admin can send null, which ends it, or an earlier day than before. */
  exclusion: v.optional(v.nullable(v.object({ until: v.nullable(date) }))),
  /** Those that are left out stay as they are; null is no limit. */
  limits: v.optional(listOf(v.object({ ...of, amount: v.nullable(sentMoney) }), 'limits', LIMITS)),
};
export const ProtectionForm = v.object(wish);
export type ProtectionForm = v.InferOutput<typeof ProtectionForm>;

export const PushedProtection = v.pipe(v.object({ ...playerNames, ...wish }), namesOnePlayer());

/** What happened at a tenant, and what waits at its game platforms (docs/integrations.md). */
import * as v from 'valibot';
import { balanceKinds } from '../constants';
import { EVENTS_MAX, eventKinds } from '../events';
import { filled, given, id, instant, limit, maybe, number, reasonInBody, string } from './fields';

export const EventsQuery = v.object({ after: given(id), limit: limit(EVENTS_MAX) });

/** What a channel 'Events' is sent. */
export const SentEvent = v.object({
  type: v.picklist(eventKinds),
  timestamp: string,
  /** The row after the change, its amounts in USD, and as `player` whom it is about. */
  data: v.record(v.string(), v.unknown()),
});

export const EventPage = v.object({
  events: v.array(
    /** Without payout addresses. */
    v.object({ id: number, ...SentEvent.entries }),
  ),
  /** What the next page comes `after`, also when there is none yet; null before the first event. */
  next: maybe(number),
});

export const WorkQuery = v.object({ platform: given(filled(100)), limit: limit(EVENTS_MAX) });

/** A deposit to load onto a player's login, or a return to take from it. */
export const WorkItem = v.object({
  id: number,
  type: v.picklist(['DEPOSIT', 'RETURN']),
  platform: string,
  amount: number,
  /** The balance that pays a deposit. */
  balance: maybe(v.picklist(balanceKinds)),
  user_id: number,
  email: string,
  external_id: maybe(string),
  /** The player's active login at the platform; null if there is none. */
  username: maybe(string),
  claimed_by: maybe(string),
  claimed_until: maybe(instant),
  initiated_at: instant,
});
export type WorkItem = v.InferOutput<typeof WorkItem>;

export const GivenBack = v.pipe(
  v.object(reasonInBody),
  v.check(({ reason, note }) => Boolean(reason || note), 'a reason or a note is required'),
);

/** How a tenant wants its work queues (docs/extras/lists.md, "Work queue"). */
import * as v from 'valibot';
import { LATE_MAX, moneyLists } from '../constants';
import { boolean, given, id, number, oneOf, trueOrFalse, whole } from './fields';

/** After so many minutes a pending row is late, and overdue. */
export const LateMinutes = v.object({ late: number, overdue: number });
export type LateMinutes = v.InferOutput<typeof LateMinutes>;

const minutes = whole(1, LATE_MAX);
const ListMinutes = v.pipe(
  v.object({ list: oneOf(moneyLists), late: minutes, overdue: minutes }),
  v.check(({ late, overdue }) => late < overdue, 'overdue must be more than late'),
);

export const QueueSettings = v.object({
  /** Of the lists that have their own; the others have 240 and 1,440 minutes. */
  late_minutes: v.array(v.object({ list: oneOf(moneyLists), ...LateMinutes.entries })),
  /** The first key on a row takes it. */
  key_takes: boolean,
});
export type QueueSettings = v.InferOutput<typeof QueueSettings>;

export const QueueSettingsForm = v.object({
  late_minutes: v.pipe(
    v.array(ListMinutes, 'expected a list'),
    v.check((all) => new Set(all.map(({ list }) => list)).size === all.length, 'each list at most once'),
  ),
  key_takes: trueOrFalse,
  tenant_id: given(id),
});

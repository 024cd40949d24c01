import { useRef } from 'react';
import type { Resource } from '../../hooks/useResource';
import { type DecisionOptions, type Decisions, useDecisions } from './useDecisions';
import type { Item } from './useOutcome';
import type { Queue } from './useQueue';
import { type SentChange, useSteadyRows } from './useSteadyRows';

/** Decisions in a work queue, whose rows keep their places meanwhile. */
export function useSteadyDecisions<Row extends Item>(
  queue: Queue<Row>,
  options: Omit<DecisionOptions, 'reload' | 'onSent'>,
): { rows: Resource<Row[]>; decisions: Decisions<Row> } {
  const sent = useRef(new Map<number, SentChange>());
  const { rows, box } = useSteadyRows(queue.rows.data, JSON.stringify(queue.query), sent.current);
  const decisions = useDecisions(rows, {
    ...options,
    reload: queue.reload,
    onSent: (id, change) => sent.current.set(id, change),
  });
  return { rows: { ...queue.rows, data: rows }, decisions: { ...decisions, box: { ...decisions.box, ...box } } };
}

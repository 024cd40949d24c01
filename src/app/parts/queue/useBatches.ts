import { useRef, useState } from 'react';
import { UNKNOWN_MS } from '../../hooks/useRepeats';
import { storedToken } from '../../state/storage';
import { useToast } from '../../state/toasts';
import { formatCount } from '../../ui/formatCount';
import { statusLabels } from '../../ui/StatusSelect';
import {
  type BulkLine,
  canRetry,
  countOutcomes,
  mergeLines,
  outcomeLabels,
  type Report,
  type Result,
  workThrough,
} from '../bulk/report';
import { describe, type Leaving, type Outcomes, type Verdict } from './useOutcome';

export interface ShownReport extends Report {
  isShown: boolean;
}
interface Batches<Of extends Verdict> {
  /**
   * Sends them one after another, so that a line that breaks leaves it clear which were reached. A page that is being
   * left has no time for that: there they are sent all at once. `before` are the lines of an earlier try.
   */
  send: (all: readonly Of[], leaving?: Leaving, before?: readonly BulkLine[]) => Promise<void>;
  /** Sends at once what still has to wait for its turn, because the page is being left. */
  hurry: () => Promise<unknown>;
  /** What became of those that were sent last. */
  report: ShownReport | null;
  showReport: (isShown: boolean) => void;
  /** Those of the report that were not reached, and those whose answer was lost, to be sent again; if they `may` be. */
  takeRest: (may: (one: Of) => boolean) => readonly Of[];
}

/** Only while something is sent: a browser keeps no page for 'Back' that always asks. */
const askBeforeClosing = (event: Event) => event.preventDefault();

/** How many of those that were not set a message names. */
const NAMED = 3;

/** 'pam@mail.test, $20.00: The answer was lost; quinn@mail.test, $5.00: Not reached and 9 more' */
function describeRest(lines: readonly BulkLine[]): string {
  const named = lines
    .slice(0, NAMED)
    .map(({ row: { email, amount = 0 }, is, why = outcomeLabels[is] }) =>
      `${describe({ user_email: email, amount })}: ${why}`.replace(/\.$/, ''),
    )
    .join('; ');
  return lines.length > NAMED ? `${named} and ${formatCount(lines.length - NAMED)} more` : named;
}

/**
 * Sends decisions that were made together, and reports what became of each. Somebody who has left the list meanwhile
 * gets a message in place of the report.
 */
export function useBatches<Of extends Verdict>(outcomes: Outcomes, isHere: { readonly current: boolean }): Batches<Of> {
  const toast = useToast();
  const [report, setReport] = useState<ShownReport | null>(null);
  const toRetry = useRef<readonly Of[]>([]);
  /** Of each batch on its way. */
  const runs = useRef(new Set<{ hurry: () => void; ended: Promise<unknown> }>());

  async function send(all: readonly Of[], leaving?: Leaving, before: readonly BulkLine[] = []): Promise<void> {
    const [first] = all;
    if (!first) return;
    const begun = new Map<Of, Promise<Result>>();
    let isLeft = leaving !== undefined;
    const begin = (one: Of, isLast = false) => {
      const result = outcomes.quietly(one, isLast);
      begun.set(one, result);
      return result;
    };
    const hurry = () => {
      for (const one of all)
        if (!begun.has(one)) void begin(one, true).then(({ is }) => void (isLeft ||= is === 'done'));
    };
    if (leaving === 'page') hurry();
    const toBulkRow = ({ row: { id, user_email, amount } }: Of) => ({ id, email: user_email, amount });
    const run = { hurry, ended: workThrough(all, toBulkRow, (one) => begin(one), { begun }) };
    runs.current.add(run);
    addEventListener('beforeunload', askBeforeClosing);
    const lines = await run.ended;
    runs.current.delete(run);
    if (runs.current.size === 0) removeEventListener('beforeunload', askBeforeClosing);

    const done = all.filter((_, n) => lines[n]?.is === 'done').map(({ row }) => row);
    outcomes.sayAll(done, first.status, isLeft);
    toRetry.current = all.filter((_, n) => lines[n] && canRetry(lines[n]));
    const merged = mergeLines(before, lines),
      rest = merged.filter(({ is }) => is !== 'done');
    const title = `Set ${formatCount(merged.length)} to ${statusLabels[first.status]}`;
    if (isHere.current && storedToken())
      setReport({ title, lines: merged, isRunning: false, isShown: before.length > 0 || rest.length > 0 });
    else if (rest.length > 0)
      toast.error(`${title}: ${countOutcomes(merged)}`, { detail: describeRest(rest), ms: UNKNOWN_MS });
  }

  return {
    send,
    hurry: () => {
      for (const run of runs.current) run.hurry();
      return Promise.all([...runs.current].map(({ ended }) => ended));
    },
    report,
    showReport: (isShown) => setReport((old) => old && { ...old, isShown }),
    takeRest: (may) => {
      const rest = toRetry.current.filter(may);
      if (rest.length > 0) setReport((old) => old && { ...old, isRunning: true });
      return rest;
    },
  };
}

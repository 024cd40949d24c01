import { useEffect, useState } from 'react';
import { type Status, UNDO_MS } from '../../../contract/constants';
import type { StatusForm } from '../../../contract/entities';
import type { SendOptions } from '../../api/client';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { usd } from '../../ui/Money';
import type { Decision, KeyboardDecisions } from './useKeyboardDecisions';

interface Item {
  id: number;
  status: string;
  user_email: string;
  amount: number;
}
export interface SubmitOptions {
  change: (input: { id: number; body: StatusForm }, options?: SendOptions) => Promise<unknown>;
  done: string;
  failed: string;
  reload: () => Promise<unknown>;
}
const labels: Record<Status, string> = { pending: 'Pending', success: 'Success', failed: 'Failed' };

/** The decisions made with keys. Each is shown until it is sent, five seconds later, or undone. */
export const Decisions = <Row extends Item>({
  keyboard,
  ...options
}: { keyboard: KeyboardDecisions<Row> } & SubmitOptions) => (
  <div className="decisions" role="status" aria-label="Decisions not sent yet">
    {keyboard.decisions.map((decision) => (
      <Line key={decision.row.id} decision={decision} {...options} onGone={() => keyboard.undo(decision)} />
    ))}
  </div>
);

function Line<Row extends Item>({
  decision,
  change,
  done,
  failed,
  reload,
  onGone,
}: { decision: Decision<Row>; onGone: () => void } & SubmitOptions) {
  const { row, status, changeReason } = decision;
  const [isSent, setSent] = useState(false);
  const send = useAction(change, { done, failed, onDone: reload });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision is sent once, as it was made
  useEffect(() => {
    const input = { id: row.id, body: { status, ...changeReason } };
    const timer = setTimeout(() => {
      decision.isOver = true;
      setSent(true);
      void send.run(input).then(onGone);
    }, UNDO_MS);
    // Leaving the screen or the page sends the decision at once.
    const leave = () => {
      clearTimeout(timer);
      if (!decision.isOver) change(input, { keepalive: true }).catch((error: unknown) => console.error(error));
      decision.isOver = true;
    };
    const hide = () => {
      leave();
      onGone(); // the browser may show this page again, where Undo would come too late
    };
    addEventListener('pagehide', hide);
    return () => {
      removeEventListener('pagehide', hide);
      leave();
    };
  }, []);

  return (
    <p className={`toast ${status === 'success' ? 'success' : 'error'}`}>
      <span>
        {orDash(row.user_email)}, {usd(row.amount)}: {labels[status]}
        {isSent ? ', sending…' : ` in ${UNDO_MS / 1000} seconds`}
      </span>
      {!isSent && (
        <button type="button" className="secondary" onClick={onGone}>
          Undo
        </button>
      )}
    </p>
  );
}

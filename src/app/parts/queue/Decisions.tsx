import { createPortal } from 'react-dom';
import { UNDO_MS } from '../../../contract/constants';
import { useFeature } from '../../state/session';
import { useToastRegion } from '../../state/toasts';
import { statusLabels } from '../../ui/StatusSelect';
import { ChangeReasonFields } from '../ChangeReasonFields';
import type { Decision, Decisions as DecisionsOf } from './useDecisions';
import { describe, describeAll, type Item } from './useOutcome';

/**
 * The decisions that are not sent yet, among the messages: each names whose it is, how much and what was decided, can
 * be undone, and takes a reason.
 */
export function Decisions<Row extends Item>({ decisions }: { decisions: DecisionsOf<Row> }) {
  const region = useToastRegion();
  const mayExplain = useFeature('reasons');
  if (!region || decisions.waits === undefined) return null;
  return createPortal(
    <div className="decisions" role="status" aria-label="Decisions not sent yet">
      {decisions.list
        .filter(({ stage }) => decisions.waits || stage !== 'sending')
        .filter(({ batch }, n, all) => batch === undefined || all.findIndex((one) => one.batch === batch) === n)
        .map((decision) => (
          <Line key={decision.row.id} decision={decision} decisions={decisions} mayExplain={mayExplain} />
        ))}
    </div>,
    region,
  );
}

function Line<Row extends Item>({
  decision,
  decisions,
  mayExplain,
}: {
  decision: Decision<Row>;
  decisions: DecisionsOf<Row>;
  mayExplain: boolean;
}) {
  const { row, status, changeReason, stage, batch } = decision;
  const together = decisions.list.filter((one) => one.batch === batch).map((one) => one.row);
  const when = { waiting: ` in ${UNDO_MS / 1000} seconds`, explaining: ', not sent yet', sending: ', sending…' };
  return (
    <form
      className={`toast ${status === 'success' ? 'success' : 'error'}`}
      onSubmit={(event) => {
        event.preventDefault();
        decisions.send(decision);
      }}
    >
      <span>
        {batch === undefined ? describe(row) : describeAll(together)}: {statusLabels[status]}
        {when[stage]}
      </span>
      {stage === 'explaining' && (
        <div className="grid">
          <ChangeReasonFields
            label="Reason"
            autoFocus
            typed={changeReason}
            onChange={(typed) => decisions.explain(decision, typed)}
          />
        </div>
      )}
      {stage !== 'sending' && (
        <div className="bar">
          <button type="button" className="secondary" onClick={() => decisions.undo(decision)}>
            Undo
          </button>
          {mayExplain && stage === 'waiting' && (
            <button type="button" className="secondary" onClick={() => decisions.explain(decision, {})}>
              Add reason
            </button>
          )}
          {stage === 'explaining' && <button>Send</button>}
        </div>
      )}
    </form>
  );
}

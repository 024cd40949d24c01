import { createPortal } from 'react-dom';
import { UNDO_MS } from '../../../contract/constants';
import { useCall } from '../../hooks/useCall';
import { useApi, useFeature } from '../../state/session';
import { useToastRegion } from '../../state/toasts';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Select';
import { statusLabels } from '../../ui/StatusSelect';
import { ChangeReasonFields } from '../ChangeReasonFields';
import { type Decision, type Decisions as DecisionsOf, describe, type Item } from './decision';

/**
 * The decisions that are not sent yet, among the messages: each names whose it is, how much and what was decided, can
 * be undone, and takes a reason.
 */
export function Decisions<Row extends Item>({ decisions }: { decisions: DecisionsOf<Row> }) {
  const region = useToastRegion();
  if (!region || !decisions.isQueue) return null;
  return createPortal(
    <div className="decisions" role="status" aria-label="Decisions not sent yet">
      {decisions.list
        .filter(({ stage }) => stage !== 'sending')
        .map((decision) => (
          <Line key={decision.row.id} decision={decision} decisions={decisions} />
        ))}
    </div>,
    region,
  );
}

function Line<Row extends Item>({ decision, decisions }: { decision: Decision<Row>; decisions: DecisionsOf<Row> }) {
  const mayExplain = useFeature('reasons');
  const { row, status, changeReason, stage } = decision;
  const isWaiting = stage === 'waiting';
  const hasAccounts = useFeature('accounts');
  const isCash = !('transaction_type' in row) || row.transaction_type === 'TOP_UP';
  return (
    <form
      className={`toast ${status === 'success' ? 'success' : 'error'}`}
      onSubmit={(event) => {
        event.preventDefault();
        decisions.send(decision);
      }}
    >
      <span>
        {describe(row)}: {statusLabels[status]}
        {isWaiting ? ` in ${UNDO_MS / 1000} seconds` : ', not sent yet'}
      </span>
      {!isWaiting && (
        <div className="grid">
          <ChangeReasonFields
            label="Reason"
            autoFocus
            typed={changeReason}
            onChange={(typed) => decisions.explain(decision, { ...changeReason, ...typed })}
          />
          {hasAccounts && isCash && status === 'success' && (
            <AccountField
              tenantId={row.tenant_id}
              value={changeReason.account_id}
              onChange={(account_id) => decisions.explain(decision, { ...changeReason, account_id })}
            />
          )}
        </div>
      )}
      <div className="bar">
        <Button onClick={() => decisions.undo(decision)}>Undo</Button>
        {mayExplain && isWaiting && <Button onClick={() => decisions.explain(decision, {})}>Add reason</Button>}
        {!isWaiting && <button>Send</button>}
      </div>
    </form>
  );
}

/** Which cash account of the tenant is paid in to or out of; nothing while it has none. */
function AccountField({
  tenantId,
  value,
  onChange,
}: {
  tenantId: number | undefined;
  value: number | undefined;
  onChange: (id: number | undefined) => void;
}) {
  const api = useApi();
  const { data } = useCall(api.getValueAccounts, tenantId === undefined ? {} : { tenant_id: tenantId }, null);
  const cash = (data?.accounts ?? []).filter(({ kind, is_active }) => kind === 'cash' && is_active);
  if (cash.length === 0) return null;
  return (
    <Select
      label="Account"
      options={[{ value: '', label: 'By the method' }, ...cash.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : undefined)}
    />
  );
}

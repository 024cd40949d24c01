import { useId } from 'react';
import type { Approval } from '../../../contract/entities';
import { neededFor } from '../../../contract/permissions';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useApi, useRefusal } from '../../state/session';
import { DateTime } from '../../ui/DateTime';
import { EmailLink } from '../../ui/EmailLink';
import { DialogButton } from '../DialogButton';
import { useSpanning } from '../tenantScope';
import { useAskedAction } from '../useAskedAction';
import { ApproveDialog } from './ApproveDialog';
import { describeChange, nameOf } from './words';

/** One thing that waits, with what the person may do about it. What they cannot do says why. */
export function ApprovalRow({ approval, onDone }: { approval: Approval; onDone: () => Promise<unknown> }) {
  const api = useApi();
  const whyId = useId();
  const tenant = useSpanning()?.get(Number(approval.tenant_id))?.name;
  const missing = useRefusal(neededFor[approval.kind]);
  const { id, kind, is_own: isOwn, user_email: email } = approval;
  const moneyId = approval.redeem_id ?? approval.return_id;
  const what = `${nameOf(approval)}${moneyId ? ` ${moneyId}` : ''}`;
  const about = [what, ...(email ? [email] : []), describeChange(approval)].join(', ');
  const end = isOwn ? 'Withdraw' : 'Refuse';

  const approve = useAction(api.approveChange, {
    done: kind === 'redeem' ? 'Approved by two. It is paid out' : 'Approved by two. It is done',
    failed: detailOr('Failed to approve'),
    onDone,
  });
  const drop = useAskedAction(api.endApproval, {
    done: isOwn ? 'Approval withdrawn' : 'Approval refused',
    failed: detailOr(`Failed to ${end.toLowerCase()}`),
    onDone,
    question: `${end} this?`,
    about: `${about}. ${moneyId ? `The ${kind} stays pending.` : 'Nothing changes then.'}`,
    submit: end,
    isExtra: true,
  });

  const why = missing ?? (isOwn ? null : approval.refusal);
  const isBusy = approve.busy || drop.busy;
  return (
    <tr>
      <td className="head">
        {what}
        {email && (
          <>
            {' '}
            <small>
              <EmailLink email={email} playerId={approval.player_id} />
            </small>
          </>
        )}
        {tenant && <small> {tenant}</small>}
      </td>
      <td data-label="Change">{describeChange(approval)}</td>
      <td data-label="First person">
        {isOwn ? 'You' : orDash(approval.first_email)},{' '}
        <DateTime at={approval.first_at} tenantId={approval.tenant_id} />
      </td>
      <td className="actions">
        {!isOwn && (
          <DialogButton
            className=""
            aria-label={`Approve: ${about}`}
            aria-describedby={why ? whyId : undefined}
            disabled={isBusy || why !== null}
            dialog={(onClose) => (
              <ApproveDialog
                approval={approval}
                busy={isBusy}
                onApprove={() => void approve.run({ id }).then(onClose)}
                onClose={onClose}
              />
            )}
          >
            Approve
          </DialogButton>
        )}
        <button
          type="button"
          className="danger"
          aria-label={`${end}: ${about}`}
          disabled={isBusy || missing !== null}
          onClick={() => void drop.ask({ id })}
        >
          {end}
        </button>
        {why && (
          <small id={whyId} className="why">
            {why}
          </small>
        )}
        {isOwn && !why && <small>You approved this. It needs a second person.</small>}
        {drop.dialog}
      </td>
    </tr>
  );
}

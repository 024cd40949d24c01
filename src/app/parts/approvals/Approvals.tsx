import { useId } from 'react';
import type { Approval } from '../../../contract/entities';
import { neededFor } from '../../../contract/permissions';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import { usePathTenant } from '../../hooks/usePathTenant';
import { useApi, useRefusal, useUser } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { EmailLink } from '../../ui/EmailLink';
import { DialogButton } from '../DialogButton';
import { useReload } from '../polled';
import { useSpanning } from '../tenantScope';
import { useAskedAction } from '../useAskedAction';
import { ApprovalLimits } from './ApprovalLimits';
import { ApproveDialog } from './ApproveDialog';
import { describeChange, nameOf } from './words';

/** What a second person must approve, too, and from which amounts on (docs/permissions.md, "Two people"). */
export function Approvals({ tenantId, onClose }: { tenantId?: number; onClose: () => void }) {
  const api = useApi();
  useCloseOnLeave(onClose);
  const inView = usePathTenant();
  const { tenant_id: own, role } = useUser();
  const tenant = tenantId ?? (role.is_super_admin ? inView : own) ?? undefined;
  const tenant_id = tenant || undefined;
  const waiting = useCall(api.listApprovals, { tenant_id }, 'Failed to fetch approvals');
  const limits = waiting.data?.find(({ kind }) => kind === 'limits');
  const reload = useReload(waiting.reload);
  return (
    <Dialog title="Approvals" wide withClose onClose={onClose}>
      <p role="status">{waiting.data && describeCount(waiting.data.length)}</p>
      <DataTable
        label="Waiting for a second person"
        className="stack approvals"
        heads={['What', 'Change', 'First person', 'Actions']}
        of={waiting}
        empty="Nothing waits for a second person."
      >
        {(approval) => <ApprovalRow key={approval.id} approval={approval} onDone={reload} />}
      </DataTable>
      {tenant_id ? (
        <ApprovalLimits key={tenant_id} tenantId={tenant_id} waiting={limits} reload={reload} />
      ) : (
        <p>
          <small>Open a tenant to see its approval limits.</small>
        </p>
      )}
    </Dialog>
  );
}

const describeCount = (count: number): string =>
  count === 0 ? '' : count === 1 ? '1 waits for a second person' : `${count} wait for a second person`;

/** One thing that waits, with what the person may do about it. What they cannot do says why. */
function ApprovalRow({ approval, onDone }: { approval: Approval; onDone: () => Promise<unknown> }) {
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

import type { Approval } from '../../../contract/entities';
import { DateTime } from '../../ui/DateTime';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { DialogButton } from '../DialogButton';

const Approvals = lazyWithRetry(() => import('./Approvals').then((file) => file.Approvals));

/** '1 of 2, by ann 12:04': who was first. It leads to where people approve, refuse and withdraw. */
export function FirstApproval({ approval }: { approval: Approval }) {
  return (
    <DialogButton
      className="badge waits"
      title={`Approved by ${approval.first_email}. ${approval.refusal ?? 'A second person must approve it, too'}.`}
      dialog={(onClose) => <Approvals tenantId={approval.tenant_id} onClose={onClose} />}
    >
      1 of 2, by {approval.first_email.replace(/@.*/, '')}{' '}
      <DateTime at={approval.first_at} tenantId={approval.tenant_id} isInRow />
    </DialogButton>
  );
}

import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Approval } from '../../../contract/entities';
import { DateTime } from '../../ui/DateTime';
import { lazyWithRetry } from '../../ui/lazyWithRetry';

const Approvals = lazyWithRetry(() => import('./Approvals').then((file) => file.Approvals));

/**
 * '1 of 2, by ann, 12:04': who was first. It leads to where a second person approves or refuses, and the first
 * withdraws.
 */
export function FirstApproval({ approval }: { approval: Approval }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="badge waits"
        aria-haspopup="dialog"
        title={`Approved by ${approval.first_email}. ${approval.refusal ?? 'A second person must approve it, too'}.`}
        onClick={() => setOpen(true)}
      >
        1 of 2, by {approval.first_email.replace(/@.*/, '')},{' '}
        <DateTime at={approval.first_at} tenantId={approval.tenant_id} isInRow />
      </button>
      {/* Outside of the list, which has styles of its own. */}
      {isOpen &&
        createPortal(<Approvals tenantId={approval.tenant_id} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

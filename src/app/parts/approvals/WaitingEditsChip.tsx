import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../ui/Button';
import { Approvals } from './Approvals';
import { useApprovals } from './useApprovals';

/** In the list of players: how many edits of their balances wait for a second person. It leads to them. */
export function WaitingEditsChip({ tenantId }: { tenantId: number | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const count = useApprovals(tenantId)?.filter(({ kind }) => kind === 'balances').length ?? 0;
  return (
    <>
      {count > 0 && (
        <Button className="chip" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {`${count} ${count === 1 ? 'edit waits' : 'edits wait'} for a second person`}
        </Button>
      )}
      {isOpen &&
        createPortal(<Approvals {...(tenantId && { tenantId })} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

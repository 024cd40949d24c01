import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { neededFor } from '../../../contract/permissions';
import { usePathTenant } from '../../hooks/usePathTenant';
import { useUser } from '../../state/session';
import { useApprovals } from './useApprovals';

/** How much waits for this person as the second of two: at the avatar, and at 'Approvals' in its menu. */
export function WaitingCount() {
  const inView = usePathTenant();
  const { tenant_id: own, role, permissions } = useUser();
  const waiting = useApprovals((role.is_super_admin ? inView : own) || undefined);
  const [[avatar, entry], setPlaces] = useState<(Element | null)[]>([]);
  useEffect(() => {
    const tools = [...document.querySelectorAll('.bar-menu button')];
    setPlaces([document.querySelector('.who'), tools.find((one) => one.textContent === 'Approvals') ?? null]);
  }, []);
  const count = (waiting ?? []).filter(
    ({ kind, is_own, refusal }) => !is_own && !refusal && (permissions?.includes(neededFor[kind]) ?? true),
  ).length;
  if (!count) return null;
  return (
    <>
      {avatar &&
        createPortal(
          <span className="badge" title={`${count} to approve`}>
            {count}
            <span className="unseen"> to approve</span>
          </span>,
          avatar,
        )}
      {entry && createPortal(` (${count})`, entry)}
    </>
  );
}

import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { usePathTenant } from '../../hooks/usePathTenant';
import { useApi, useUser } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { Dialog } from '../../ui/Dialog';
import { useReload } from '../polled';
import { ApprovalLimits } from './ApprovalLimits';
import { ApprovalRow } from './ApprovalRow';

/**
 * What one person has approved and a second must approve, too, and the amounts from which on that is so
 * (docs/permissions.md, "Two people"): of a tenant, or of all.
 */
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

import type { NotificationRow } from '../../../contract/entities';
import { type ListedKind, NOTIFICATION_ROWS_SHOWN, ROW_DAYS, ruleFacts } from '../../../contract/notifications';
import { listAddress } from '../../../contract/routes';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { useCloseOnLeave } from '../../hooks/useCloseOnLeave';
import { detailOr } from '../../hooks/useErrorToast';
import { useApi, useUser } from '../../state/session';
import { DataTable, type Head } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import { RowLink } from '../../ui/RowLink';
import { useTenants } from '../useTenants';

const facts: Readonly<Record<ListedKind, { detail: string; list?: 'purchases' | 'redeems' }>> = {
  no_reference: { detail: 'Payment method', list: 'purchases' },
  no_reason: { detail: 'Balance and person' },
  frozen_balance: { detail: 'Why' },
  reference_twice: { detail: 'Reference', list: 'purchases' },
  foreign_address: { detail: 'Payout address', list: 'redeems' },
  protected_player: { detail: 'Why', list: 'purchases' },
};

type ListedRowsProps = { kind: ListedKind; tenantId: number | undefined; onClose: () => void };
/** The rows that a rule is about, in a tenant or in all. */
export function ListedRows({ kind, tenantId, onClose }: ListedRowsProps) {
  const api = useApi();
  useCloseOnLeave(onClose);
  const rows = useCall(api.listNotificationRows, { tenant_id: tenantId, kind }, detailOr('Failed to fetch the rows'));
  const isOfAll = useUser().role.is_super_admin && tenantId === undefined;
  const tenants = useTenants('Failed to fetch tenants', { enabled: isOfAll });
  const nameOf = (id: number) => orDash(tenants.data?.find((tenant) => Number(tenant.id) === id)?.name);
  const { name } = ruleFacts[kind];
  const { detail, list } = facts[kind];
  const heads: (Head | false)[] = [
    'When',
    isOfAll && 'Tenant',
    'User Email',
    list !== undefined && 'Payment',
    ['Amount', 'number'],
    detail,
  ];
  return (
    <Dialog title={name} wide withClose onClose={onClose}>
      <p>{kind === 'frozen_balance' ? 'As it is now.' : `Of the last ${ROW_DAYS} days.`}</p>
      <DataTable label={name} heads={heads} of={rows} empty="Nothing found.">
        {(row) => <Row key={row.key} row={row} kind={kind} tenantName={isOfAll ? nameOf(row.tenant_id) : undefined} />}
      </DataTable>
      {rows.data?.length === NOTIFICATION_ROWS_SHOWN && <p>Only the newest {NOTIFICATION_ROWS_SHOWN} are shown.</p>}
    </Dialog>
  );
}

type RowProps = { row: NotificationRow; kind: ListedKind; tenantName: string | undefined };
function Row({
  row: { at, tenant_id, user_email, player_id, payment_id, amount, detail: text },
  kind,
  tenantName,
}: RowProps) {
  const isSuper = useUser().role.is_super_admin;
  const { detail, list } = facts[kind];
  return (
    <tr>
      <td className="started">
        <DateTime at={at} tenantId={tenant_id} />
      </td>
      {tenantName !== undefined && <td className="tenant">{tenantName}</td>}
      <td className="email">
        <EmailLink email={user_email} playerId={player_id} />
      </td>
      {list && (
        <td data-label="Payment">
          <RowLink to={listAddress(list, { text: String(payment_id) }, { isSuper })}>{payment_id}</RowLink>
        </td>
      )}
      <td className="number amount">
        <Money amount={amount} />
      </td>
      <td data-label={detail}>{orDash(text)}</td>
    </tr>
  );
}

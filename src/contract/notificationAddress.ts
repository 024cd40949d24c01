import { listAddress, OVERVIEW_ADDRESS, PAYMENT_METHODS_ADDRESS, toolAddress, usersAddress } from './routes';

/** Where a notification leads: for its entry in the app, and for the links in e-mails and chats. */
export interface Leading {
  kind: string;
  object_id: string | null;
  about_tenant_id: number | null;
}

/** The audit log, with the entries of a kind and perhaps a number: 'redeem 12'. */
const auditAddress = (of: string) => `${toolAddress('Audit')}&${new URLSearchParams({ of })}`;

/** The address in the app of what a notification is about, for super admins or tenant admins; undefined: nowhere. */
export function notificationAddress(
  { kind, object_id, about_tenant_id }: Leading,
  { isSuper, hasView, hasOverview }: { isSuper: boolean; hasView: boolean; hasOverview: boolean },
): string | undefined {
  const list = (name: string, query: Record<string, string>) =>
    listAddress(name, query, { isSuper, tenant: about_tenant_id });
  /** With its kind: 'redeem 12'. */
  const named = object_id && /^[a-z]/.test(object_id) ? object_id : null;
  const row = (name: string, otherwise: string) => (object_id ? list(name, { text: object_id }) : otherwise);
  const pending = (name: string) => list(name, { status: 'pending' });
  const tool = (name: string) => toolAddress(name, isSuper ? about_tenant_id : null);
  switch (kind) {
    case 'large_redeem':
    case 'old_redeem':
      return row('redeems', pending('redeems'));
    case 'old_purchase':
      return row('purchases', pending('purchases'));
    case 'approval_waits':
      // With its kind, what has ended; else what waits.
      return named ? auditAddress(named) : tool('Approvals');
    case 'unusual_return':
      return row('returns', pending('returns'));
    case 'pending_money':
      return pending('redeems');
    case 'provider_failing':
      return isSuper ? PAYMENT_METHODS_ADDRESS : pending('purchases');
    case 'no_reason':
    case 'frozen_balance':
      return hasView && object_id ? usersAddress({ player: object_id }) : tool('Notifications');
    case 'no_reference':
    case 'reference_twice':
    case 'protected_player':
      return row('purchases', tool('Notifications'));
    case 'foreign_address':
      return row('redeems', tool('Notifications'));
    case 'new_place':
      return auditAddress(`sign-in ${object_id ?? ''}`);
    case 'new_second':
      return auditAddress(named ?? 'change');
    case 'large_export':
      return auditAddress('export');
    case 'low_stock':
    case 'shift_difference':
    case 'ledger_off':
      return tool('Books');
    case 'digest':
      return hasOverview ? OVERVIEW_ADDRESS : undefined;
    default:
      return undefined;
  }
}

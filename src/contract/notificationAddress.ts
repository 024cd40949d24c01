/** Where a notification leads: for its entry in the app, and for the links in e-mails and chats. */

export interface Leading {
  kind: string;
  object_id: string | null;
  about_tenant_id: number | null;
}

/** In an address: the tool of the title bar that opens with the page. */
export const TOOL = 'tool';
export const AUDIT_ADDRESS = `/?${TOOL}=Audit`;

/**
 * The address, in the app, of the row, list or dialog behind a notification; undefined for nowhere. Super admins and
 * tenant admins have different addresses.
 */
export function notificationAddress(
  { kind, object_id, about_tenant_id }: Leading,
  { isSuper, hasView, hasOverview }: { isSuper: boolean; hasView: boolean; hasOverview: boolean },
): string | undefined {
  const list = (name: string, query: string) =>
    isSuper ? `/${name}?${about_tenant_id ? `tenant=${about_tenant_id}&` : ''}${query}` : `/?tab=${name}&${query}`;
  const tool = (name: string) =>
    `${isSuper && about_tenant_id ? `/tenant/${about_tenant_id}/admin` : '/'}?${TOOL}=${name}`;
  const text = `text=${encodeURIComponent(object_id ?? '')}`;
  switch (kind) {
    case 'large_redeem':
    case 'old_redeem':
      return list('redeems', object_id ? text : 'status=pending');
    case 'pending_money':
      return list('redeems', 'status=pending');
    case 'provider_failing':
      return isSuper ? '/payment-methods' : list('purchases', 'status=pending');
    case 'no_reason':
    case 'frozen_balance':
      return hasView && object_id ? `/users?player=${encodeURIComponent(object_id)}` : tool('Notifications');
    case 'no_reference':
    case 'reference_twice':
      return object_id ? list('purchases', text) : tool('Notifications');
    case 'foreign_address':
      return object_id ? list('redeems', text) : tool('Notifications');
    case 'new_place':
    case 'large_export':
      return AUDIT_ADDRESS;
    case 'ledger_off':
      return tool('Books');
    case 'digest':
      return hasOverview ? '/overview' : undefined;
    default:
      return undefined;
  }
}

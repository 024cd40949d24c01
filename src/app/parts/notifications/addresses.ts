import type { Notification } from '../../../contract/entities';

/** Where a notification leads: the row or the list behind it, or the audit log; undefined for nowhere. */
export function findAddress(
  { kind, object_id, about_tenant_id }: Notification,
  { isSuper, hasView }: { isSuper: boolean; hasView: boolean },
): string | 'audit' | undefined {
  const list = (name: string, query: string) =>
    isSuper ? `/${name}?${about_tenant_id ? `tenant=${about_tenant_id}&` : ''}${query}` : `/?tab=${name}&${query}`;
  switch (kind) {
    case 'large_redeem':
    case 'old_redeem':
      return list('redeems', object_id ? `text=${encodeURIComponent(object_id)}` : 'status=pending');
    case 'pending_money':
      return list('redeems', 'status=pending');
    case 'provider_failing':
      return isSuper ? '/payment-methods' : list('purchases', 'status=pending');
    case 'large_win':
    case 'large_purchase':
      return hasView && object_id
        ? `/users?player=${encodeURIComponent(object_id)}`
        : list(kind === 'large_win' ? 'redeems' : 'purchases', 'sort=amount&order=desc');
    case 'new_place':
    case 'large_export':
      return 'audit';
    default:
      return undefined;
  }
}

import { useEffect } from 'react';
import { moneyLists } from '../../contract/constants';
import { useFeature, useUser } from '../state/session';
import { APP_TITLE } from '../ui/appTitle';
import { usePendingCounts } from './polled';
import { useTenantScope } from './tenantScope';

/** The document's title, such as 'Redeems (17) · Acme' with 17 pending (docs/product.md, "Routes and menus"). */
export function useScreenTitle(screen: string, tenantId: number | undefined): void {
  const { name } = useTenantScope();
  const { is_super_admin } = useUser().role;
  const place = name ?? (is_super_admin ? APP_TITLE : PANEL_TITLE);
  const list = moneyLists.find((one) => one === screen.toLowerCase());
  const isCounted = useFeature('queue') && list !== undefined;
  const counts = usePendingCounts(tenantId, { isEnabled: isCounted }).data;
  const pending = isCounted && counts?.[list];
  useEffect(() => {
    document.title = `${screen}${pending ? ` (${pending})` : ''} · ${place}`;
    return () => void (document.title = APP_TITLE);
  }, [screen, pending, place]);
}

/** The title of a tenant admin's page. */
export const PANEL_TITLE = 'Tenant Admin Panel';

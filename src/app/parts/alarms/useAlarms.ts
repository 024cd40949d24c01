import { type ListedKind, listedKinds, NOTIFICATION_ROWS_SHOWN } from '../../../contract/notifications';
import { detailOr } from '../../hooks/useErrorToast';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';

export interface Alarm {
  kind: ListedKind;
  rows: number;
}
/** 'How many rows': the server lists so many at most. */
export const nameRows = (rows: number): string => (rows < NOTIFICATION_ROWS_SHOWN ? String(rows) : `${rows} or more`);

/** Payments and balances that look wrong, of a tenant or of all, by rule. Rules without any are left out. */
export function useAlarms(tenantId: number | undefined): Resource<Alarm[]> {
  const api = useApi();
  const isOffered = useFeature('notifications');
  return useResource(
    isOffered
      ? async (signal) => {
          const found = await Promise.all(
            listedKinds.map(async (kind) => ({
              kind,
              rows: (await api.listNotificationRows({ kind, tenant_id: tenantId }, { signal })).length,
            })),
          );
          return found.filter(({ rows }) => rows > 0);
        }
      : null,
    [api, tenantId, isOffered],
    detailOr('Failed to fetch the rows'),
  );
}

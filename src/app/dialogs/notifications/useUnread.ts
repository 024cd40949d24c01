import { NOTIFICATIONS_EVERY_MS } from '../../../contract/notifications';
import { createPolling } from '../../parts/usePolling';

/** How many notifications the person has not read, refreshed every minute and after reading some. */
export const { usePolling: useUnread, reloadVisible: reloadUnread } = createPolling(
  (api, _tenantId, signal) => api.countUnreadNotifications({}, { signal }),
  { firstMs: 0, everyMs: NOTIFICATIONS_EVERY_MS },
);

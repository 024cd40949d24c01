import { call, csv } from './call';
import type * as E from './entities';

/** The calls of what the app opens with, its shell and the Users, apart from the others so that they alone are fetched with it. */
export const openingCalls = {
  listTenants:         call<{ answer: E.Tenant[] }>()('super', 'GET', '/api/v1/admin/tenants/'),
  listPlayers:         call<{ query: E.PlayerQuery; answer: E.PlayerPage }>()('admin', 'GET', '/api/v1/admin/user-management/users/'),
  deletePlayer:        call<{ query: E.ChangeReason; answer: { ok: true } }>()('admin', 'DELETE', '/api/v1/users/{id}'),
  exportPlayers:       csv<E.PlayerQuery>()('/api/v1/admin/user-management/users/export'),
  getDashboardMetrics: call<{ query: { tenant_id?: number | undefined }; answer: E.DashboardMetrics }>()('admin', 'GET', '/api/v1/admin/dashboard-metrics'),
  countPending:        call<{ query: { tenant_id?: number | undefined }; answer: E.PendingCounts }>()('admin', 'GET', '/api/v1/admin/pending-counts', 'queue'),
};

import { call, csv, list, once, platforms, playerPage, record, recordOrNull } from './call';
import { PLAYERS_PATH, TENANTS_PATH } from './constants';
import type { dialogCalls } from './dialogCalls';
import type { intakeCalls } from './intakeCalls';
import type { Body, Query } from './schemas/calls';

export type { AnswerShape, CallSpec, Method, Who } from './call';
export type { Answer, Body, Query } from './schemas/calls';

/** The calls of the screens, as in docs/product.md, "Calls". Paths: here, in dialogCalls.ts and intakeCalls.ts only. */
export const appCalls = {
  login: call('anyone', 'POST', '/api/v1/auth/login/json'),
  loginToTenant: call('anyone', 'POST', '/api/v1/auth/login/tenant/{tenant_id}'),
  logout: call('session', 'POST', '/api/v1/auth/logout', 'logout'),
  askForPasswordLink: call('anyone', 'POST', '/api/v1/auth/password-link', 'mail_links'),
  choosePassword: call('anyone', 'POST', '/api/v1/auth/password', 'mail_links'),

  listTenants: list('super', TENANTS_PATH),
  createTenant: once('super', 'POST', TENANTS_PATH),
  updateTenant: call('super', 'PUT', '/api/v1/admin/tenants/{id}/'),
  listTenantFigures: list('super', '/api/v1/admin/tenant-figures', 'overview'),
  getTenantSetup: record('super', '/api/v1/admin/tenants/{id}/setup', 'tenant_setup'),
  listAssignments: list('super', '/api/v1/admin/tenants/{id}/platforms/'),
  saveAssignment: call('super', 'POST', '/api/v1/admin/tenants/{tenant_id}/platforms/{platform_id}/credentials'),

  listPlatforms: platforms('admin', '/api/v1/admin/platforms/all'),
  unassignPlatform: call('super', 'POST', '/api/v1/admin/platforms/{id}/deactivate'),

  listRoles: list('super', '/api/v1/admin/roles/'),
  listAdmins: list('super', '/api/v1/admin/admin-users/'),
  createAdmin: once('super', 'POST', '/api/v1/admin/admin-users/'),
  updateAdmin: call('super', 'PUT', '/api/v1/admin/admin-users/{id}/'),
  disableAdmin: call('super', 'DELETE', '/api/v1/admin/admin-users/{id}'),

  resetTwoFactor: call('super', 'POST', '/api/v1/admin/admin-users/{id}/reset-two-factor', 'account'),
  listPurchases: list('admin', '/api/v1/admin/purchases'),
  listDeposits: list('admin', '/api/v1/admin/deposits'),
  changePurchaseStatus: once('queue', 'POST', '/api/v1/admin/purchases/{id}/status'),

  listPlayers: playerPage('admin', PLAYERS_PATH),
  updatePlayerCredential: call('support', 'PUT', '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}'),
  listPlayerCredentials: list('admin', '/api/v1/admin/user/{id}/platform-credentials'),
  createPlayerCredential: once('support', 'POST', '/api/v1/admin/user/{user_id}/platform-credentials', 'player_logins'),
  togglePlayerCredential: call(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}/toggle',
    'player_logins',
  ),
  copyPlayerPassword: call(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}/password',
    'player_logins',
  ),
  getRowNeeds: record('admin', '/api/v1/admin/transactions/{id}/needs', 'player_logins'),
  listPlayerTransactions: list('admin', '/api/v1/admin/user/{id}/transaction-history'),
  updatePlayer: call('support', 'PUT', '/api/v1/users/{id}'),
  createPlayer: once('support', 'POST', '/api/v1/users'),
  deletePlayer: once('support', 'DELETE', '/api/v1/users/{id}'),
  adjustBalances: once('money', 'POST', '/api/v1/admin/user/{id}/update-balances'),

  listAvailablePlatforms: platforms('admin', '/api/v1/admin/my-platforms/all'),
  listMyPlatforms: list('admin', '/api/v1/admin/my-platforms/'),
  activateMyPlatform: call('settings', 'POST', '/api/v1/admin/my-platforms/{id}/activate'),
  deactivateMyPlatform: call('settings', 'POST', '/api/v1/admin/my-platforms/{id}/deactivate'),
  saveMyPlatformCredentials: call('settings', 'POST', '/api/v1/admin/my-platforms/{id}/credentials'),
  savePanelAddress: call('settings', 'PUT', '/api/v1/admin/my-platforms/{id}/panel', 'player_logins'),

  listPlatformNames: platforms('anyone', '/api/v1/platforms/all'),
  submitRedeem: once('checkout', 'POST', '/api/v1/checkout/redeem'),

  listRedeems: list('admin', '/api/v1/admin/redeems'),
  changeRedeemStatus: once('payouts', 'POST', '/api/v1/admin/redeems/{id}/status'),
  searchPlayers: list('admin', '/api/v1/admin/users/search'),
  createManualRedeem: once('payouts', 'POST', '/api/v1/admin/redeems/manual'),

  getAffiliateStats: record('admin', '/api/v1/admin/affiliate-stats'),
  getAffiliates: record('admin', '/api/v1/admin/affiliates', 'affiliates'),

  getDashboardMetrics: recordOrNull('admin', '/api/v1/admin/dashboard-metrics'),
  listNewPlayersToday: list('admin', '/api/v1/admin/new-players-today'),
  listFirstPurchasesToday: list('admin', '/api/v1/admin/first-purchases-today'),

  listPaymentMethods: list('super', '/api/v1/admin/payment-methods/all'),
  togglePaymentMethod: once('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}/{platform}/toggle'),
  deletePaymentMethod: once('super', 'DELETE', '/api/v1/admin/payment-methods/{tenant_id}/{platform}'),
  createPaymentMethod: once('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}'),
  updatePaymentMethod: call('super', 'PUT', '/api/v1/admin/payment-methods/{tenant_id}/{platform}'),

  getAudit: record('admin', '/api/v1/admin/audit', 'audit'),

  countPending: record('admin', '/api/v1/admin/pending-counts', 'queue'),
  countListed: record('admin', '/api/v1/admin/list-count', 'queue'),
  countNew: record('admin', '/api/v1/admin/list-new', 'new_rows'),
  sumListed: record('admin', '/api/v1/admin/list-sums', 'list_tools'),
  watchList: record('admin', '/api/v1/admin/list-watch', 'claims'),
  claimRow: call('admin', 'POST', '/api/v1/admin/claims', 'claims'),
  releaseRow: call('admin', 'DELETE', '/api/v1/admin/claims/{id}', 'claims'),
  getQueueSettings: record('admin', '/api/v1/admin/queue-settings', 'late_minutes'),
  changeQueueSettings: call('settings', 'PUT', '/api/v1/admin/queue-settings', 'late_minutes'),
  exportPlayers: csv('/api/v1/admin/user-management/users/export'),
  exportPurchases: csv('/api/v1/admin/purchases/export'),
  exportDeposits: csv('/api/v1/admin/deposits/export'),
  exportRedeems: csv('/api/v1/admin/redeems/export'),

  getTransactionDetails: record('admin', '/api/v1/admin/transactions/{id}', 'details'),

  listReturns: list('admin', '/api/v1/admin/returns', 'returns'),
  exportReturns: csv('/api/v1/admin/returns/export', 'returns'),
  createReturn: once('queue', 'POST', '/api/v1/admin/returns', 'returns'),
  getReturnSettings: record('admin', '/api/v1/admin/return-settings', 'returns'),
  changeReturnSettings: call('settings', 'PUT', '/api/v1/admin/return-settings', 'returns'),

  getCharts: record('admin', '/api/v1/admin/charts', 'charts'),

  getOverview: record('admin', '/api/v1/admin/overview', 'overview'),

  search: record('admin', '/api/v1/admin/search', 'search'),

  getPlayer: record('admin', '/api/v1/admin/user/{id}', 'player_view'),
  getPlayerLedger: record('admin', '/api/v1/admin/user/{id}/ledger', 'player_view'),
  listPlayerPurchases: list('admin', '/api/v1/admin/user/{id}/purchases', 'player_view'),
  listPlayerRedeems: list('admin', '/api/v1/admin/user/{id}/redeems', 'player_view'),
  addPlayerNote: once('support', 'POST', '/api/v1/admin/user/{id}/notes', 'player_view'),
  savePlayerTags: call('support', 'PUT', '/api/v1/admin/user/{id}/tags', 'player_view'),
  holdPayouts: call('payouts', 'PUT', '/api/v1/admin/user/{id}/payout-hold', 'player_view'),

  checkImport: {
    ...call('import', 'POST', '/api/v1/admin/imports/check', 'import'),
    isRead: true as const,
  },
  importRows: call('import', 'POST', '/api/v1/admin/imports', 'import'),

  listApprovals: list('admin', '/api/v1/admin/approvals', 'approvals'),
  approveChange: call('admin', 'POST', '/api/v1/admin/approvals/{id}/approve', 'approvals'),
  endApproval: call('admin', 'DELETE', '/api/v1/admin/approvals/{id}', 'approvals'),
  getApprovalLimits: record('admin', '/api/v1/admin/approval-limits', 'approvals'),
  changeApprovalLimits: call('team', 'PUT', '/api/v1/admin/approval-limits', 'approvals'),

  addPlayerTags: once('support', 'POST', '/api/v1/admin/user/{id}/tags', 'bulk_work'),
  setPlayerActive: once('support', 'PUT', '/api/v1/admin/user/{id}/active', 'bulk_work'),

  listSavedViews: list('admin', '/api/v1/admin/saved-views', 'saved_views'),
  createSavedView: once('admin', 'POST', '/api/v1/admin/saved-views', 'saved_views'),
  deleteSavedView: call('admin', 'DELETE', '/api/v1/admin/saved-views/{id}', 'saved_views'),

  getValueAccounts: record('admin', '/api/v1/admin/accounts', 'accounts'),

  listLinkTemplates: list('admin', '/api/v1/admin/link-templates', 'link_templates'),
  saveLinkTemplates: call('settings', 'PUT', '/api/v1/admin/link-templates', 'link_templates'),

  listNotifications: list('admin', '/api/v1/admin/notifications', 'notifications'),
  countUnreadNotifications: record('admin', '/api/v1/admin/notifications/unread', 'notifications'),
  listNotificationRows: list('admin', '/api/v1/admin/notifications/rows', 'notifications'),
  readNotifications: {
    ...call('admin', 'POST', '/api/v1/admin/notifications/read', 'notifications'),
    isPersonal: true as const,
  },
  muteNotificationRule: call('settings', 'POST', '/api/v1/admin/notification-rules/mute', 'notifications'),
  getAccount: record('session', '/api/v1/auth/account', 'account'),
};

/** Every call (allCalls.ts). */
export type Calls = typeof appCalls & typeof dialogCalls & typeof intakeCalls;
export type CallName = keyof Calls;

type PathKeys<P extends string> = P extends `${string}{${infer Key}}${infer Rest}` ? Key | PathKeys<Rest> : never;

/** The placeholders in the path of a call. */
export type Params<N extends CallName> = { [K in PathKeys<Calls[N]['path']>]: number | string };
/** What the app passes: path and query values side by side, and the body under `body`. */
export type Input<N extends CallName> = Params<N> &
  Query<N> &
  (Body<N> extends undefined ? unknown : { body: Body<N> });

import { call, csv, list, once, platforms, playerPage, record, recordOrNull } from './call';
import { PLAYERS_PATH, TENANTS_PATH } from './constants';
import type { dialogCalls } from './dialogCalls';
import type * as E from './entities';
import type { intakeCalls } from './intakeCalls';

export type { AnswerShape, CallSpec, Method, Who } from './call';

/** Needs the feature `platforms_tenant`. */
type OfferedTenant = E.TenantQuery;

/**
 * The calls of the screens, which the app loads with the first of them, in the order of docs/product.md, "Calls". Paths
 * are written here, in dialogCalls.ts, signInCalls.ts and intakeCalls.ts, and nowhere else.
 */
export const appCalls = {
  login: call<{ body: E.Credentials; answer: E.LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/json'),
  loginToTenant: call<{ body: E.Credentials; answer: E.LoginAnswer }>()(
    'anyone',
    'POST',
    '/api/v1/auth/login/tenant/{tenant_id}',
  ),
  logout: call<{ answer: E.LoggedOut }>()('session', 'POST', '/api/v1/auth/logout', 'logout'),
  askForPasswordLink: call<{ body: E.LinkRequest; answer: E.Ok }>()(
    'anyone',
    'POST',
    '/api/v1/auth/password-link',
    'mail_links',
  ),
  choosePassword: call<{ body: E.ChosenPassword; answer: E.Ok }>()(
    'anyone',
    'POST',
    '/api/v1/auth/password',
    'mail_links',
  ),

  listTenants: list<E.Tenant>()('super', TENANTS_PATH),
  createTenant: once(call<{ body: E.TenantForm; answer: E.Tenant }>()('super', 'POST', TENANTS_PATH)),
  updateTenant: call<{ body: E.TenantForm; answer: E.Tenant }>()('super', 'PUT', '/api/v1/admin/tenants/{id}/'),
  listTenantFigures: list<E.TenantFigures>()('super', '/api/v1/admin/tenant-figures', 'overview'),
  getTenantSetup: record<E.TenantSetup>()('super', '/api/v1/admin/tenants/{id}/setup', 'tenant_setup'),
  listAssignments: list<E.Assignment>()('super', '/api/v1/admin/tenants/{id}/platforms/'),
  saveAssignment: call<{ body: E.PlatformCredentials; answer: E.Assignment }>()(
    'super',
    'POST',
    '/api/v1/admin/tenants/{tenant_id}/platforms/{platform_id}/credentials',
  ),

  listPlatforms: platforms<E.Platform>()('admin', '/api/v1/admin/platforms/all'),
  unassignPlatform: call<{ body: E.UnassignForm; answer: E.Ok }>()(
    'super',
    'POST',
    '/api/v1/admin/platforms/{id}/deactivate',
  ),

  listRoles: list<E.Role>()('super', '/api/v1/admin/roles/'),
  listAdmins: list<E.Admin, E.AdminsQuery>()('super', '/api/v1/admin/admin-users/'),
  createAdmin: once(call<{ body: E.NewAdmin; answer: E.Admin }>()('super', 'POST', '/api/v1/admin/admin-users/')),
  updateAdmin: call<{ body: E.AdminForm; answer: E.Admin }>()('super', 'PUT', '/api/v1/admin/admin-users/{id}/'),
  disableAdmin: call<{ query: E.DisableQuery; answer: E.Ok }>()('super', 'DELETE', '/api/v1/admin/admin-users/{id}'),

  resetTwoFactor: call<{ answer: E.Ok }>()(
    'super',
    'POST',
    '/api/v1/admin/admin-users/{id}/reset-two-factor',
    'account',
  ),
  listPurchases: list<E.Transaction, E.PurchasesQuery>()('admin', '/api/v1/admin/purchases'),
  listDeposits: list<E.Transaction, E.ListQuery>()('admin', '/api/v1/admin/deposits'),
  changePurchaseStatus: once(
    call<{ body: E.StatusForm; answer: E.Transaction }>()('queue', 'POST', '/api/v1/admin/purchases/{id}/status'),
  ),

  listPlayers: playerPage<E.PlayerPage, E.PlayerQuery>()('admin', PLAYERS_PATH),
  updatePlayerCredential: call<{ body: E.PlayerCredentialForm; answer: E.PlayerCredential }>()(
    'support',
    'PUT',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}',
  ),
  listPlayerCredentials: list<E.PlayerCredential>()('admin', '/api/v1/admin/user/{id}/platform-credentials'),
  createPlayerCredential: once(
    call<{ body: E.NewPlayerCredential; answer: E.PlayerCredential }>()(
      'support',
      'POST',
      '/api/v1/admin/user/{user_id}/platform-credentials',
      'player_logins',
    ),
  ),
  togglePlayerCredential: call<{ body: E.CredentialSwitch; answer: E.PlayerCredential }>()(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}/toggle',
    'player_logins',
  ),
  copyPlayerPassword: call<{ answer: E.CopiedPassword }>()(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}/password',
    'player_logins',
  ),
  getRowNeeds: record<E.RowNeeds>()('admin', '/api/v1/admin/transactions/{id}/needs', 'player_logins'),
  listPlayerTransactions: list<E.HistoryLine, E.HistoryQuery>()('admin', '/api/v1/admin/user/{id}/transaction-history'),
  updatePlayer: call<{ body: E.PlayerForm; answer: E.Player }>()('support', 'PUT', '/api/v1/users/{id}'),
  createPlayer: once(call<{ body: E.NewPlayer; answer: E.Player }>()('support', 'POST', '/api/v1/users')),
  deletePlayer: once(call<{ query: E.ChangeReason; answer: E.Ok }>()('support', 'DELETE', '/api/v1/users/{id}')),
  adjustBalances: once(
    call<{ body: E.BalanceForm; answer: E.BalanceAnswer }>()(
      'money',
      'POST',
      '/api/v1/admin/user/{id}/update-balances',
    ),
  ),

  listAvailablePlatforms: platforms<E.AvailablePlatform, OfferedTenant>()('admin', '/api/v1/admin/my-platforms/all'),
  listMyPlatforms: list<E.MyPlatform, OfferedTenant>()('admin', '/api/v1/admin/my-platforms/'),
  activateMyPlatform: call<{ query: OfferedTenant; answer: E.MyPlatform }>()(
    'settings',
    'POST',
    '/api/v1/admin/my-platforms/{id}/activate',
  ),
  deactivateMyPlatform: call<{ query: OfferedTenant; answer: E.MyPlatform }>()(
    'settings',
    'POST',
    '/api/v1/admin/my-platforms/{id}/deactivate',
  ),
  saveMyPlatformCredentials: call<{ query: OfferedTenant; body: E.PlatformCredentials; answer: E.MyPlatform }>()(
    'settings',
    'POST',
    '/api/v1/admin/my-platforms/{id}/credentials',
  ),
  savePanelAddress: call<{ query: OfferedTenant; body: E.PanelAddress; answer: E.MyPlatform }>()(
    'settings',
    'PUT',
    '/api/v1/admin/my-platforms/{id}/panel',
    'player_logins',
  ),

  listPlatformNames: platforms<E.Platform>()('anyone', '/api/v1/platforms/all'),
  submitRedeem: once(call<{ body: E.RedeemForm; answer: E.Redeem }>()('checkout', 'POST', '/api/v1/checkout/redeem')),

  listRedeems: list<E.Redeem, E.ListQuery>()('admin', '/api/v1/admin/redeems'),
  changeRedeemStatus: once(
    call<{ body: E.StatusForm; answer: E.Redeem }>()('payouts', 'POST', '/api/v1/admin/redeems/{id}/status'),
  ),
  searchPlayers: list<E.PlayerHit, E.PlayerSearch>()('admin', '/api/v1/admin/users/search'),
  createManualRedeem: once(
    call<{ body: E.ManualRedeemForm; answer: E.Redeem }>()('payouts', 'POST', '/api/v1/admin/redeems/manual'),
  ),

  getAffiliateStats: record<E.AffiliateStats, E.AffiliateQuery>()('admin', '/api/v1/admin/affiliate-stats'),
  getAffiliates: record<E.AffiliateList, E.AffiliatesQuery>()('admin', '/api/v1/admin/affiliates', 'affiliates'),

  getDashboardMetrics: recordOrNull<E.DashboardMetrics, E.TenantQuery>()('admin', '/api/v1/admin/dashboard-metrics'),
  listNewPlayersToday: list<E.PlayerToday, E.TenantQuery>()('admin', '/api/v1/admin/new-players-today'),
  listFirstPurchasesToday: list<E.FirstPurchase, E.TenantQuery>()('admin', '/api/v1/admin/first-purchases-today'),

  listPaymentMethods: list<E.PaymentMethod>()('super', '/api/v1/admin/payment-methods/all'),
  togglePaymentMethod: once(
    call<{ answer: E.PaymentMethod }>()('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}/{platform}/toggle'),
  ),
  deletePaymentMethod: once(
    call<{ query: E.ChangeReason; answer: E.Ok }>()(
      'super',
      'DELETE',
      '/api/v1/admin/payment-methods/{tenant_id}/{platform}',
    ),
  ),
  createPaymentMethod: once(
    call<{
      query: E.NewPaymentMethodQuery;
      body: E.PaymentCredentials;
      answer: E.PaymentMethod;
    }>()('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}'),
  ),
  updatePaymentMethod: call<{ query: E.PaymentMethodQuery; body: E.PaymentCredentials; answer: E.PaymentMethod }>()(
    'super',
    'PUT',
    '/api/v1/admin/payment-methods/{tenant_id}/{platform}',
  ),

  getAudit: record<E.AuditPage, E.AuditQuery>()('admin', '/api/v1/admin/audit', 'audit'),

  countPending: record<E.PendingCounts, E.TenantQuery>()('admin', '/api/v1/admin/pending-counts', 'queue'),
  countListed: record<E.Count, E.CountQuery>()('admin', '/api/v1/admin/list-count', 'queue'),
  countNew: record<E.NewRows, E.NewRowsQuery>()('admin', '/api/v1/admin/list-new', 'new_rows'),
  sumListed: record<E.ListSums, E.CountQuery>()('admin', '/api/v1/admin/list-sums', 'list_tools'),
  watchList: record<E.ListWatch, E.NewRowsQuery>()('admin', '/api/v1/admin/list-watch', 'claims'),
  claimRow: call<{ body: E.ClaimForm; answer: E.Claim }>()('admin', 'POST', '/api/v1/admin/claims', 'claims'),
  releaseRow: call<{ answer: E.Ok }>()('admin', 'DELETE', '/api/v1/admin/claims/{id}', 'claims'),
  getQueueSettings: record<E.QueueSettings, E.TenantQuery>()('admin', '/api/v1/admin/queue-settings', 'late_minutes'),
  changeQueueSettings: call<{ body: E.QueueSettingsForm; answer: E.QueueSettings }>()(
    'settings',
    'PUT',
    '/api/v1/admin/queue-settings',
    'late_minutes',
  ),
  exportPlayers: csv<E.PlayerQuery>()('/api/v1/admin/user-management/users/export'),
  exportPurchases: csv<E.PurchasesQuery>()('/api/v1/admin/purchases/export'),
  exportDeposits: csv<E.ListQuery>()('/api/v1/admin/deposits/export'),
  exportRedeems: csv<E.ListQuery>()('/api/v1/admin/redeems/export'),

  getTransactionDetails: record<E.TransactionDetails>()('admin', '/api/v1/admin/transactions/{id}', 'details'),

  listReturns: list<E.ReturnRow, E.ListQuery>()('admin', '/api/v1/admin/returns', 'returns'),
  exportReturns: { ...csv<E.ListQuery>()('/api/v1/admin/returns/export'), feature: 'returns' as const },
  createReturn: once(
    call<{ body: E.ReturnForm; answer: E.ReturnRow }>()('queue', 'POST', '/api/v1/admin/returns', 'returns'),
  ),
  getReturnSettings: record<E.ReturnSettings, E.TenantQuery>()('admin', '/api/v1/admin/return-settings', 'returns'),
  changeReturnSettings: call<{ body: E.ReturnSettingsForm; answer: E.ReturnSettings }>()(
    'settings',
    'PUT',
    '/api/v1/admin/return-settings',
    'returns',
  ),

  getCharts: record<E.Charts, E.ChartsQuery>()('admin', '/api/v1/admin/charts', 'charts'),

  getOverview: record<E.Overview, E.OverviewQuery>()('admin', '/api/v1/admin/overview', 'overview'),

  search: record<E.SearchResults, E.SearchQuery>()('admin', '/api/v1/admin/search', 'search'),

  getPlayer: record<E.PlayerDetails>()('admin', '/api/v1/admin/user/{id}', 'player_view'),
  getPlayerLedger: record<E.LedgerPage, E.LedgerQuery>()('admin', '/api/v1/admin/user/{id}/ledger', 'player_view'),
  listPlayerPurchases: list<E.Transaction>()('admin', '/api/v1/admin/user/{id}/purchases', 'player_view'),
  listPlayerRedeems: list<E.Redeem>()('admin', '/api/v1/admin/user/{id}/redeems', 'player_view'),
  addPlayerNote: once(
    call<{ body: E.NoteForm; answer: E.PlayerNote }>()(
      'support',
      'POST',
      '/api/v1/admin/user/{id}/notes',
      'player_view',
    ),
  ),
  savePlayerTags: call<{ body: E.TagsForm; answer: E.PlayerTags }>()(
    'support',
    'PUT',
    '/api/v1/admin/user/{id}/tags',
    'player_view',
  ),
  holdPayouts: call<{ body: E.HoldForm; answer: E.HoldAnswer }>()(
    'payouts',
    'PUT',
    '/api/v1/admin/user/{id}/payout-hold',
    'player_view',
  ),

  checkImport: {
    ...call<{ body: E.ImportBatch; answer: E.ImportAnswer }>()(
      'import',
      'POST',
      '/api/v1/admin/imports/check',
      'import',
    ),
    isRead: true as const,
  },
  importRows: call<{ body: E.ImportBatch; answer: E.ImportAnswer }>()(
    'import',
    'POST',
    '/api/v1/admin/imports',
    'import',
  ),

  listApprovals: list<E.Approval, E.TenantQuery>()('admin', '/api/v1/admin/approvals', 'approvals'),
  approveChange: call<{ answer: E.Ok }>()('admin', 'POST', '/api/v1/admin/approvals/{id}/approve', 'approvals'),
  endApproval: call<{ answer: E.Ok }>()('admin', 'DELETE', '/api/v1/admin/approvals/{id}', 'approvals'),
  getApprovalLimits: record<E.ApprovalLimitsAnswer, E.TenantQuery>()(
    'admin',
    '/api/v1/admin/approval-limits',
    'approvals',
  ),
  changeApprovalLimits: call<{ body: E.ApprovalLimitsForm; answer: E.ApprovalLimits }>()(
    'team',
    'PUT',
    '/api/v1/admin/approval-limits',
    'approvals',
  ),

  addPlayerTags: once(
    call<{ body: E.TagsForm; answer: E.PlayerTags }>()('support', 'POST', '/api/v1/admin/user/{id}/tags', 'bulk_work'),
  ),
  setPlayerActive: once(
    call<{ body: E.ActiveForm; answer: E.Player }>()('support', 'PUT', '/api/v1/admin/user/{id}/active', 'bulk_work'),
  ),

  listSavedViews: list<E.SavedView, E.SavedViewsQuery>()('admin', '/api/v1/admin/saved-views', 'saved_views'),
  createSavedView: once(
    call<{ body: E.NewSavedView; answer: E.SavedView }>()('admin', 'POST', '/api/v1/admin/saved-views', 'saved_views'),
  ),
  deleteSavedView: call<{ answer: E.Ok }>()('admin', 'DELETE', '/api/v1/admin/saved-views/{id}', 'saved_views'),

  getValueAccounts: record<E.ValueAccounts, E.TenantQuery>()('admin', '/api/v1/admin/accounts', 'accounts'),

  listLinkTemplates: list<E.LinkTemplate, E.TenantQuery>()('admin', '/api/v1/admin/link-templates', 'link_templates'),
  saveLinkTemplates: call<{ body: E.LinkTemplatesForm; answer: E.LinkTemplate[] }>()(
    'settings',
    'PUT',
    '/api/v1/admin/link-templates',
    'link_templates',
  ),

  listNotifications: list<E.Notification, E.NotificationsQuery>()(
    'admin',
    '/api/v1/admin/notifications',
    'notifications',
  ),
  countUnreadNotifications: record<E.UnreadCount, E.NotificationsQuery>()(
    'admin',
    '/api/v1/admin/notifications/unread',
    'notifications',
  ),
  listNotificationRows: list<E.NotificationRow, E.NotificationRowsQuery>()(
    'admin',
    '/api/v1/admin/notifications/rows',
    'notifications',
  ),
  readNotifications: {
    ...call<{ body: E.ReadForm; answer: E.UnreadCount }>()(
      'admin',
      'POST',
      '/api/v1/admin/notifications/read',
      'notifications',
    ),
    isPersonal: true as const,
  },
  muteNotificationRule: call<{ body: E.MuteForm; answer: E.NotificationRule }>()(
    'settings',
    'POST',
    '/api/v1/admin/notification-rules/mute',
    'notifications',
  ),
  getAccount: record<E.Account>()('session', '/api/v1/auth/account', 'account'),
};

/** Every call (allCalls.ts). */
export type Calls = typeof appCalls & typeof dialogCalls & typeof intakeCalls;
export type CallName = keyof Calls;

type TypesOf<N extends CallName> = NonNullable<Calls[N]['types']>;
type PathKeys<P extends string> = P extends `${string}{${infer Key}}${infer Rest}` ? Key | PathKeys<Rest> : never;

/** The placeholders in the path of a call. */
export type Params<N extends CallName> = { [K in PathKeys<Calls[N]['path']>]: number | string };
export type Query<N extends CallName> = TypesOf<N> extends { query: infer Q } ? Q : object;
export type Body<N extends CallName> = TypesOf<N> extends { body: infer B } ? B : undefined;
export type Answer<N extends CallName> = TypesOf<N> extends { answer: infer A } ? A : undefined;
/** What the app passes: path and query values side by side, and the body under `body`. */
export type Input<N extends CallName> = Params<N> &
  Query<N> &
  (TypesOf<N> extends { body: infer B } ? { body: B } : unknown);

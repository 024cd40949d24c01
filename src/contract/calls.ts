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
  login: call<E.LoginAnswer, E.Credentials>()('anyone', 'POST', '/api/v1/auth/login/json'),
  loginToTenant: call<E.LoginAnswer, E.Credentials>()('anyone', 'POST', '/api/v1/auth/login/tenant/{tenant_id}'),
  logout: call<E.LoggedOut>()('session', 'POST', '/api/v1/auth/logout', 'logout'),
  askForPasswordLink: call<E.Ok, E.LinkRequest>()('anyone', 'POST', '/api/v1/auth/password-link', 'mail_links'),
  choosePassword: call<E.Ok, E.ChosenPassword>()('anyone', 'POST', '/api/v1/auth/password', 'mail_links'),

  listTenants: list<E.Tenant>()('super', TENANTS_PATH),
  createTenant: once<E.Tenant, E.TenantForm>()('super', 'POST', TENANTS_PATH),
  updateTenant: call<E.Tenant, E.TenantForm>()('super', 'PUT', '/api/v1/admin/tenants/{id}/'),
  listTenantFigures: list<E.TenantFigures>()('super', '/api/v1/admin/tenant-figures', 'overview'),
  getTenantSetup: record<E.TenantSetup>()('super', '/api/v1/admin/tenants/{id}/setup', 'tenant_setup'),
  listAssignments: list<E.Assignment>()('super', '/api/v1/admin/tenants/{id}/platforms/'),
  saveAssignment: call<E.Assignment, E.PlatformCredentials>()(
    'super',
    'POST',
    '/api/v1/admin/tenants/{tenant_id}/platforms/{platform_id}/credentials',
  ),

  listPlatforms: platforms<E.Platform>()('admin', '/api/v1/admin/platforms/all'),
  unassignPlatform: call<E.Ok, E.TenantNamed>()('super', 'POST', '/api/v1/admin/platforms/{id}/deactivate'),

  listRoles: list<E.Role>()('super', '/api/v1/admin/roles/'),
  listAdmins: list<E.Admin, E.TenantNamed>()('super', '/api/v1/admin/admin-users/'),
  createAdmin: once<E.Admin, E.NewAdmin>()('super', 'POST', '/api/v1/admin/admin-users/'),
  updateAdmin: call<E.Admin, E.AdminForm>()('super', 'PUT', '/api/v1/admin/admin-users/{id}/'),
  disableAdmin: call<E.Ok, undefined, E.DisableQuery>()('super', 'DELETE', '/api/v1/admin/admin-users/{id}'),

  resetTwoFactor: call<E.Ok>()('super', 'POST', '/api/v1/admin/admin-users/{id}/reset-two-factor', 'account'),
  listPurchases: list<E.Transaction, E.PurchasesQuery>()('admin', '/api/v1/admin/purchases'),
  listDeposits: list<E.Transaction, E.ListQuery>()('admin', '/api/v1/admin/deposits'),
  changePurchaseStatus: once<E.Transaction, E.StatusForm>()('queue', 'POST', '/api/v1/admin/purchases/{id}/status'),

  listPlayers: playerPage<E.PlayerPage, E.PlayerQuery>()('admin', PLAYERS_PATH),
  updatePlayerCredential: call<E.PlayerCredential, E.PlayerCredentialForm>()(
    'support',
    'PUT',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}',
  ),
  listPlayerCredentials: list<E.PlayerCredential>()('admin', '/api/v1/admin/user/{id}/platform-credentials'),
  createPlayerCredential: once<E.PlayerCredential, E.NewPlayerCredential>()(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials',
    'player_logins',
  ),
  togglePlayerCredential: call<E.PlayerCredential, E.CredentialSwitch>()(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}/toggle',
    'player_logins',
  ),
  copyPlayerPassword: call<E.CopiedPassword>()(
    'support',
    'POST',
    '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}/password',
    'player_logins',
  ),
  getRowNeeds: record<E.RowNeeds>()('admin', '/api/v1/admin/transactions/{id}/needs', 'player_logins'),
  listPlayerTransactions: list<E.HistoryLine, E.HistoryQuery>()('admin', '/api/v1/admin/user/{id}/transaction-history'),
  updatePlayer: call<E.Player, E.PlayerForm>()('support', 'PUT', '/api/v1/users/{id}'),
  createPlayer: once<E.Player, E.NewPlayer>()('support', 'POST', '/api/v1/users'),
  deletePlayer: once<E.Ok, undefined, E.ChangeReason>()('support', 'DELETE', '/api/v1/users/{id}'),
  adjustBalances: once<E.BalanceAnswer, E.BalanceForm>()('money', 'POST', '/api/v1/admin/user/{id}/update-balances'),

  listAvailablePlatforms: platforms<E.AvailablePlatform, OfferedTenant>()('admin', '/api/v1/admin/my-platforms/all'),
  listMyPlatforms: list<E.MyPlatform, OfferedTenant>()('admin', '/api/v1/admin/my-platforms/'),
  activateMyPlatform: call<E.MyPlatform, undefined, OfferedTenant>()(
    'settings',
    'POST',
    '/api/v1/admin/my-platforms/{id}/activate',
  ),
  deactivateMyPlatform: call<E.MyPlatform, undefined, OfferedTenant>()(
    'settings',
    'POST',
    '/api/v1/admin/my-platforms/{id}/deactivate',
  ),
  saveMyPlatformCredentials: call<E.MyPlatform, E.PlatformCredentials, OfferedTenant>()(
    'settings',
    'POST',
    '/api/v1/admin/my-platforms/{id}/credentials',
  ),
  savePanelAddress: call<E.MyPlatform, E.PanelAddress, OfferedTenant>()(
    'settings',
    'PUT',
    '/api/v1/admin/my-platforms/{id}/panel',
    'player_logins',
  ),

  listPlatformNames: platforms<E.Platform>()('anyone', '/api/v1/platforms/all'),
  submitRedeem: once<E.Redeem, E.RedeemForm>()('checkout', 'POST', '/api/v1/checkout/redeem'),

  listRedeems: list<E.Redeem, E.ListQuery>()('admin', '/api/v1/admin/redeems'),
  changeRedeemStatus: once<E.Redeem, E.StatusForm>()('payouts', 'POST', '/api/v1/admin/redeems/{id}/status'),
  searchPlayers: list<E.PlayerHit, E.PlayerSearch>()('admin', '/api/v1/admin/users/search'),
  createManualRedeem: once<E.Redeem, E.ManualRedeemForm>()('payouts', 'POST', '/api/v1/admin/redeems/manual'),

  getAffiliateStats: record<E.AffiliateStats, E.AffiliateQuery>()('admin', '/api/v1/admin/affiliate-stats'),
  getAffiliates: record<E.AffiliateList, E.AffiliatesQuery>()('admin', '/api/v1/admin/affiliates', 'affiliates'),

  getDashboardMetrics: recordOrNull<E.DashboardMetrics, E.TenantQuery>()('admin', '/api/v1/admin/dashboard-metrics'),
  listNewPlayersToday: list<E.PlayerToday, E.TenantQuery>()('admin', '/api/v1/admin/new-players-today'),
  listFirstPurchasesToday: list<E.FirstPurchase, E.TenantQuery>()('admin', '/api/v1/admin/first-purchases-today'),

  listPaymentMethods: list<E.PaymentMethod>()('super', '/api/v1/admin/payment-methods/all'),
  togglePaymentMethod: once<E.PaymentMethod>()(
    'super',
    'POST',
    '/api/v1/admin/payment-methods/{tenant_id}/{platform}/toggle',
  ),
  deletePaymentMethod: once<E.Ok, undefined, E.ChangeReason>()(
    'super',
    'DELETE',
    '/api/v1/admin/payment-methods/{tenant_id}/{platform}',
  ),
  createPaymentMethod: once<E.PaymentMethod, E.PaymentCredentials, E.NewPaymentMethodQuery>()(
    'super',
    'POST',
    '/api/v1/admin/payment-methods/{tenant_id}',
  ),
  updatePaymentMethod: call<E.PaymentMethod, E.PaymentCredentials, E.PaymentMethodQuery>()(
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
  claimRow: call<E.Claim, E.ClaimForm>()('admin', 'POST', '/api/v1/admin/claims', 'claims'),
  releaseRow: call<E.Ok>()('admin', 'DELETE', '/api/v1/admin/claims/{id}', 'claims'),
  getQueueSettings: record<E.QueueSettings, E.TenantQuery>()('admin', '/api/v1/admin/queue-settings', 'late_minutes'),
  changeQueueSettings: call<E.QueueSettings, E.QueueSettingsForm>()(
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
  exportReturns: csv<E.ListQuery>()('/api/v1/admin/returns/export', 'returns'),
  createReturn: once<E.ReturnRow, E.ReturnForm>()('queue', 'POST', '/api/v1/admin/returns', 'returns'),
  getReturnSettings: record<E.ReturnSettings, E.TenantQuery>()('admin', '/api/v1/admin/return-settings', 'returns'),
  changeReturnSettings: call<E.ReturnSettings, E.ReturnSettingsForm>()(
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
  addPlayerNote: once<E.PlayerNote, E.NoteForm>()('support', 'POST', '/api/v1/admin/user/{id}/notes', 'player_view'),
  savePlayerTags: call<E.PlayerTags, E.TagsForm>()('support', 'PUT', '/api/v1/admin/user/{id}/tags', 'player_view'),
  holdPayouts: call<E.HoldAnswer, E.HoldForm>()('payouts', 'PUT', '/api/v1/admin/user/{id}/payout-hold', 'player_view'),

  checkImport: {
    ...call<E.ImportAnswer, E.ImportBatch>()('import', 'POST', '/api/v1/admin/imports/check', 'import'),
    isRead: true as const,
  },
  importRows: call<E.ImportAnswer, E.ImportBatch>()('import', 'POST', '/api/v1/admin/imports', 'import'),

  listApprovals: list<E.Approval, E.TenantQuery>()('admin', '/api/v1/admin/approvals', 'approvals'),
  approveChange: call<E.Ok>()('admin', 'POST', '/api/v1/admin/approvals/{id}/approve', 'approvals'),
  endApproval: call<E.Ok>()('admin', 'DELETE', '/api/v1/admin/approvals/{id}', 'approvals'),
  getApprovalLimits: record<E.ApprovalLimitsAnswer, E.TenantQuery>()(
    'admin',
    '/api/v1/admin/approval-limits',
    'approvals',
  ),
  changeApprovalLimits: call<E.ApprovalLimits, E.ApprovalLimitsForm>()(
    'team',
    'PUT',
    '/api/v1/admin/approval-limits',
    'approvals',
  ),

  addPlayerTags: once<E.PlayerTags, E.TagsForm>()('support', 'POST', '/api/v1/admin/user/{id}/tags', 'bulk_work'),
  setPlayerActive: once<E.Player, E.ActiveForm>()('support', 'PUT', '/api/v1/admin/user/{id}/active', 'bulk_work'),

  listSavedViews: list<E.SavedView, E.SavedViewsQuery>()('admin', '/api/v1/admin/saved-views', 'saved_views'),
  createSavedView: once<E.SavedView, E.NewSavedView>()('admin', 'POST', '/api/v1/admin/saved-views', 'saved_views'),
  deleteSavedView: call<E.Ok>()('admin', 'DELETE', '/api/v1/admin/saved-views/{id}', 'saved_views'),

  getValueAccounts: record<E.ValueAccounts, E.TenantQuery>()('admin', '/api/v1/admin/accounts', 'accounts'),

  listLinkTemplates: list<E.LinkTemplate, E.TenantQuery>()('admin', '/api/v1/admin/link-templates', 'link_templates'),
  saveLinkTemplates: call<E.LinkTemplate[], E.LinkTemplatesForm>()(
    'settings',
    'PUT',
    '/api/v1/admin/link-templates',
    'link_templates',
  ),

  listNotifications: list<E.Notification, E.TenantQuery>()('admin', '/api/v1/admin/notifications', 'notifications'),
  countUnreadNotifications: record<E.UnreadCount, E.TenantQuery>()(
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
    ...call<E.UnreadCount, E.ReadForm>()('admin', 'POST', '/api/v1/admin/notifications/read', 'notifications'),
    isPersonal: true as const,
  },
  muteNotificationRule: call<E.NotificationRule, E.MuteForm>()(
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
export type Query<N extends CallName> = TypesOf<N>['query'];
export type Body<N extends CallName> = TypesOf<N>['body'];
export type Answer<N extends CallName> = TypesOf<N>['answer'];
/** What the app passes: path and query values side by side, and the body under `body`. */
export type Input<N extends CallName> = Params<N> &
  Query<N> &
  (Body<N> extends undefined ? unknown : { body: Body<N> });

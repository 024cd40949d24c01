import type * as A from './account';
import { call, callByKey, csv } from './call';
import { PLAYERS_PATH, TENANTS_PATH, type ChartDays, type Feature, type MoneyList, type PaymentPlatform } from './constants';
import type * as E from './entities';
import type { ImportAnswer, ImportBatch } from './imports';
import type * as I from './integrations';
import type * as S from './search';

export type { CallSpec, Method, Who } from './call';

interface Ok { ok: true }
interface MaybeTenant { tenant_id?: number | undefined }
/** Needs the feature `platforms_tenant`. */
type OfferedTenant = MaybeTenant;

/** Every call of the product, in the order of docs/product.md, "Calls". Paths are written here and nowhere else. */
export const calls = {
  login:         call<{ body: A.Credentials; answer: A.LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/json'),
  loginToTenant: call<{ body: A.Credentials; answer: A.LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/tenant/{tenant_id}'),
  logout:        call<{ answer: Ok }>()('session', 'POST', '/api/v1/auth/logout', 'logout'),

  listTenants:     call<{ answer: E.Tenant[] }>()('super', 'GET', TENANTS_PATH),
  createTenant:    call<{ body: E.TenantForm; answer: E.Tenant }>()('super', 'POST', TENANTS_PATH),
  updateTenant:    call<{ body: E.TenantForm; answer: E.Tenant }>()('super', 'PUT', '/api/v1/admin/tenants/{id}/'),
  listAssignments: call<{ answer: E.Assignment[] }>()('super', 'GET', '/api/v1/admin/tenants/{id}/platforms/'),
  saveAssignment:  call<{ body: E.PlatformCredentials; answer: E.Assignment }>()('super', 'POST', '/api/v1/admin/tenants/{tenant_id}/platforms/{platform_id}/credentials'),

  listPlatforms:    call<{ answer: E.Platform[] }>()('admin', 'GET', '/api/v1/admin/platforms/all'),
  unassignPlatform: call<{ body: { tenant_id: number }; answer: Ok }>()('super', 'POST', '/api/v1/admin/platforms/{id}/deactivate'),

  listRoles:    call<{ answer: E.Role[] }>()('super', 'GET', '/api/v1/admin/roles/'),
  listAdmins:   call<{ query: { tenant_id: number }; answer: E.Admin[] }>()('super', 'GET', '/api/v1/admin/admin-users/'),
  createAdmin:  call<{ body: E.NewAdmin; answer: E.Admin }>()('super', 'POST', '/api/v1/admin/admin-users/'),
  updateAdmin:  call<{ body: E.AdminForm; answer: E.Admin }>()('super', 'PUT', '/api/v1/admin/admin-users/{id}/'),
  disableAdmin: call<{ query: E.ChangeReason; answer: Ok }>()('super', 'DELETE', '/api/v1/admin/admin-users/{id}'),

  listPurchases:        call<{ query: E.ListQuery & { transaction_type?: string }; answer: E.Transaction[] }>()('admin', 'GET', '/api/v1/admin/purchases'),
  listDeposits:         call<{ query: E.ListQuery; answer: E.Transaction[] }>()('admin', 'GET', '/api/v1/admin/deposits'),
  changePurchaseStatus: call<{ body: E.StatusForm; answer: E.Transaction }>()('admin', 'POST', '/api/v1/admin/purchases/{id}/status'),

  listPlayers:            call<{ query: E.PlayerQuery; answer: E.PlayerPage }>()('admin', 'GET', PLAYERS_PATH),
  updatePlayerCredential: call<{ body: E.PlayerCredentialForm; answer: E.PlayerCredential }>()('admin', 'PUT', '/api/v1/admin/user/{user_id}/platform-credentials/{credential_id}'),
  listPlayerCredentials:  call<{ answer: E.PlayerCredential[] }>()('admin', 'GET', '/api/v1/admin/user/{id}/platform-credentials'),
  listPlayerTransactions: call<{ query: { limit?: number }; answer: E.HistoryLine[] }>()('admin', 'GET', '/api/v1/admin/user/{id}/transaction-history'),
  updatePlayer:           call<{ body: Partial<E.PlayerForm>; answer: E.Player }>()('admin', 'PUT', '/api/v1/users/{id}'),
  createPlayer:           call<{ body: E.NewPlayer; answer: E.Player }>()('admin', 'POST', '/api/v1/users'),
  deletePlayer:           call<{ query: E.ChangeReason; answer: Ok }>()('admin', 'DELETE', '/api/v1/users/{id}'),
  adjustBalances:         call<{ body: E.BalanceForm; answer: E.Player }>()('admin', 'POST', '/api/v1/admin/user/{id}/update-balances'),

  listAvailablePlatforms:    call<{ query: OfferedTenant; answer: E.AvailablePlatform[] }>()('admin', 'GET', '/api/v1/admin/my-platforms/all'),
  listMyPlatforms:           call<{ query: OfferedTenant; answer: E.MyPlatform[] }>()('admin', 'GET', '/api/v1/admin/my-platforms/'),
  activateMyPlatform:        call<{ query: OfferedTenant; answer: E.MyPlatform }>()('admin', 'POST', '/api/v1/admin/my-platforms/{id}/activate'),
  deactivateMyPlatform:      call<{ query: OfferedTenant; answer: E.MyPlatform }>()('admin', 'POST', '/api/v1/admin/my-platforms/{id}/deactivate'),
  saveMyPlatformCredentials: call<{ query: OfferedTenant; body: E.PlatformCredentials; answer: E.MyPlatform }>()('admin', 'POST', '/api/v1/admin/my-platforms/{id}/credentials'),

  listPlatformNames: call<{ answer: E.Platform[] }>()('anyone', 'GET', '/api/v1/platforms/all'),
  submitRedeem:      call<{ body: E.RedeemForm; answer: E.Redeem }>()('checkout', 'POST', '/api/v1/checkout/redeem'),

  listRedeems:        call<{ query: E.ListQuery; answer: E.Redeem[] }>()('admin', 'GET', '/api/v1/admin/redeems'),
  changeRedeemStatus: call<{ body: E.StatusForm; answer: E.Redeem }>()('admin', 'POST', '/api/v1/admin/redeems/{id}/status'),
  searchPlayers:      call<{ query: { email: string }; answer: E.PlayerHit[] }>()('admin', 'GET', '/api/v1/admin/users/search'),
  createManualRedeem: call<{ body: E.ManualRedeemForm; answer: E.Redeem }>()('admin', 'POST', '/api/v1/admin/redeems/manual'),

  getAffiliateStats: call<{ query: E.AffiliateQuery; answer: E.AffiliateStats }>()('admin', 'GET', '/api/v1/admin/affiliate-stats'),
  getAffiliates:     call<{ query: S.AffiliatesQuery; answer: S.AffiliateList }>()('admin', 'GET', '/api/v1/admin/affiliates', 'affiliates'),

  getDashboardMetrics:     call<{ query: MaybeTenant; answer: E.DashboardMetrics }>()('admin', 'GET', '/api/v1/admin/dashboard-metrics'),
  listNewPlayersToday:     call<{ query: MaybeTenant; answer: E.PlayerToday[] }>()('admin', 'GET', '/api/v1/admin/new-players-today'),
  listFirstPurchasesToday: call<{ query: MaybeTenant; answer: E.FirstPurchase[] }>()('admin', 'GET', '/api/v1/admin/first-purchases-today'),

  listPaymentMethods:  call<{ answer: E.PaymentMethod[] }>()('super', 'GET', '/api/v1/admin/payment-methods/all'),
  togglePaymentMethod: call<{ answer: E.PaymentMethod }>()('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}/{platform}/toggle'),
  deletePaymentMethod: call<{ query: E.ChangeReason; answer: Ok }>()('super', 'DELETE', '/api/v1/admin/payment-methods/{tenant_id}/{platform}'),
  createPaymentMethod: call<{ query: { payment_platform: PaymentPlatform; webhook_url?: string }; body: E.PaymentCredentials; answer: E.PaymentMethod }>()('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}'),
  updatePaymentMethod: call<{ query: { webhook_url?: string }; body: E.PaymentCredentials; answer: E.PaymentMethod }>()('super', 'PUT', '/api/v1/admin/payment-methods/{tenant_id}/{platform}'),

  getAudit: call<{ query: E.AuditQuery; answer: E.AuditPage }>()('admin', 'GET', '/api/v1/admin/audit', 'audit'),

  countPending:    call<{ query: MaybeTenant; answer: E.PendingCounts }>()('admin', 'GET', '/api/v1/admin/pending-counts', 'queue'),
  countListed:     call<{ query: E.ListFilter & MaybeTenant & { list: MoneyList }; answer: { total: number } }>()('admin', 'GET', '/api/v1/admin/list-count', 'queue'),
  exportPlayers:   csv<E.PlayerQuery>()('/api/v1/admin/user-management/users/export'),
  exportPurchases: csv<E.ListQuery & { transaction_type?: string }>()('/api/v1/admin/purchases/export'),
  exportDeposits:  csv<E.ListQuery>()('/api/v1/admin/deposits/export'),
  exportRedeems:   csv<E.ListQuery>()('/api/v1/admin/redeems/export'),

  getCharts: call<{ query: MaybeTenant & { days?: ChartDays | undefined }; answer: E.Charts }>()('admin', 'GET', '/api/v1/admin/charts', 'charts'),

  findAnything: call<{ query: MaybeTenant & { q: string }; answer: S.Found }>()('admin', 'GET', '/api/v1/admin/search', 'search'),

  getPlayer:           call<{ answer: E.PlayerFile }>()('admin', 'GET', '/api/v1/admin/user/{id}', 'player_view'),
  getPlayerLedger:     call<{ query: { account?: E.LedgerLine['account'] | undefined; cursor?: number | undefined }; answer: E.LedgerPage }>()('admin', 'GET', '/api/v1/admin/user/{id}/ledger', 'player_view'),
  listPlayerPurchases: call<{ answer: E.Transaction[] }>()('admin', 'GET', '/api/v1/admin/user/{id}/purchases', 'player_view'),
  listPlayerRedeems:   call<{ answer: E.Redeem[] }>()('admin', 'GET', '/api/v1/admin/user/{id}/redeems', 'player_view'),
  addPlayerNote:       call<{ body: { text: string }; answer: E.PlayerNote }>()('admin', 'POST', '/api/v1/admin/user/{id}/notes', 'player_view'),
  savePlayerTags:      call<{ body: { tags: string[] }; answer: { tags: string[] } }>()('admin', 'PUT', '/api/v1/admin/user/{id}/tags', 'player_view'),
  holdPayouts:         call<{ body: E.HoldForm; answer: { hold: E.PayoutHold | null } }>()('admin', 'PUT', '/api/v1/admin/user/{id}/payout-hold', 'player_view'),

  checkImport: { ...call<{ body: ImportBatch; answer: ImportAnswer }>()('admin', 'POST', '/api/v1/admin/imports/check', 'import'), isRead: true as const },
  importRows:  call<{ body: ImportBatch; answer: ImportAnswer }>()('admin', 'POST', '/api/v1/admin/imports', 'import'),

  listApiKeys:         call<{ query: MaybeTenant; answer: I.ApiKey[] }>()('admin', 'GET', '/api/v1/admin/api-keys', 'api_keys'),
  createApiKey:        call<{ body: I.NewApiKey; answer: I.MadeApiKey }>()('admin', 'POST', '/api/v1/admin/api-keys', 'api_keys'),
  revokeApiKey:        call<{ answer: Ok }>()('admin', 'DELETE', '/api/v1/admin/api-keys/{id}', 'api_keys'),
  getWebhook:          call<{ answer: I.Webhook }>()('super', 'GET', '/api/v1/admin/payment-methods/{tenant_id}/{platform}/webhook', 'webhooks'),
  revealWebhookSecret: call<{ body: { rotate: boolean }; answer: { secret: string } }>()('super', 'POST', '/api/v1/admin/payment-methods/{tenant_id}/{platform}/webhook-secret', 'webhooks'),

  getAccount:         call<{ answer: A.Account }>()('session', 'GET', '/api/v1/auth/account', 'account'),
  changePassword:     call<{ body: A.PasswordForm; answer: Ok }>()('session', 'PUT', '/api/v1/auth/password', 'account'),
  listSessions:       call<{ answer: A.OwnSession[] }>()('session', 'GET', '/api/v1/auth/sessions', 'account'),
  endSession:         call<{ answer: Ok }>()('session', 'DELETE', '/api/v1/auth/sessions/{id}', 'account'),
  endOtherSessions:   call<{ answer: Ok }>()('session', 'DELETE', '/api/v1/auth/sessions', 'account'),
  setUpTwoFactor:     call<{ body: { password: string }; answer: A.TwoFactorSetup }>()('session', 'POST', '/api/v1/auth/two-factor', 'account'),
  confirmTwoFactor:   call<{ body: { code: string }; answer: A.RecoveryCodes & { features: Feature[] } }>()('session', 'POST', '/api/v1/auth/two-factor/confirm', 'account'),
  turnOffTwoFactor:   call<{ body: A.BothFactors; answer: Ok }>()('session', 'POST', '/api/v1/auth/two-factor/off', 'account'),
  renewRecoveryCodes: call<{ body: A.BothFactors; answer: A.RecoveryCodes }>()('session', 'POST', '/api/v1/auth/two-factor/recovery-codes', 'account'),
  resetTwoFactor:     call<{ answer: Ok }>()('super', 'POST', '/api/v1/admin/admin-users/{id}/reset-two-factor', 'account'),

  receiveWebhook: { ...call<{ body: I.WebhookEvent; answer: I.WebhookAnswer }>()('anyone', 'POST', '/api/v1/webhooks/{tenant_id}/{platform}', 'webhooks'), isSigned: true as const },

  pushPlayer:      callByKey<{ body: I.PushedPlayer; answer: I.PushedPlayerAnswer }>()('players:write', 'POST', '/api/v1/intake/players'),
  pushTopUp:       callByKey<{ body: I.PushedTopUp; answer: I.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/top-ups'),
  pushDeposit:     callByKey<{ body: I.PushedDeposit; answer: I.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/deposits'),
  pushRedeem:      callByKey<{ body: I.PushedRedeem; answer: I.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/redeems'),
  pushStatus:      callByKey<{ body: I.PushedStatus; answer: I.PushedMoney }>()('transactions:write', 'POST', '/api/v1/intake/transactions/{id}/status'),
  readTransaction: callByKey<{ answer: I.PushedMoney }>()('transactions:write', 'GET', '/api/v1/intake/transactions/{id}'),
};

export type Calls = typeof calls;
export type CallName = keyof Calls;

type TypesOf<N extends CallName> = NonNullable<Calls[N]['types']>;
type PathKeys<P extends string> = P extends `${string}{${infer Key}}${infer Rest}` ? Key | PathKeys<Rest> : never;

/** The placeholders in the path of a call. */
export type Params<N extends CallName> = { [K in PathKeys<Calls[N]['path']>]: number | string };
export type Query<N extends CallName> = TypesOf<N> extends { query: infer Q } ? Q : object;
export type Body<N extends CallName> = TypesOf<N> extends { body: infer B } ? B : undefined;
export type Answer<N extends CallName> = TypesOf<N> extends { answer: infer A } ? A : undefined;
/** What the app passes: path and query values side by side, and the body under `body`. */
export type Input<N extends CallName> = Params<N> & Query<N> & (TypesOf<N> extends { body: infer B } ? { body: B } : unknown);

/** The schemas of each call: input that does not match is 422, an answer has no column that its schema leaves out. */
import * as v from 'valibot';
import * as account from './account';
import * as admins from './admins';
import { AffiliateList, AffiliateQuery, AffiliateStats, AffiliatesQuery } from './affiliates';
import * as approvals from './approvals';
import { AuditPage, AuditQuery } from './audit';
import * as books from './books';
import { Claim, ClaimForm, ListWatch } from './claims';
import * as doubles from './doubles';
import * as eligibility from './eligibility';
import { EventPage, EventsQuery, GivenBack, WorkItem, WorkQuery } from './events';
import { ChangeReason, filled, id, Ok, TenantNamed, TenantQuery } from './fields';
import { ImportAnswer, ImportBatch } from './imports';
import * as integrations from './integrations';
import { LinkTemplate, LinkTemplatesForm } from './linkTemplates';
import { Charts, ChartsQuery, DashboardMetrics, FirstPurchase, PlayerToday } from './metrics';
import * as notifications from './notifications';
import { Overview, OverviewQuery } from './overview';
import * as passkeys from './passkeys';
import * as paymentMethods from './paymentMethods';
import { PersonalData, PersonalDataQuery } from './personalData';
import * as platforms from './platforms';
import * as players from './players';
import * as playerView from './playerView';
import { Protection, ProtectionForm, PushedProtection } from './protection';
import { QueueSettings, QueueSettingsForm } from './queueSettings';
import * as savedViews from './savedViews';
import { SearchQuery, SearchResults } from './search';
import * as shifts from './shifts';
import * as sso from './sso';
import { Tenant, TenantFigures, TenantForm, TenantSetup } from './tenants';
import * as transactions from './transactions';
import * as accounts from './valueAccounts';

/** A file is streamed; this schema only describes it. */
const Csv = v.instance(Blob);

export interface CallSchemas {
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  answer: v.GenericSchema;
}

export const schemas = {
  login: { body: account.Credentials, answer: account.LoginAnswer },
  loginToTenant: { body: account.Credentials, answer: account.LoginAnswer },
  logout: { answer: sso.LoggedOut },
  askForPasswordLink: { body: account.LinkRequest, answer: Ok },
  choosePassword: { body: account.ChosenPassword, answer: Ok },
  beginSso: { body: sso.SsoStart, answer: sso.SsoStarted },
  finishSso: { body: sso.SsoReturn, answer: sso.SsoAnswer },
  getIdentityProvider: { query: TenantQuery, answer: sso.IdentityProvider },
  saveIdentityProvider: { body: sso.IdentityProviderForm, answer: sso.IdentityProvider },
  getAllowedNetworks: { query: TenantQuery, answer: admins.AllowedNetworks },
  saveAllowedNetworks: { body: admins.NetworksForm, answer: admins.AllowedNetworks },
  getAccount: { answer: account.Account },
  changePassword: { body: account.PasswordForm, answer: account.PasswordChanged },
  listSessions: { answer: v.array(account.OwnSession) },
  endSession: { answer: Ok },
  endOtherSessions: { answer: Ok },
  setUpTwoFactor: { body: account.PasswordOnly, answer: account.TwoFactorSetup },
  confirmTwoFactor: { body: account.CodeOnly, answer: account.TwoFactorConfirmed },
  turnOffTwoFactor: { body: account.BothFactors, answer: Ok },
  renewRecoveryCodes: { body: account.BothFactors, answer: account.RecoveryCodes },
  beginPasskey: { body: passkeys.PasskeyBegin, answer: passkeys.PasskeyChallenge },
  finishPasskey: { body: passkeys.PasskeyAnswer, answer: account.LoginAnswer },
  listPasskeys: { answer: v.array(passkeys.Passkey) },
  beginNewPasskey: { body: passkeys.Confirmation, answer: passkeys.NewPasskeyChallenge },
  addPasskey: { body: passkeys.NewPasskey, answer: Ok },
  removePasskey: { body: passkeys.Confirmation, answer: Ok },
  resetTwoFactor: { answer: Ok },

  listTenants: { answer: v.array(Tenant) },
  createTenant: { body: TenantForm, answer: Tenant },
  updateTenant: { body: TenantForm, answer: Tenant },
  listTenantFigures: { answer: v.array(TenantFigures) },
  getTenantSetup: { answer: TenantSetup },
  listAssignments: { answer: v.array(platforms.Assignment) },
  saveAssignment: { body: platforms.PlatformCredentials, answer: platforms.Assignment },

  listPlatforms: { answer: v.array(platforms.Platform) },
  unassignPlatform: { body: TenantNamed, answer: Ok },

  listRoles: { answer: v.array(admins.Role) },
  listAdmins: { query: TenantNamed, answer: v.array(admins.Admin) },
  createAdmin: { body: admins.NewAdmin, answer: admins.Admin },
  updateAdmin: { body: admins.AdminForm, answer: admins.Admin },
  disableAdmin: { query: admins.DisableQuery, answer: Ok },
  listTeam: { query: TenantQuery, answer: v.array(admins.TeamMember) },
  createTeamMember: { body: admins.NewTeamMember, answer: admins.TeamMember },
  inviteTeamMember: { body: admins.Invitation, answer: admins.TeamMember },
  updateTeamMember: { body: admins.TeamMemberForm, answer: admins.TeamMember },

  listPurchases: { query: transactions.PurchasesQuery, answer: v.array(transactions.Transaction) },
  listDeposits: { query: transactions.ListQuery, answer: v.array(transactions.Transaction) },
  changePurchaseStatus: { body: transactions.StatusForm, answer: transactions.Transaction },

  listPlayers: { query: players.PlayerQuery, answer: players.PlayerPage },
  updatePlayerCredential: { body: players.PlayerCredentialForm, answer: players.PlayerCredential },
  listPlayerCredentials: { answer: v.array(players.PlayerCredential) },
  createPlayerCredential: { body: players.NewPlayerCredential, answer: players.PlayerCredential },
  togglePlayerCredential: { body: players.CredentialSwitch, answer: players.PlayerCredential },
  copyPlayerPassword: { answer: players.CopiedPassword },
  getRowNeeds: { answer: players.RowNeeds },
  listPlayerTransactions: { query: players.HistoryQuery, answer: v.array(players.HistoryLine) },
  updatePlayer: { body: players.PlayerForm, answer: players.Player },
  createPlayer: { body: players.NewPlayer, answer: players.Player },
  deletePlayer: { query: ChangeReason, answer: Ok },
  adjustBalances: { body: players.BalanceForm, answer: players.BalanceAnswer },

  /** The query of these calls needs the feature `platforms_tenant`. */
  listAvailablePlatforms: { query: TenantQuery, answer: v.array(platforms.AvailablePlatform) },
  listMyPlatforms: { query: TenantQuery, answer: v.array(platforms.MyPlatform) },
  activateMyPlatform: { query: TenantQuery, answer: platforms.MyPlatform },
  deactivateMyPlatform: { query: TenantQuery, answer: platforms.MyPlatform },
  saveMyPlatformCredentials: { query: TenantQuery, body: platforms.PlatformCredentials, answer: platforms.MyPlatform },
  savePanelAddress: { query: TenantQuery, body: platforms.PanelAddress, answer: platforms.MyPlatform },

  listPlatformNames: { answer: v.array(platforms.Platform) },
  submitRedeem: { body: transactions.RedeemForm, answer: transactions.Redeem },
  listRedeems: { query: transactions.ListQuery, answer: v.array(transactions.Redeem) },
  changeRedeemStatus: { body: transactions.StatusForm, answer: transactions.Redeem },
  searchPlayers: { query: players.PlayerSearch, answer: v.array(players.PlayerHit) },
  createManualRedeem: { body: transactions.ManualRedeemForm, answer: transactions.Redeem },
  getAffiliateStats: { query: AffiliateQuery, answer: AffiliateStats },
  getAffiliates: { query: AffiliatesQuery, answer: AffiliateList },
  getDashboardMetrics: { query: TenantQuery, answer: DashboardMetrics },
  listNewPlayersToday: { query: TenantQuery, answer: v.array(PlayerToday) },
  listFirstPurchasesToday: { query: TenantQuery, answer: v.array(FirstPurchase) },

  listPaymentMethods: { answer: v.array(paymentMethods.PaymentMethod) },
  togglePaymentMethod: { answer: paymentMethods.PaymentMethod },
  deletePaymentMethod: { query: ChangeReason, answer: Ok },
  createPaymentMethod: {
    query: paymentMethods.NewPaymentMethodQuery,
    body: paymentMethods.PaymentCredentials,
    answer: paymentMethods.PaymentMethod,
  },
  updatePaymentMethod: {
    query: paymentMethods.PaymentMethodQuery,
    body: paymentMethods.PaymentCredentials,
    answer: paymentMethods.PaymentMethod,
  },

  getAudit: { query: AuditQuery, answer: AuditPage },
  countPending: { query: TenantQuery, answer: transactions.PendingCounts },
  countListed: { query: transactions.CountQuery, answer: transactions.Count },
  countNew: { query: transactions.NewRowsQuery, answer: transactions.NewRows },
  getQueueSettings: { query: TenantQuery, answer: QueueSettings },
  changeQueueSettings: { body: QueueSettingsForm, answer: QueueSettings },
  watchList: { query: transactions.NewRowsQuery, answer: ListWatch },
  claimRow: { body: ClaimForm, answer: Claim },
  releaseRow: { answer: Ok },
  sumListed: { query: transactions.CountQuery, answer: transactions.ListSums },
  exportPurchases: { query: transactions.PurchasesQuery, answer: Csv },
  exportDeposits: { query: transactions.ListQuery, answer: Csv },
  exportRedeems: { query: transactions.ListQuery, answer: Csv },
  exportPlayers: { query: players.PlayerQuery, answer: Csv },

  listReturns: { query: transactions.ListQuery, answer: v.array(transactions.ReturnRow) },
  exportReturns: { query: transactions.ListQuery, answer: Csv },
  createReturn: { body: transactions.ReturnForm, answer: transactions.ReturnRow },
  getReturnSettings: { query: TenantQuery, answer: transactions.ReturnSettings },
  changeReturnSettings: { body: transactions.ReturnSettingsForm, answer: transactions.ReturnSettings },

  getTransactionDetails: { answer: transactions.TransactionDetails },

  getBooks: { query: TenantQuery, answer: books.Books },
  verifyBooks: { body: books.VerifyForm, answer: Ok },
  listBookMonths: { query: TenantNamed, answer: v.array(books.BookMonth) },
  closeMonth: { body: books.MonthNamed, answer: books.ClosedAnswer },
  getStatement: { query: books.MonthNamed, answer: books.MonthStatement },
  exportStatement: { query: books.MonthNamed, answer: Csv },
  listYearPayouts: { query: books.YearQuery, answer: v.array(books.YearPayouts) },
  exportYearPayouts: { query: books.YearQuery, answer: Csv },

  getCharts: { query: ChartsQuery, answer: Charts },
  getOverview: { query: OverviewQuery, answer: Overview },
  search: { query: SearchQuery, answer: SearchResults },
  getPersonalData: { query: PersonalDataQuery, answer: PersonalData },
  getEligibility: { answer: eligibility.Eligibility },
  saveEligibility: { body: eligibility.EligibilityForm, answer: eligibility.Eligibility },
  getEligibilityRules: { query: TenantQuery, answer: eligibility.EligibilityRules },
  changeEligibilityRules: { body: eligibility.EligibilityRulesForm, answer: eligibility.EligibilityRules },
  getProtection: { answer: Protection },
  saveProtection: { body: ProtectionForm, answer: Protection },
  getPossibleDoubles: { query: doubles.DoublesQuery, answer: doubles.DoublesPage },
  linkPlayers: { body: doubles.PairForm, answer: Protection },
  unlinkPlayer: { answer: Protection },
  dismissPair: { body: doubles.PairForm, answer: Ok },
  getPlayer: { answer: playerView.PlayerDetails },
  getPlayerLedger: { query: playerView.LedgerQuery, answer: playerView.LedgerPage },
  listPlayerPurchases: { answer: v.array(transactions.Transaction) },
  listPlayerRedeems: { answer: v.array(transactions.Redeem) },
  addPlayerNote: { body: playerView.NoteForm, answer: playerView.PlayerNote },
  savePlayerTags: { body: playerView.TagsForm, answer: playerView.PlayerTags },
  holdPayouts: { body: playerView.HoldForm, answer: playerView.HoldAnswer },

  addPlayerTags: { body: playerView.TagsForm, answer: playerView.PlayerTags },
  setPlayerActive: { body: players.ActiveForm, answer: players.Player },

  listSavedViews: { query: savedViews.SavedViewsQuery, answer: v.array(savedViews.SavedView) },
  createSavedView: { body: savedViews.NewSavedView, answer: savedViews.SavedView },
  deleteSavedView: { answer: Ok },
  listNotifications: { query: TenantQuery, answer: v.array(notifications.Notification) },
  countUnreadNotifications: { query: TenantQuery, answer: notifications.UnreadCount },
  listNotificationRows: { query: notifications.NotificationRowsQuery, answer: v.array(notifications.NotificationRow) },
  readNotifications: { body: notifications.ReadForm, answer: notifications.UnreadCount },
  listNotificationRules: { query: TenantQuery, answer: v.array(notifications.NotificationRule) },
  saveNotificationRule: { body: notifications.NotificationRuleForm, answer: notifications.NotificationRule },
  muteNotificationRule: { body: notifications.MuteForm, answer: notifications.NotificationRule },
  getNotificationSettings: { query: TenantQuery, answer: notifications.NotificationSettings },
  listNotificationChannels: { query: TenantQuery, answer: v.array(notifications.NotificationChannel) },
  addNotificationChannel: {
    body: notifications.NotificationChannelForm,
    answer: notifications.MadeNotificationChannel,
  },
  confirmNotificationChannel: { body: notifications.ChannelCode, answer: Ok },
  switchNotificationChannel: { body: notifications.ChannelSwitch, answer: Ok },
  renewChannelSecret: { answer: integrations.WebhookSecret },
  testNotificationChannel: { answer: Ok },
  removeNotificationChannel: { answer: Ok },
  listNotificationDeliveries: { query: TenantQuery, answer: v.array(notifications.NotificationDelivery) },
  resendNotification: { answer: Ok },

  checkImport: { body: ImportBatch, answer: ImportAnswer },
  importRows: { body: ImportBatch, answer: ImportAnswer },

  listApiKeys: { query: TenantQuery, answer: v.array(integrations.ApiKey) },
  createApiKey: { body: integrations.NewApiKey, answer: integrations.MadeApiKey },
  revokeApiKey: { answer: Ok },
  listApprovals: { query: TenantQuery, answer: v.array(approvals.Approval) },
  approveChange: { answer: Ok },
  endApproval: { query: ChangeReason, answer: Ok },
  getApprovalLimits: { query: TenantQuery, answer: approvals.ApprovalLimitsAnswer },
  changeApprovalLimits: { body: approvals.ApprovalLimitsForm, answer: approvals.ApprovalLimits },

  listLinkTemplates: { query: TenantQuery, answer: v.array(LinkTemplate) },
  saveLinkTemplates: { body: LinkTemplatesForm, answer: v.array(LinkTemplate) },
  getValueAccounts: { query: TenantQuery, answer: accounts.ValueAccounts },
  changeAccountSettings: { body: accounts.AccountSettingsForm, answer: accounts.ValueAccounts },
  createValueAccount: { body: accounts.ValueAccountForm, answer: accounts.ValueAccount },
  updateValueAccount: { body: accounts.ValueAccountForm, answer: accounts.ValueAccount },
  enterAccountMove: { body: accounts.AccountEntryForm, answer: accounts.AccountEntryAnswer },
  listAccountMoves: { query: TenantQuery, answer: v.array(accounts.AccountMove) },
  getShiftDay: { query: shifts.ShiftsQuery, answer: shifts.ShiftDay },
  getShift: { query: TenantQuery, answer: shifts.ShiftPaper },
  openShift: { body: shifts.OpenShiftForm, answer: shifts.ShiftPaper },
  closeShift: { body: shifts.CloseShiftForm, answer: shifts.ShiftPaper },
  exportShifts: { query: shifts.ShiftsExportQuery, answer: Csv },
  changeShiftSettings: { body: shifts.ShiftSettingsForm, answer: Ok },
  getProfit: { query: shifts.ProfitQuery, answer: shifts.Profit },

  getWebhook: { answer: integrations.Webhook },
  revealWebhookSecret: { body: integrations.WebhookSecretForm, answer: integrations.WebhookSecret },

  receiveWebhook: { body: integrations.WebhookEvent, answer: integrations.WebhookAnswer },
  pushPlayer: { body: integrations.PushedPlayer, answer: integrations.PushedPlayerAnswer },
  pushEligibility: { body: eligibility.PushedEligibility, answer: eligibility.Eligibility },
  pushProtection: { body: PushedProtection, answer: Protection },
  pushLogin: { body: integrations.PushedLogin, answer: players.PlayerCredential },
  readPlayers: { query: integrations.SegmentQuery, answer: integrations.SegmentPage },
  pushTopUp: { body: integrations.PushedTopUp, answer: integrations.PushedMoney },
  pushReturn: { body: integrations.PushedReturn, answer: integrations.PushedMoney },
  pushDeposit: { body: integrations.PushedDeposit, answer: integrations.PushedMoney },
  pushRedeem: { body: integrations.PushedRedeem, answer: integrations.PushedMoney },
  pushStatus: { body: integrations.PushedStatus, answer: integrations.PushedMoney },
  pushClaim: { body: ClaimForm, answer: Claim },
  listWork: { query: WorkQuery, answer: v.array(WorkItem) },
  releaseWork: { body: GivenBack, answer: Ok },
  readEvents: { query: EventsQuery, answer: EventPage },
  dropClaim: { answer: Ok },
  readTransaction: { answer: integrations.PushedMoney },
} satisfies Record<string, CallSchemas>;

type Schemas = typeof schemas;
export type Described = keyof Schemas;
type PartOf<N extends Described, K extends keyof CallSchemas, None> = Schemas[N] extends {
  [P in K]: v.GenericSchema<unknown, infer T>;
}
  ? T
  : None;
export type Query<N extends Described> = PartOf<N, 'query', object>;
export type Body<N extends Described> = PartOf<N, 'body', undefined>;
export type Answer<N extends Described> = v.InferOutput<Schemas[N]['answer']>;

/** The schema of a path parameter: a malformed number is 422; an unknown name is left to the handler (404). */
export const pathValue = (key: string): v.GenericSchema<unknown, string | number> =>
  key === 'platform' ? filled(100) : id;

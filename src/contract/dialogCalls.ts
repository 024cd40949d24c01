import { call, csv, list, once, record } from './call';
import type * as E from './entities';
import { signInCalls } from './signInCalls';

/** The calls of the dialogs, which the app loads with them. */
export const dialogCalls = {
  ...signInCalls,
  getBooks: record<E.Books, E.BooksQuery>()('admin', '/api/v1/admin/books', 'books'),
  verifyBooks: call<{ body: E.VerifyForm; answer: E.Ok }>()('money', 'POST', '/api/v1/admin/books/verify', 'books'),
  listBookMonths: list<E.BookMonth, E.MonthsQuery>()('admin', '/api/v1/admin/books/months', 'books'),
  closeMonth: once(
    call<{ body: E.CloseForm; answer: E.ClosedAnswer }>()('money', 'POST', '/api/v1/admin/books/months', 'books'),
  ),
  getStatement: record<E.MonthStatement, E.StatementQuery>()('admin', '/api/v1/admin/books/statement', 'books'),
  exportStatement: {
    ...csv<E.StatementQuery>()('/api/v1/admin/books/statement/export'),
    feature: 'books' as const,
  },
  listYearPayouts: list<E.YearPayouts, E.YearQuery>()('admin', '/api/v1/admin/books/payouts', 'eligibility'),
  exportYearPayouts: {
    ...csv<E.YearQuery>()('/api/v1/admin/books/payouts/export'),
    feature: 'eligibility' as const,
  },
  getPersonalData: record<E.PersonalData, E.PersonalDataQuery>()(
    'export',
    '/api/v1/admin/user/{id}/personal-data',
    'personal_data',
  ),
  getEligibility: record<E.Eligibility>()('admin', '/api/v1/admin/user/{id}/eligibility', 'eligibility'),
  saveEligibility: call<{ body: E.EligibilityForm; answer: E.Eligibility }>()(
    'support',
    'PUT',
    '/api/v1/admin/user/{id}/eligibility',
    'eligibility',
  ),
  getEligibilityRules: record<E.EligibilityRules, E.TenantQuery>()(
    'admin',
    '/api/v1/admin/eligibility-rules',
    'eligibility',
  ),
  changeEligibilityRules: call<{ body: E.EligibilityRulesForm; answer: E.EligibilityRules }>()(
    'settings',
    'PUT',
    '/api/v1/admin/eligibility-rules',
    'eligibility',
  ),
  getProtection: record<E.Protection>()('admin', '/api/v1/admin/user/{id}/protection', 'protection'),
  saveProtection: call<{ body: E.ProtectionForm; answer: E.Protection }>()(
    'support',
    'PUT',
    '/api/v1/admin/user/{id}/protection',
    'protection',
  ),
  getPossibleDoubles: record<E.DoublesPage, E.DoublesQuery>()(
    'support',
    '/api/v1/admin/possible-doubles',
    'protection',
  ),
  linkPlayers: call<{ body: E.PairForm; answer: E.Protection }>()(
    'support',
    'POST',
    '/api/v1/admin/user/{id}/links',
    'protection',
  ),
  unlinkPlayer: call<{ answer: E.Protection }>()('support', 'DELETE', '/api/v1/admin/user/{id}/links', 'protection'),
  dismissPair: call<{ body: E.PairForm; answer: E.Ok }>()(
    'support',
    'POST',
    '/api/v1/admin/user/{id}/dismissed-pairs',
    'protection',
  ),
  changeAccountSettings: call<{ body: E.AccountSettingsForm; answer: E.ValueAccounts }>()(
    'settings',
    'PUT',
    '/api/v1/admin/account-settings',
    'accounts',
  ),
  createValueAccount: once(
    call<{ body: E.ValueAccountForm; answer: E.ValueAccount }>()(
      'settings',
      'POST',
      '/api/v1/admin/accounts',
      'accounts',
    ),
  ),
  updateValueAccount: call<{ body: E.ValueAccountForm; answer: E.ValueAccount }>()(
    'settings',
    'PUT',
    '/api/v1/admin/accounts/{id}',
    'accounts',
  ),
  enterAccountMove: once(
    call<{ body: E.AccountEntryForm; answer: E.AccountEntryAnswer }>()(
      'money',
      'POST',
      '/api/v1/admin/account-moves',
      'accounts',
    ),
  ),
  listAccountMoves: list<E.AccountMove, E.TenantQuery>()('admin', '/api/v1/admin/accounts/{id}/moves', 'accounts'),
  getShiftDay: record<E.ShiftDay, E.ShiftsQuery>()('admin', '/api/v1/admin/shifts', 'shifts'),
  getShift: record<E.ShiftPaper, E.TenantQuery>()('admin', '/api/v1/admin/shifts/{id}', 'shifts'),
  /** These two need `queue`, `payouts` or `money`. */
  openShift: once(
    call<{ body: E.OpenShiftForm; answer: E.ShiftPaper }>()('admin', 'POST', '/api/v1/admin/shifts', 'shifts'),
  ),
  closeShift: once(
    call<{ body: E.CloseShiftForm; answer: E.ShiftPaper }>()(
      'admin',
      'POST',
      '/api/v1/admin/shifts/{id}/close',
      'shifts',
    ),
  ),
  exportShifts: { ...csv<E.ShiftsExportQuery>()('/api/v1/admin/shifts-export'), feature: 'shifts' as const },
  changeShiftSettings: call<{ body: E.ShiftSettingsForm; answer: E.Ok }>()(
    'settings',
    'PUT',
    '/api/v1/admin/shift-settings',
    'shifts',
  ),
  getProfit: record<E.Profit, E.ProfitQuery>()('admin', '/api/v1/admin/profit', 'shifts'),
  listApiKeys: list<E.ApiKey, E.TenantQuery>()('admin', '/api/v1/admin/api-keys', 'api_keys'),
  createApiKey: call<{ body: E.NewApiKey; answer: E.MadeApiKey }>()(
    'settings',
    'POST',
    '/api/v1/admin/api-keys',
    'api_keys',
  ),
  revokeApiKey: call<{ answer: E.Ok }>()('settings', 'DELETE', '/api/v1/admin/api-keys/{id}', 'api_keys'),
  listTeam: list<E.TeamMember, E.TenantQuery>()('team', '/api/v1/admin/team', 'permissions'),
  createTeamMember: call<{ body: E.NewTeamMember; answer: E.TeamMember }>()(
    'team',
    'POST',
    '/api/v1/admin/team',
    'permissions',
  ),
  inviteTeamMember: call<{ body: E.Invitation; answer: E.TeamMember }>()(
    'team',
    'POST',
    '/api/v1/admin/team/invitations',
    'mail_links',
  ),
  updateTeamMember: call<{ body: E.TeamMemberForm; answer: E.TeamMember }>()(
    'team',
    'PUT',
    '/api/v1/admin/team/{id}',
    'permissions',
  ),
  getWebhook: record<E.Webhook>()('super', '/api/v1/admin/payment-methods/{tenant_id}/{platform}/webhook', 'webhooks'),
  revealWebhookSecret: call<{ body: E.WebhookSecretForm; answer: E.WebhookSecret }>()(
    'super',
    'POST',
    '/api/v1/admin/payment-methods/{tenant_id}/{platform}/webhook-secret',
    'webhooks',
  ),
  listNotificationRules: list<E.NotificationRule, E.NotificationsQuery>()(
    'admin',
    '/api/v1/admin/notification-rules',
    'notifications',
  ),
  saveNotificationRule: call<{ body: E.NotificationRuleForm; answer: E.NotificationRule }>()(
    'settings',
    'PUT',
    '/api/v1/admin/notification-rules',
    'notifications',
  ),
  getNotificationSettings: record<E.NotificationSettings, E.NotificationsQuery>()(
    'admin',
    '/api/v1/admin/notification-settings',
    'notifications',
  ),
  listNotificationChannels: list<E.NotificationChannel, E.NotificationsQuery>()(
    'admin',
    '/api/v1/admin/notification-channels',
    'notifications',
  ),
  addNotificationChannel: call<{ body: E.NotificationChannelForm; answer: E.MadeNotificationChannel }>()(
    'settings',
    'POST',
    '/api/v1/admin/notification-channels',
    'notifications',
  ),
  confirmNotificationChannel: call<{ body: E.ChannelCode; answer: E.Ok }>()(
    'settings',
    'POST',
    '/api/v1/admin/notification-channels/{id}/confirm',
    'notifications',
  ),
  switchNotificationChannel: call<{ body: E.ChannelSwitch; answer: E.Ok }>()(
    'settings',
    'PUT',
    '/api/v1/admin/notification-channels/{id}',
    'events',
  ),
  renewChannelSecret: call<{ answer: E.ChannelSecretAnswer }>()(
    'settings',
    'POST',
    '/api/v1/admin/notification-channels/{id}/secret',
    'events',
  ),
  testNotificationChannel: call<{ answer: E.Ok }>()(
    'settings',
    'POST',
    '/api/v1/admin/notification-channels/{id}/test',
    'notifications',
  ),
  removeNotificationChannel: call<{ answer: E.Ok }>()(
    'settings',
    'DELETE',
    '/api/v1/admin/notification-channels/{id}',
    'notifications',
  ),
  listNotificationDeliveries: list<E.NotificationDelivery, E.NotificationsQuery>()(
    'admin',
    '/api/v1/admin/notification-deliveries',
    'notifications',
  ),
  resendNotification: call<{ answer: E.Ok }>()(
    'settings',
    'POST',
    '/api/v1/admin/notification-deliveries/{id}/resend',
    'notifications',
  ),
};

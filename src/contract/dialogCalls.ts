import { call, csv, list, once, record } from './call';
import type * as E from './entities';

/** The calls of the dialogs, which the app loads with them. */
export const dialogCalls = {
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
  getAllowedNetworks: record<E.AllowedNetworks, E.TenantQuery>()(
    'team',
    '/api/v1/admin/allowed-networks',
    'allowed_networks',
  ),
  saveAllowedNetworks: call<{ body: E.NetworksForm; answer: E.AllowedNetworks }>()(
    'team',
    'PUT',
    '/api/v1/admin/allowed-networks',
    'allowed_networks',
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
  changePassword: call<{ body: E.PasswordForm; answer: E.PasswordChanged }>()(
    'session',
    'PUT',
    '/api/v1/auth/password',
    'account',
  ),
  listSessions: list<E.OwnSession>()('session', '/api/v1/auth/sessions', 'account'),
  endSession: call<{ answer: E.Ok }>()('session', 'DELETE', '/api/v1/auth/sessions/{id}', 'account'),
  endOtherSessions: call<{ answer: E.Ok }>()('session', 'DELETE', '/api/v1/auth/sessions', 'account'),
  setUpTwoFactor: call<{ body: E.PasswordOnly; answer: E.TwoFactorSetup }>()(
    'session',
    'POST',
    '/api/v1/auth/two-factor',
    'account',
  ),
  confirmTwoFactor: call<{ body: E.CodeOnly; answer: E.TwoFactorConfirmed }>()(
    'session',
    'POST',
    '/api/v1/auth/two-factor/confirm',
    'account',
  ),
  turnOffTwoFactor: call<{ body: E.BothFactors; answer: E.Ok }>()(
    'session',
    'POST',
    '/api/v1/auth/two-factor/off',
    'account',
  ),
  renewRecoveryCodes: call<{ body: E.BothFactors; answer: E.RecoveryCodes }>()(
    'session',
    'POST',
    '/api/v1/auth/two-factor/recovery-codes',
    'account',
  ),
};

import { call, list, record } from './call';
import type * as E from './entities';

/** The calls of the dialogs about signing in, the own account, and from where people may sign in (dialogCalls.ts). */
export const signInCalls = {
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
  beginSso: call<{ body: E.SsoStart; answer: E.SsoStarted }>()('anyone', 'POST', '/api/v1/auth/login/sso', 'sso'),
  finishSso: call<{ body: E.SsoReturn; answer: E.SsoAnswer }>()(
    'anyone',
    'POST',
    '/api/v1/auth/login/sso/{tenant_id}',
    'sso',
  ),
  getIdentityProvider: record<E.IdentityProvider, E.TenantQuery>()('team', '/api/v1/admin/identity-provider', 'sso'),
  saveIdentityProvider: call<{ body: E.IdentityProviderForm; answer: E.IdentityProvider }>()(
    'team',
    'PUT',
    '/api/v1/admin/identity-provider',
    'sso',
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
  beginPasskey: call<{ body: E.PasskeyBegin; answer: E.PasskeyChallenge }>()(
    'anyone',
    'POST',
    '/api/v1/auth/login/passkey',
    'passkeys',
  ),
  finishPasskey: call<{ body: E.PasskeyAnswer; answer: E.LoginAnswer }>()(
    'anyone',
    'POST',
    '/api/v1/auth/login/passkey/answer',
    'passkeys',
  ),
  listPasskeys: list<E.Passkey>()('session', '/api/v1/auth/passkeys', 'passkeys'),
  beginNewPasskey: call<{ body: E.Confirmation; answer: E.NewPasskeyChallenge }>()(
    'session',
    'POST',
    '/api/v1/auth/passkeys/challenge',
    'passkeys',
  ),
  addPasskey: call<{ body: E.NewPasskey; answer: E.Ok }>()('session', 'POST', '/api/v1/auth/passkeys', 'passkeys'),
  removePasskey: call<{ body: E.Confirmation; answer: E.Ok }>()(
    'session',
    'POST',
    '/api/v1/auth/passkeys/{id}/remove',
    'passkeys',
  ),
};

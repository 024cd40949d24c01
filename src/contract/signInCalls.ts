import { call, list, record } from './call';
import type * as E from './entities';

/** The calls of the dialogs about signing in, the own account, and from where people may sign in (dialogCalls.ts). */
export const signInCalls = {
  getAllowedNetworks: record<E.AllowedNetworks, E.TenantQuery>()(
    'team',
    '/api/v1/admin/allowed-networks',
    'allowed_networks',
  ),
  saveAllowedNetworks: call<E.AllowedNetworks, E.NetworksForm>()(
    'team',
    'PUT',
    '/api/v1/admin/allowed-networks',
    'allowed_networks',
  ),
  beginSso: call<E.SsoStarted, E.SsoStart>()('anyone', 'POST', '/api/v1/auth/login/sso', 'sso'),
  finishSso: call<E.SsoAnswer, E.SsoReturn>()('anyone', 'POST', '/api/v1/auth/login/sso/{tenant_id}', 'sso'),
  getIdentityProvider: record<E.IdentityProvider, E.TenantQuery>()('team', '/api/v1/admin/identity-provider', 'sso'),
  saveIdentityProvider: call<E.IdentityProvider, E.IdentityProviderForm>()(
    'team',
    'PUT',
    '/api/v1/admin/identity-provider',
    'sso',
  ),
  changePassword: call<E.PasswordChanged, E.PasswordForm>()('session', 'PUT', '/api/v1/auth/password', 'account'),
  listSessions: list<E.OwnSession>()('session', '/api/v1/auth/sessions', 'account'),
  endSession: call<E.Ok>()('session', 'DELETE', '/api/v1/auth/sessions/{id}', 'account'),
  endOtherSessions: call<E.Ok>()('session', 'DELETE', '/api/v1/auth/sessions', 'account'),
  setUpTwoFactor: call<E.TwoFactorSetup, E.PasswordOnly>()('session', 'POST', '/api/v1/auth/two-factor', 'account'),
  confirmTwoFactor: call<E.TwoFactorConfirmed, E.CodeOnly>()(
    'session',
    'POST',
    '/api/v1/auth/two-factor/confirm',
    'account',
  ),
  turnOffTwoFactor: call<E.Ok, E.BothFactors>()('session', 'POST', '/api/v1/auth/two-factor/off', 'account'),
  renewRecoveryCodes: call<E.RecoveryCodes, E.BothFactors>()(
    'session',
    'POST',
    '/api/v1/auth/two-factor/recovery-codes',
    'account',
  ),
  beginPasskey: call<E.PasskeyChallenge, E.PasskeyBegin>()('anyone', 'POST', '/api/v1/auth/login/passkey', 'passkeys'),
  finishPasskey: call<E.LoginAnswer, E.PasskeyAnswer>()(
    'anyone',
    'POST',
    '/api/v1/auth/login/passkey/answer',
    'passkeys',
  ),
  listPasskeys: list<E.Passkey>()('session', '/api/v1/auth/passkeys', 'passkeys'),
  beginNewPasskey: call<E.NewPasskeyChallenge, E.Confirmation>()(
    'session',
    'POST',
    '/api/v1/auth/passkeys/challenge',
    'passkeys',
  ),
  addPasskey: call<E.Ok, E.NewPasskey>()('session', 'POST', '/api/v1/auth/passkeys', 'passkeys'),
  removePasskey: call<E.Ok, E.Confirmation>()('session', 'POST', '/api/v1/auth/passkeys/{id}/remove', 'passkeys'),
};

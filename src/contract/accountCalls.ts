import type { Feature } from './constants';
import type * as E from './entities';
import { call } from './signInCalls';

interface Ok { ok: true }

/** The calls about one's own account, and the reset of another's second factor; apart from the others so that only who opens what makes them fetches them. */
export const accountCalls = {
  getAccount:         call<{ answer: E.Account }>()('session', 'GET', '/api/v1/auth/account', 'account'),
  changePassword:     call<{ body: E.PasswordForm; answer: Ok }>()('session', 'PUT', '/api/v1/auth/password', 'account'),
  listSessions:       call<{ answer: E.OwnSession[] }>()('session', 'GET', '/api/v1/auth/sessions', 'account'),
  endSession:         call<{ answer: Ok }>()('session', 'DELETE', '/api/v1/auth/sessions/{id}', 'account'),
  endOtherSessions:   call<{ answer: Ok }>()('session', 'DELETE', '/api/v1/auth/sessions', 'account'),
  setUpTwoFactor:     call<{ body: { password: string }; answer: E.TwoFactorSetup }>()('session', 'POST', '/api/v1/auth/two-factor', 'account'),
  confirmTwoFactor:   call<{ body: { code: string }; answer: E.RecoveryCodes & { features: Feature[] } }>()('session', 'POST', '/api/v1/auth/two-factor/confirm', 'account'),
  turnOffTwoFactor:   call<{ body: E.BothFactors; answer: Ok }>()('session', 'POST', '/api/v1/auth/two-factor/off', 'account'),
  renewRecoveryCodes: call<{ body: E.BothFactors; answer: E.RecoveryCodes }>()('session', 'POST', '/api/v1/auth/two-factor/recovery-codes', 'account'),
  resetTwoFactor:     call<{ answer: Ok }>()('super', 'POST', '/api/v1/admin/admin-users/{id}/reset-two-factor', 'account'),
};

import type { Feature } from './constants';
import type * as A from './account';
import { call } from './call';

interface Ok { ok: true }

/** The calls about one's own account, and the reset of another's second factor; apart from the others so that only who opens what makes them fetches them. */
export const accountCalls = {
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
};

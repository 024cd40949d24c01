import type { Credentials, LoginAnswer } from './account';
import { call } from './call';

/** The calls of the login screen, apart from the others so that whoever signs in need not fetch those. */
export const signInCalls = {
  login:         call<{ body: Credentials; answer: LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/json'),
  loginToTenant: call<{ body: Credentials; answer: LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/tenant/{tenant_id}'),
  logout:        call<{ answer: { ok: true } }>()('session', 'POST', '/api/v1/auth/logout', 'logout'),
};

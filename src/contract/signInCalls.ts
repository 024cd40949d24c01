import type { CallSpec, Method, Who } from './calls';
import type { Feature } from './constants';
import type { Credentials, LoginAnswer } from './account';

export interface Types { query?: object; body?: unknown; answer?: unknown }
export type Call<T extends Types, P> = CallSpec & { path: P; /** Exists in types only. */ types?: T };

/** One line of a table of calls. */
export const call = <T extends Types = object>() => <const P extends CallSpec['path']>(who: Who, method: Method, path: P, feature?: Feature): Call<T, P> =>
  (feature ? { who, method, path, feature } : { who, method, path });

/** The calls of the login screen, apart from the others so that whoever signs in need not fetch those. */
export const signInCalls = {
  login:         call<{ body: Credentials; answer: LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/json'),
  loginToTenant: call<{ body: Credentials; answer: LoginAnswer }>()('anyone', 'POST', '/api/v1/auth/login/tenant/{tenant_id}'),
  logout:        call<{ answer: { ok: true } }>()('session', 'POST', '/api/v1/auth/logout', 'logout'),
};

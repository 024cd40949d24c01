import type { Feature } from './constants';
import type { Scope } from './integrations';

/**
 * Who may make a call. `anyone`: no credentials needed. `checkout`: the holder of the checkout cookie. `session`:
 * anybody who is signed in, whatever the role. `admin`: a tenant's admin or a super admin. `super`: a super admin.
 * `key`: another system of a tenant, by an API key.
 */
export type Who = 'anyone' | 'checkout' | 'session' | 'admin' | 'super' | 'key';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface CallSpec {
  method: Method;
  /** As docs/product.md, "Calls" lists it, with or without the trailing slash. */
  path: `/api/v1/${string}`;
  who: Who;
  /** The answer is a file, not JSON. */
  isCsv?: true;
  /** Changes nothing, although it is a POST: its input is too long for a URL. */
  isRead?: true;
  /** The sender signs the raw body. */
  isSigned?: true;
  /** The scope that an API key needs. */
  scope?: Scope;
  /** The app makes this call only when the server offers this feature. */
  feature?: Feature;
}

export interface Types { query?: object; body?: unknown; answer?: unknown }
export type Call<T extends Types, P> = CallSpec & { path: P; /** Exists in types only. */ types?: T };

/** One row of a table of calls. */
export const call = <T extends Types = object>() => <const P extends CallSpec['path']>(who: Who, method: Method, path: P, feature?: Feature): Call<T, P> =>
  (feature ? { who, method, path, feature } : { who, method, path });

/** A call that exports a whole list as CSV. */
export const csv = <Q extends object>() => <const P extends CallSpec['path']>(path: P): Call<{ query: Q; answer: Blob }, P> & { isCsv: true } =>
  ({ who: 'admin', method: 'GET', path, feature: 'export', isCsv: true });

/** A call for another system of a tenant, by an API key with this scope. */
export const callByKey = <T extends Types>() => <const P extends CallSpec['path']>(scope: Scope, method: Method, path: P): Call<T, P> =>
  ({ ...call<T>()('key', method, path, 'api_keys'), scope });

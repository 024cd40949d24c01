import type { Feature } from './constants';
import type { Scope } from './integrations';

/**
 * Who may make a call: anyone; whoever holds the checkout cookie; an admin of a tenant or a super admin; a super admin only;
 * `session`: whoever is signed in, whatever the role; `key`: a tenant's own system, by an API key.
 */
export type Who = 'anyone' | 'checkout' | 'session' | 'admin' | 'super' | 'key';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface CallSpec {
  method: Method;
  /** Exactly as the specification lists it, with its trailing slash or without. */
  path: `/api/v1/${string}`;
  who: Who;
  /** Answered as a file rather than as JSON. */
  isCsv?: true;
  /** Changes nothing, whatever its method: what it asks is too long for an address. */
  isRead?: true;
  /** The sender proves itself by a signature over the body as it stands. */
  isSigned?: true;
  /** What an API key must be for. */
  scope?: Scope;
  /** Not in the specification: made only when the server offers this feature. */
  feature?: Feature;
}

export interface Types { query?: object; body?: unknown; answer?: unknown }
export type Call<T extends Types, P> = CallSpec & { path: P; /** Exists in types only. */ types?: T };

/** One line of a table of calls. */
export const call = <T extends Types = object>() => <const P extends CallSpec['path']>(who: Who, method: Method, path: P, feature?: Feature): Call<T, P> =>
  (feature ? { who, method, path, feature } : { who, method, path });

/** A whole list as CSV. */
export const csv = <Q extends object>() => <const P extends CallSpec['path']>(path: P): Call<{ query: Q; answer: Blob }, P> & { isCsv: true } =>
  ({ who: 'admin', method: 'GET', path, feature: 'export', isCsv: true });

/** A call for a tenant's own systems, by an API key of this scope. */
export const callByKey = <T extends Types>() => <const P extends CallSpec['path']>(scope: Scope, method: Method, path: P): Call<T, P> =>
  ({ ...call<T>()('key', method, path, 'api_keys'), scope });

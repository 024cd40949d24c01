import type { Feature } from './constants';
import type { Scope } from './integrations';
import { type Permission, permissions } from './permissions';

/**
 * Who may make a call. `anyone`: no credentials needed. `checkout`: the holder of the checkout cookie. `session`:
 * anybody who is signed in, whatever the role. `admin`: a tenant's admin or a super admin. `super`: a super admin.
 * `key`: another system of a tenant, by an API key.
 */
export type Who = 'anyone' | 'checkout' | 'session' | 'admin' | 'super' | 'key';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a read answers: a record, or null; a list; platforms, which others send as names; a page of players; a file. */
export type AnswerShape = 'record' | 'recordOrNull' | 'list' | 'platforms' | 'playerPage' | 'csv';

export interface CallSpec {
  method: Method;
  /** As docs/product.md, "Calls" lists it, with or without the trailing slash. */
  path: `/api/v1/${string}`;
  who: Who;
  /** A tenant's admin needs this permission. */
  needs?: Permission;
  /** How the app reads the answer. None for a call that changes something, because its answer is not specified. */
  answer?: AnswerShape;
  /** Changes nothing, although it is a POST: its input is too long for a URL. */
  isRead?: true;
  /** Changes nothing but what the caller alone sees, so it is no entry of the audit log. */
  isPersonal?: true;
  /** The sender signs the raw body. */
  isSigned?: true;
  /** Takes an `Idempotency-Key`: sent again with the same key, it has one effect and one answer. */
  isOnce?: true;
  /** An API key needs one of these scopes. */
  scopes?: readonly Scope[];
  /** The app makes this call only when the server offers this feature. */
  feature?: Feature;
}

/** A call with the placeholders of its path in its type. What is sent and answered is in schemas/calls.ts. */
export type Call<P> = CallSpec & { path: P };
type Path = CallSpec['path'];
type Rights = Who | Permission;

/** A permission stands for the admins who have it, and for super admins. */
const toRights = (who: Rights): Pick<CallSpec, 'who' | 'needs'> => {
  const needs = permissions.find((permission) => permission === who);
  return needs ? { who: 'admin', needs } : { who: who as Who };
};

/** One row of the table of calls, for a call that changes something. */
export const call = <const P extends Path>(who: Rights, method: Method, path: P, feature?: Feature): Call<P> => ({
  ...toRights(who),
  method,
  path,
  ...(feature && { feature }),
});

/** A call that must not happen twice: it has an `Idempotency-Key` where the server offers `idempotency_key`. */
export const once = <const P extends Path>(who: Rights, method: Method, path: P, feature?: Feature): Call<P> => ({
  ...call(who, method, path, feature),
  isOnce: true,
});

/** One row for a read: `list('super', '/api/…')`. */
const read =
  (answer: AnswerShape) =>
  <const P extends Path>(who: Rights, path: P, feature?: Feature): Call<P> => ({
    ...call(who, 'GET', path, feature),
    answer,
  });
export const record = read('record');
export const recordOrNull = read('recordOrNull');
export const list = read('list');
export const platforms = read('platforms');
export const playerPage = read('playerPage');

/** A whole list as a CSV file. */
export const csv = <const P extends Path>(path: P, feature: Feature = 'export') => read('csv')('export', path, feature);

/** A call for a tenant's own systems, by an API key with one of these scopes. */
export const callByKey = <const P extends Path>(
  scopes: readonly Scope[],
  method: Method,
  path: P,
  answer?: AnswerShape,
): Call<P> => ({
  ...call('key', method, path, 'api_keys'),
  ...(method !== 'GET' && { isOnce: true }),
  ...(answer && { answer }),
  scopes,
});

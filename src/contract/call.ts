import type { CallSpec, Method, Who } from './calls';
import type { Feature } from './constants';

export interface Types { query?: object; body?: unknown; answer?: unknown }
export type Call<T extends Types, P> = CallSpec & { path: P; /** Exists in types only. */ types?: T };

/** One line of a table of calls. */
export const call = <T extends Types = object>() => <const P extends CallSpec['path']>(who: Who, method: Method, path: P, feature?: Feature): Call<T, P> =>
  (feature ? { who, method, path, feature } : { who, method, path });

/** A whole list as CSV. */
export const csv = <Q extends object>() => <const P extends CallSpec['path']>(path: P): Call<{ query: Q; answer: Blob }, P> & { isCsv: true } =>
  ({ who: 'admin', method: 'GET', path, feature: 'export', isCsv: true });

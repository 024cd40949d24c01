import type { appCalls, CallName, CallSpec } from '../../contract/calls';
import type { Api, Send } from './client';

/** A function for each call of a table. */
export function createApi<T extends Record<string, CallSpec>>(send: Send, table: T): Api<keyof T & CallName> {
  const functions = Object.entries(table).map(([name, call]) => [
    name,
    (input = {}, options = {}) => send(call, input, options),
  ]);
  return Object.fromEntries(functions) as Api<keyof T & CallName>;
}

/** The calls of the screens. */
export type AppApi = Api<keyof typeof appCalls>;

import { appCalls, type CallSpec } from '../../contract/calls';
import { type Api, type ApiOptions, createSend } from './client';

/** The API: a function for each call that people make, or for each of a `table`; that of a system is `calls`. */
export function createApi(options?: ApiOptions, table: Record<string, CallSpec> = appCalls): Api {
  const send = createSend(options);
  const functions = Object.entries(table).map(([name, call]) => [
    name,
    (input = {}, options = {}) => send(call, input, options),
  ]);
  return Object.fromEntries(functions) as Api;
}

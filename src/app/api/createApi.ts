import { appCalls, type CallSpec } from '../../contract/calls';
import { type Api, type ApiOptions, createSend } from './client';

/** The API: an object with one function for each call that people make, or for those of a `table`: a system's needs `calls`. */
export function createApi(options?: ApiOptions, table: Record<string, CallSpec> = appCalls): Api {
  const send = createSend(options);
  const functions = Object.entries(table).map(([name, call]) => [
    name,
    (input = {}, options = {}) => send(call, input, options),
  ]);
  return Object.fromEntries(functions) as Api;
}

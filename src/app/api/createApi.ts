import { type CallSpec, calls } from '../../contract/calls';
import { type Api, type ApiOptions, createSend } from './client';

/** The API: an object with one function for each call of the contract. */
export function createApi(options?: ApiOptions): Api {
  const send = createSend(options);
  const functions = Object.entries<CallSpec>(calls).map(([name, call]) => [
    name,
    (input = {}, options = {}) => send(call, input, options),
  ]);
  return Object.fromEntries(functions) as Api;
}

/** How requests are counted: by the name of the call, never by what was sent. */
import { calls } from '../../contract/allCalls';
import type { CallSpec } from '../../contract/calls';
import { CODE_ASKED } from '../auth/twoFactor';
import { Problem } from '../core/problem';
import type { Answered } from '../http/requestLog';

/** The pattern of a call's path in the router. */
export const toRoute = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');

const names = new Map<string, string>([
  ...Object.entries<CallSpec>(calls).map(([name, { method, path }]) => [`${method} ${toRoute(path)}`, name] as const),
  ...['healthz', 'readyz', 'metrics'].map((name) => [`GET /${name}`, name] as const),
  ['GET /api/openapi.json', 'openapi'],
  ['GET /api/docs', 'docs'],
  ['GET *', 'file'],
]);
/** The name of the call; 'file' for a file of the app, 'other' for what no call answers. */
export const nameCall = ({ method, path }: Answered): string =>
  names.get(`${method === 'HEAD' ? 'GET' : method} ${path}`) ?? 'other';

export const signInRefusals = ['credentials', 'code', 'tenant', 'limited'] as const;
/** Why a sign-in failed; undefined if it did not. Being asked for a code is a step of it. */
export function whySignInFailed(call: string, { status, error }: Answered) {
  if (call !== 'login' && call !== 'loginToTenant') return undefined;
  if (status === 403) return 'tenant';
  if (status === 429) return 'limited';
  if (status !== 401) return undefined;
  if (!(error instanceof Problem && error.code === 'second_factor')) return 'credentials';
  return error.message === CODE_ASKED ? undefined : 'code';
}

export const webhookRefusals = ['signature', 'limited', 'unreadable', 'conflict', 'unavailable', 'error'] as const;
/** Why a webhook was refused; undefined if it was not. */
export function whyWebhookRefused(call: string, { status }: Answered): (typeof webhookRefusals)[number] | undefined {
  if (call !== 'receiveWebhook' || status < 400 || status === 499) return undefined;
  if (status === 401) return 'signature';
  if (status === 429) return 'limited';
  if (status === 503) return 'unavailable';
  if (status === 404 || status === 409) return 'conflict';
  return status < 500 ? 'unreadable' : 'error';
}

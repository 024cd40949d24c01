/** How other systems come in: by an API key of a tenant, and by a signature. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Api } from '../src/app/api/client';
import { type Scope, scopes } from '../src/contract/integrations';
import { sue } from './callers';
import { createApi } from './createApi';
import { as, fetch, PASSWORD, type Person, send } from './world';

/** A key as an admin makes it. */
export const newKey = (
  by: Person = 'ann',
  scope: readonly Scope[] = scopes,
  more: { expires_on?: string; tenant_id?: number } = {},
) =>
  as(by).then((api) => api.createApiKey({ body: { name: 'Shop', scopes: [...scope], password: PASSWORD, ...more } }));

/** Calls with a key, each write with an `Idempotency-Key` of its own. */
export const withKey = (key: string): Api =>
  createApi({
    token: () => key,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set('Idempotency-Key', randomUUID());
      return fetch(url, { ...init, headers });
    },
  });

/** The secret that a processor's webhooks are signed with. */
export const revealSecret = async (platform = 'apex', rotate = false, tenant_id = 2): Promise<string> =>
  (await sue.revealWebhookSecret({ tenant_id, platform, body: { rotate, password: PASSWORD } })).secret;
export const apex = { api_key: 'k', secret_key: 's', merchant_id: 'm' };
/** Sets Apex up for a tenant; answers that secret. */
export async function addApex(tenant_id = 2): Promise<string> {
  await sue.createPaymentMethod({ tenant_id, payment_platform: 'apex', body: apex });
  return revealSecret('apex', false, tenant_id);
}

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
export const nowSeconds = () => Math.floor(Date.now() / 1000);
/** The header of the general scheme. */
export const signature = (secret: string, body: string, at: number = nowSeconds()) =>
  `t=${at},v1=${hex(secret, `${at}.${body}`)}`;
export const btcpaySignature = (secret: string, body: string) => `sha256=${hex(secret, body)}`;

export interface Posted {
  status: number;
  body: { outcome?: string; detail?: string | null; code?: string };
  headers: Headers;
}
/** Sends a webhook as it stands on the wire. */
export async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Posted> {
  const response = await send('POST', path, { body, headers });
  return { status: response.status, body: await response.json(), headers: response.headers };
}
/** Signs and sends an event by the general scheme. */
export function deliver(path: string, secret: string, event: object): Promise<Posted> {
  const body = JSON.stringify(event);
  return post(path, body, { 'X-Signature': signature(secret, body) });
}
/** Signs and sends an event as BTCPay Server does. */
export function deliverInvoice(path: string, secret: string, event: object): Promise<Posted> {
  const body = JSON.stringify(event, null, 2);
  return post(path, body, { 'BTCPay-Sig': btcpaySignature(secret, body) });
}

/**
 * Reads an invoice from a tenant's BTCPay Server. Its events carry no amount, and only the current state of the invoice
 * counts.
 */
import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import * as v from 'valibot';
import { Problem } from '../problem';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES = 256 * 1024;

const text = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const shape = v.object({
  id: v.string(),
  storeId: v.string(),
  amount: v.nullish(text),
  currency: v.nullish(v.string()),
  status: v.string(),
  additionalStatus: v.nullish(v.string()),
  metadata: v.nullish(
    v.looseObject({ user_id: v.nullish(text), external_id: v.nullish(text), buyerEmail: v.nullish(v.string()) }),
  ),
});
export type Invoice = v.InferOutput<typeof shape>;
export interface BtcpayAccess {
  server_url: string;
  api_key: string;
  store_id: string;
}

/**
 * Returns the invoice, 'unknown' when the store has no invoice with this id, or 'refused' when the stored key may not
 * read it. Throws 503 when the server is unreachable or answers nonsense.
 */
export async function fetchInvoice(access: BtcpayAccess, invoiceId: string): Promise<Invoice | 'unknown' | 'refused'> {
  const { status, body } = await get(access, invoiceId).catch(() => {
    throw unreachable();
  });
  if (status === 404) return 'unknown';
  if (status === 401 || status === 403) return 'refused';
  const result = v.safeParse(shape, status === 200 ? parseJson(body) : undefined);
  if (!result.success) throw unreachable();
  // The server could return the invoice of another store.
  return result.output.id === invoiceId && result.output.storeId === access.store_id ? result.output : 'unknown';
}

const unreachable = () => new Problem(503, 'The BTCPay Server cannot be reached at the moment', 10);

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Follows no redirects and limits time and size. A super admin sets the address; still, addresses that are internal to
 * a host or cloud are refused.
 */
function get(
  { server_url, api_key, store_id }: BtcpayAccess,
  invoiceId: string,
): Promise<{ status: number; body: string }> {
  const base = new URL(server_url);
  const path = ['api', 'v1', 'stores', store_id, 'invoices', invoiceId].map(encodeURIComponent).join('/');
  const url = new URL(`${base.pathname.replace(/\/$/, '')}/${path}`, base.origin);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((done, fail) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && isBlocked(host)) return fail(new Error('barred address'));
    const send = url.protocol === 'https:' ? overHttps : overHttp;
    const request = send(
      url,
      {
        headers: { Authorization: `token ${api_key}`, Accept: 'application/json' },
        agent: false,
        signal,
        lookup: checkedLookup,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if ((bytes += chunk.length) > ANSWER_BYTES) response.destroy(new Error('too long an answer'));
        });
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('error', fail);
      },
    );
    request.on('error', fail).end();
  });
}

/**
 * Addresses that belong to no other host: this network, link-local (cloud metadata), multicast. Private addresses are
 * allowed, because BTCPay often runs there.
 */
const blockedAddresses = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
] as const)
  blockedAddresses.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
] as const)
  blockedAddresses.addSubnet(net, bits, 'ipv6');
export const isBlocked = (address: string): boolean =>
  blockedAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Checks the address that the connection really uses, so that DNS cannot change in between. */
function checkedLookup(
  host: string,
  options: LookupOptions,
  found: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  resolve(host, options, (error, address: string | LookupAddress[], family) => {
    const all = typeof address === 'string' ? [address] : (address ?? []).map((each) => each.address);
    if (!error && all.some(isBlocked)) return found(new Error('barred address'), '');
    found(error, address, family);
  });
}

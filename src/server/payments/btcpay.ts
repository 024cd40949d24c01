/** Reads an invoice from a tenant's BTCPay Server: events carry no amount, and only its current state counts. */
import * as v from 'valibot';
import { Problem } from '../core/problem';
import { type Callee, RefusedAddress } from '../outgoing/address';
import { callOut } from '../outgoing/request';

const callee: Callee = { name: 'the BTCPay Server', mayBeOwn: true };
const limits = { timeoutMs: 5_000, answerBytes: 256 * 1024 };

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

/** Letters and digits: anything else, such as two dots, would lead the request to another address of the server. */
export const isInvoiceId = (id: string): boolean => /^[\w-]{1,200}$/.test(id);

/** The invoice; 'unknown': the store has none; 'refused': the key may not read it. 503: no answer, or nonsense. */
export async function fetchInvoice(access: BtcpayAccess, invoiceId: string): Promise<Invoice | 'unknown' | 'refused'> {
  const { status, body } = await get(access, invoiceId).catch((error: unknown) => {
    throw error instanceof RefusedAddress ? new Problem(503, error.message, 60) : unreachable();
  });
  if (status === 404) return 'unknown';
  if (status === 401 || status === 403) return 'refused';
  const result = v.safeParse(shape, status === 200 ? parseJson(body) : undefined);
  if (!result.success) throw unreachable();
  // The server could return the invoice of another store.
  return result.output.id === invoiceId && result.output.storeId === access.store_id ? result.output : 'unknown';
}

const unreachable = () => new Problem(503, 'The BTCPay Server cannot be reached at the moment', 10);

/** A text with a character that the database cannot store matches nothing, but breaks no statement either. */
const toStorable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\uFFFD') : value;

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body, toStorable);
  } catch {
    return undefined;
  }
}

/** The address of an invoice. Only the path is added to the stored address, so the host stays what it is. */
function urlOf({ server_url, store_id }: BtcpayAccess, invoiceId: string): URL {
  const url = new URL(server_url);
  const path = ['api', 'v1', 'stores', store_id, 'invoices', invoiceId].map(encodeURIComponent).join('/');
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  url.username = url.password = url.search = url.hash = '';
  return url;
}

async function get(access: BtcpayAccess, invoiceId: string): Promise<{ status: number; body: string }> {
  const headers = { Authorization: `token ${access.api_key}`, Accept: 'application/json' };
  return callOut(urlOf(access, invoiceId), { callee, headers, ...limits });
}

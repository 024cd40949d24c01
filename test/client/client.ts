/** A purchase, a deposit and a redeem by another system, with the types that openapi-typescript makes. */
import createClient from 'openapi-fetch';
import type { paths } from './schema';

const { API: baseUrl, KEY } = process.env;
const { GET, POST } = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${KEY}` } });
const once = () => ({ header: { 'Idempotency-Key': crypto.randomUUID() } });
const email = 'pam@mail.test';

async function settle(id: number) {
  const params = { path: { id }, ...once() };
  const { data, error } = await POST('/api/v1/intake/transactions/{id}/status', {
    params,
    body: { status: 'success' },
  });
  if (!data) throw new Error(error.detail);
  return data.status;
}

const purchase = await POST('/api/v1/intake/top-ups', {
  params: once(),
  body: { email, amount: '25.50', payment_method: 'Card', payment_reference: 'pay-1' },
});
if (!purchase.data) throw new Error(purchase.error.detail);
const deposit = await POST('/api/v1/intake/deposits', {
  params: once(),
  body: { email, amount: '20', platform: 'vblink', payment_reference: 'load-1' },
});
if (!deposit.data) throw new Error(deposit.error.detail);
const redeem = await POST('/api/v1/intake/redeems', {
  params: once(),
  body: {
    email,
    amount: '100',
    platform: 'vblink',
    payment_reference: 'cash-1',
    payout_method: 'PayPal',
    payout_address: 'pam@pay.test',
  },
});
if (!redeem.data) throw new Error(redeem.error.detail);
const made = [purchase.data, deposit.data, redeem.data];
const read = await GET('/api/v1/intake/transactions/{id}', { params: { path: { id: redeem.data.id } } });
const settled: string[] = [];
for (const { id } of made) settled.push(await settle(id));
console.log(JSON.stringify({ types: made.map(({ type }) => type), waits: read.data?.status, settled }));

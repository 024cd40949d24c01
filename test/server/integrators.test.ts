/** The examples of docs/integrations.md, run with curl and openssl, against a server on a port. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../src/server/http/listen';
import { creditOf, pluck } from '../answers';
import { ann, sue } from '../callers';
import { addApex, newKey, withKey } from '../integrations';
import { openPort, shut } from '../openPort';
import { fetch, PASSWORD, pam, reset, sql } from '../world';

const examples = [...readFileSync('docs/integrations.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);

const listener = await listen('127.0.0.1', 0, (request) =>
  request.arrayBuffer().then((body) =>
    fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: body.byteLength ? new Uint8Array(body) : null,
    }),
  ),
);
test.after(() => listener.close(0));
test.before.each(reset);

/** Runs one in a shell; what it printed, as JSON. */
async function runExample(nth: number, env: Record<string, string>): Promise<Record<string, unknown>> {
  const child = spawn('sh', ['-c', examples[nth] ?? 'exit 9'], {
    env: { PATH: process.env['PATH'] ?? '', API: listener.address.replace(/\/$/, ''), ...env },
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => said.push(part));
  const code = await new Promise((ended) => child.on('close', ended));
  assert.is(code, 0, 'needs curl and openssl');
  return JSON.parse(Buffer.concat(said).toString());
}

test('there is one for each way in', () => assert.is(examples.length, 3));

test('a top-up by an API key, and then its webhook, as they stand in docs/integrations.md', async () => {
  const { key } = await newKey();
  const { status, payment_reference } = await runExample(0, { KEY: key });
  assert.equal([status, payment_reference], ['pending', 'pay-4711']);
  const secret = await addApex();
  assert.equal(await runExample(1, { SECRET: secret }), { outcome: 'applied', detail: null });
  assert.is(await creditOf(), 375.5);
  assert.is((await runExample(1, { SECRET: 'another' }))['code'], 'not_signed_in');
});

test('the robot does the deposits of a platform alone, as it stands in docs/integrations.md', async () => {
  const [, robot = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/integrations.md', 'utf8')) ?? [];
  const shop = withKey((await newKey('ann', ['transactions:write', 'players:write'])).key);
  const push = (email: string, payment_reference: string) =>
    shop.pushDeposit({ body: { email, amount: '20', platform: 'vblink', payment_reference } });
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active)
    select 2, id, true from platforms where name = 'vblink'`;
  await shop.pushLogin({ body: { email: pam.email, platform: 'vblink', username: 'pam77' } });
  await shop.pushPlayer({ body: { email: 'new@mail.test' } });
  const [done, taken] = [await push(pam.email, 'd-1'), await push(pam.email, 'd-2')];
  await ann.claimRow({ body: { id: taken.id } });
  const recharge = encodeURIComponent('export const recharge = (...done) => console.log(JSON.stringify(done));');
  const { key } = await newKey('ann', ['work']);
  const env = { API: listener.address.replace(/\/$/, ''), KEY: key, PANEL: `data:text/javascript,${recharge}` };
  const child = spawn(process.execPath, ['--input-type=module', '-e', robot], { env });
  const said: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => said.push(part));
  assert.is(await new Promise((ended) => child.on('close', ended)), 0);
  assert.equal(JSON.parse(Buffer.concat(said).toString()), [done.id, 'pam77', 20]);
  const rows = await sql`select status from transactions where id in (${done.id}, ${taken.id}) order by id`;
  assert.equal(pluck(rows, 'status'), ['success', 'pending']);
});

test("BTCPay Server's, as it stands in docs/integrations.md", async () => {
  const paid = { amount: '25.50', currency: 'USD', status: 'Settled', metadata: { buyerEmail: pam.email } };
  const invoice = JSON.stringify({ id: 'inv-1', storeId: 'store-1', ...paid });
  const btcpay = createServer((_, response) => response.end(invoice));
  const server_url = `http://127.0.0.1:${await openPort(btcpay)}`;
  const store = { server_url, api_key: 'k', store_id: 'store-1' };
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'btcpay', body: store });
  const body = { rotate: false, password: PASSWORD };
  const { secret } = await sue.revealWebhookSecret({ tenant_id: 2, platform: 'btcpay', body });
  assert.equal(await runExample(2, { SECRET: secret }), { outcome: 'applied', detail: null });
  assert.is(await creditOf(), 375.5);
  shut(btcpay);
});

test.run();

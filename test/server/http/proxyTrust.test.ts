/** Behind proxies whose addresses are known, nobody else can say for whom they send. */
import { createServer, request } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isProxy, type ProxyTrust, parseProxyTrust } from '../../../src/server/core/proxyTrust';
import { getClientAddress, isSecure } from '../../../src/server/http/clientAddress';
import { openPort } from '../../openPort';
import { onLinux } from './wireLine';

/** What a sender at this address is taken for, and whether it counts as one that uses TLS. */
async function seen(
  trust: ProxyTrust | undefined,
  localAddress: string,
  headers: Record<string, string>,
): Promise<[address: string, isSecure: boolean]> {
  const app = new Hono();
  app.get('/', (c) => c.json([getClientAddress(c, trust ?? 0), isSecure(c, trust ?? 0)]));
  const server = createServer(getRequestListener(app.fetch));
  const port = await openPort(server);
  try {
    return await new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', localAddress, headers, agent: false }, (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => void (text += part))
          .on('end', () => resolve(JSON.parse(text)));
      })
        .on('error', reject)
        .end();
    });
  } finally {
    server.close();
  }
}
const forged = { 'X-Forwarded-For': '198.51.100.7', 'X-Forwarded-Proto': 'https' };

onLinux('the headers of a sender that is not one of the proxies are ignored [ASVS 4.1.3, 15.3.4]', async () => {
  const trust = parseProxyTrust('127.0.0.1, 10.0.0.0/8');
  assert.equal(await seen(trust, '127.0.0.2', forged), ['127.0.0.2', false]);
  assert.equal(await seen(trust, '127.0.0.1', forged), ['198.51.100.7', true]);
  assert.equal(await seen(1, '127.0.0.2', forged), ['198.51.100.7', true], 'a number asks nobody who they are');
});

test('what a client writes in front of what the proxies wrote is ignored, even the address of a proxy', async () => {
  const trust = parseProxyTrust('127.0.0.0/8 10.0.0.0/8');
  const from = (forwarded: string, proto = 'http') =>
    seen(trust, '127.0.0.1', { 'X-Forwarded-For': forwarded, 'X-Forwarded-Proto': proto });
  assert.equal(await from('203.0.113.1, 198.51.100.7'), ['198.51.100.7', false]);
  assert.equal(await from('10.0.0.9, 198.51.100.7'), ['198.51.100.7', false]);
  assert.equal(await from('203.0.113.1, 198.51.100.7, 10.0.0.2', 'https, https, http'), ['198.51.100.7', true]);
  assert.equal(await from('198.51.100.7', 'https, http'), ['198.51.100.7', false], 'the proxy wrote the last value');
  assert.equal(await from('unknown, 10.0.0.2'), ['127.0.0.1', false]);
  assert.equal(await from(''), ['127.0.0.1', false]);
  assert.equal(await from('10.0.0.3, 10.0.0.2'), ['10.0.0.3', false], 'one of the machines of the operator');
});

test('addresses, networks and numbers are read; anything else is not', () => {
  assert.equal([parseProxyTrust('0'), parseProxyTrust('10'), parseProxyTrust('11')], [0, 10, undefined]);
  const trust = parseProxyTrust('192.0.2.1,2001:db8::/32');
  assert.ok(typeof trust === 'object');
  const trusted = ['192.0.2.1', '2001:db8:1::5', '192.0.2.2', '2001:db9::1'].map((each) => isProxy(trust, each));
  assert.equal(trusted, [true, true, false, false]);
  for (const text of ['', ',', 'yes', '-1', '1.2.3', '10.0.0.0/33', '::1/129', '10.0.0.0/', 'fe80::1%eth0', '1,2'])
    assert.is(parseProxyTrust(text), undefined, text);
});

test.run();

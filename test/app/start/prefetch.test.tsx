/** The request that is sent before the app's scripts have arrived. */
import { cleanup, render } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App, Root } from '../../../src/app/Root';
import { fetchWithPrefetched, firstRequest, prefetch } from '../../../src/app/start/prefetch';
import { storedSession } from '../../../src/app/state/storage';
import { closeScreen, keepSession } from '../../screen';
import { fetch as ours, type Person, reset, tokenOf } from '../../world';
import { interceptRequests, respondWith } from '../network';

const realFetch = globalThis.fetch;
test.before(() => App.fetch());
test.after.each(() => {
  closeScreen();
  document.body.innerHTML = '';
  history.replaceState(null, '', '/');
  globalThis.fetch = realFetch;
  globalThis.prefetched = undefined;
});

async function visit(person: Person, path: string): Promise<void> {
  cleanup();
  await reset();
  await keepSession(person);
  history.replaceState(null, '', path);
}
/** What early.ts does; the URL that was requested. */
function startPage(): string | undefined {
  globalThis.fetch = (input, init) => ours(String(input), init ?? {});
  const { token } = storedSession();
  if (token) prefetch(token);
  return globalThis.prefetched?.url;
}

const addresses: [Person, string][] = [
  ['sue', '/users'],
  ['sue', '/users?search=pam&sort=email&order=desc&page=1&size=25'],
  ['sue', '/tenants'],
  ['sue', '/'],
  ['sue', '/tenant/2/admin'],
  ['sue', '/tenant/3/admin?tab=users'],
  ['ann', '/'],
  ['ann', '/users?search=%20pam%20'],
  ['ann', '/?tab=users'],
];
for (const [person, path] of addresses) {
  test(`what is prefetched for ${person} at ${path} is what the screen requests, and only once`, async () => {
    await visit(person, path);
    const url = startPage();
    assert.ok(url);
    const line = interceptRequests(),
      fetchThere = (url: string, init: RequestInit) =>
        globalThis.prefetched?.url === url ? fetchWithPrefetched(url, init) : line.fetch(url, init);
    const screen = render(<Root fetch={fetchThere} />);
    await screen.findAllByText(
      path.includes('tenants') || (person === 'sue' && path === '/') ? 'Acme' : /mail\.test/,
      {},
      { timeout: 5000 },
    );
    assert.is(globalThis.prefetched, undefined, 'it was taken');
    assert.not.ok(
      line.sent.some(({ path: asked, query }) => `${asked}?${new URLSearchParams(query)}`.startsWith(url)),
      'and not requested again',
    );
  });
}

test('nothing is prefetched where another screen opens, nor for somebody who may not enter', async () => {
  const user = (name: string, tenant_id: number | null) => ({
    role: { name, is_super_admin: name === 'super_admin' },
    tenant_id,
  });
  for (const path of ['/redeems', '/platforms', '/admins', '/purchases', '/deposits', '/payment-methods'])
    assert.is(firstRequest(user('super_admin', 1), path, ''), null);
  assert.is(firstRequest(user('super_admin', 1), '/tenant/2/admin', '?tab=redeems'), null);
  assert.is(firstRequest(user('admin', 2), '/', '?tab=platforms'), null);
  assert.is(firstRequest(user('admin', null), '/', ''), null);
  assert.is(firstRequest(user('support', 2), '/users', ''), null);
});

test('a prefetched response serves only the same session and URL, and is aborted when nobody waits', async () => {
  const asked: [string, AbortSignal | null | undefined][] = [];
  globalThis.fetch = async (input, init) => {
    asked.push([String(input), init?.signal]);
    return respondWith([]);
  };
  const headers = { Authorization: 'Bearer T' };
  localStorage.setItem('user', JSON.stringify({ role: { name: 'super_admin', is_super_admin: true }, tenant_id: 1 }));
  prefetch('T');
  const url = globalThis.prefetched?.url ?? '';
  assert.match(url, '/api/v1/admin/tenants/');
  await fetchWithPrefetched('/b', { method: 'GET', headers });
  await fetchWithPrefetched(url, { method: 'GET', headers: { Authorization: 'Bearer U' } });
  await fetchWithPrefetched(url, { method: 'POST', headers });
  assert.equal(
    asked.map(([asked]) => asked),
    [url, '/b', url, url],
  );
  const stop = new AbortController();
  await fetchWithPrefetched(url, { method: 'GET', headers, signal: stop.signal });
  assert.is(asked.length, 4, 'not requested again');
  await fetchWithPrefetched(url, { method: 'GET', headers });
  assert.is(asked.length, 5, 'but used once');
  assert.not.ok(asked[0]?.[1]?.aborted);
  stop.abort();
  assert.ok(asked[0]?.[1]?.aborted);
});

test('a prefetched request that failed is sent again', async () => {
  await visit('ann', '/users');
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
  prefetch(await tokenOf('ann'));
  const line = interceptRequests();
  globalThis.fetch = (input, init) => line.fetch(String(input), init ?? {});
  const screen = render(<Root fetch={fetchWithPrefetched} />);
  await screen.findByText('pam@mail.test');
  assert.is(line.sent.filter(({ path }) => path.includes('user-management')).length, 1);
});

test.run();

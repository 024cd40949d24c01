/** What happens before React DOM has arrived: the first call, the first draw, and how both are taken over. */
import { act, cleanup, render } from '@testing-library/react';
import { createContext, useContext, type ReactNode } from 'react';
import type { Root as ReactRoot } from 'react-dom/client';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keepAsked, wasAsked } from '../../src/app/asked';
import { drawOnce } from '../../src/app/drawOnce';
import { askFirst, fetchOnce, page } from '../../src/app/first';
import { firstCall } from '../../src/app/firstCall';
import { rememberInput } from '../../src/app/meanwhile';
import { App, Root } from '../../src/app/Root';
import { storedSession } from '../../src/app/stored';
import { closeScreen } from '../screen';
import { fetch as ours, reset, signIn, tokenOf, type Person } from '../world';
import { answer, watched } from './line';

const realFetch = globalThis.fetch;
let taken: ReactRoot | undefined;
test.before(() => App.fetch());
test.after.each(async () => {
  await act(async () => taken?.unmount());
  taken = undefined;
  closeScreen();
  document.body.innerHTML = '';
  history.replaceState(null, '', '/');
  globalThis.fetch = realFetch;
  globalThis.firstAnswer = undefined;
  page.again = null;
});

async function visit(person: Person, path: string): Promise<void> {
  cleanup();
  await reset();
  const { user, features } = await signIn(person);
  localStorage.setItem('token', await tokenOf(person));
  localStorage.setItem('user', JSON.stringify({ ...user, features }));
  history.replaceState(null, '', path);
}
/** What early.ts does. */
function ask(): string | null {
  const { user, token } = storedSession(), url = user && firstCall(user, location.pathname, location.search);
  globalThis.fetch = (input, init) => ours(String(input), init ?? {});
  if (url && token) askFirst(url, token);
  return url;
}

/** A tree as it can be compared: attributes in order, neighbouring texts as one, and not how a select says what is chosen. */
function told(node: Element): unknown[] {
  const attributes = [...node.attributes].map(({ name, value }) => `${name.toLowerCase()}=${value}`).filter((one) => !one.startsWith('selected')).sort();
  const children: unknown[] = [];
  for (const child of node.childNodes) {
    if (child instanceof Element) children.push(told(child));
    else if (child.nodeType === 3) children.push(typeof children.at(-1) === 'string' ? `${children.pop()}${child.textContent}` : child.textContent);
  }
  return [node.tagName, ...attributes, ...('value' in node && node.tagName === 'SELECT' ? [node.value] : []), ...children];
}

const addresses: [Person, string][] = [
  ['sue', '/users'], ['sue', '/users?search=pam&sort=email&order=desc&page=1&size=25'], ['sue', '/tenants'], ['sue', '/'], ['sue', '/tenant/2/admin'], ['sue', '/tenant/3/admin?tab=users'],
  ['ann', '/'], ['ann', '/users?search=%20pam%20'], ['ann', '/?tab=users'],
];
for (const [person, path] of addresses) {
  test(`what ${person} asks first at ${path} is what the screen asks, and it is asked once`, async () => {
    await visit(person, path);
    const url = ask();
    assert.ok(url);
    const line = watched(), fetchThere = (url: string, init: RequestInit) => (globalThis.firstAnswer?.url === url ? fetchOnce(url, init) : line.fetch(url, init));
    const screen = render(<Root fetch={fetchThere} />);
    await screen.findAllByText(path.includes('tenants') || (person === 'sue' && path === '/') ? 'Acme' : /mail\.test/, {}, { timeout: 5000 });
    assert.is(globalThis.firstAnswer, undefined, 'it was wanted');
    assert.not.ok(line.sent.some(({ path: asked, query }) => `${asked}?${new URLSearchParams(query)}`.startsWith(url)), 'and not asked again');
  });
}

test('nothing is asked first where another screen opens, nor for somebody who may not enter', async () => {
  const user = (name: string, is_super_admin: boolean, tenant_id: number | null) => ({ role: { name, is_super_admin }, tenant_id });
  for (const path of ['/redeems', '/platforms', '/admins', '/purchases', '/deposits', '/payment-methods']) assert.is(firstCall(user('super_admin', true, 1), path, ''), null);
  assert.is(firstCall(user('super_admin', true, 1), '/tenant/2/admin', '?tab=redeems'), null);
  assert.is(firstCall(user('admin', false, 2), '/', '?tab=platforms'), null);
  assert.is(firstCall(user('admin', false, null), '/', ''), null);
  assert.is(firstCall(user('support', false, 2), '/users', ''), null);
});

for (const [person, path] of [...addresses, ['sue', '/redeems'], ['oli', '/users']] as [Person, string][]) {
  test(`the first draw for ${person} at ${path} is what React draws`, async () => {
    await visit(person, path);
    const host = document.createElement('div'), reference = document.createElement('div');
    if (ask() && globalThis.firstAnswer) globalThis.firstAnswer.drawn = await (await globalThis.firstAnswer.answer).text();
    drawOnce(<Root fetch={fetchOnce} />, host);
    reference.innerHTML = renderToString(<Root fetch={fetchOnce} />).replaceAll('<!-- -->', '');
    assert.equal(told(host), told(reference));
    if (/users/.test(path) && person !== 'oli') assert.match(host.textContent ?? '', person === 'ann' || path.includes('pam') ? 'pam@mail.test' : 'pat@mail.test');
  });
}

test('a draw that fails leaves nothing behind: the next one begins outside of it', () => {
  const Where = createContext('outside'), host = document.createElement('div');
  const Say = () => <p>{useContext(Where)}</p>;
  const Fail = (): ReactNode => { throw new Error('an answer that cannot be read'); };
  assert.throws(() => drawOnce(<Where value="inside"><Fail /></Where>, host), /cannot be read/);
  drawOnce(<Say />, host);
  assert.is(host.textContent, 'outside');
});

test('React takes over what was drawn: the same rows, no complaint, and what was pressed, chosen and typed meanwhile counts', async () => {
  await visit('ann', '/users');
  ask();
  const first = globalThis.firstAnswer, host = document.body.appendChild(document.createElement('div'));
  if (!first) throw new Error('nothing was asked');
  first.drawn = await (await first.answer).clone().text();
  rememberInput(host);
  drawOnce(<Root fetch={fetchOnce} />, host);
  const row = host.querySelector('tbody tr'), search = host.querySelector<HTMLInputElement>('input[type=search]');
  if (!search) throw new Error('no search');
  search.value = 'pam';
  [...host.querySelectorAll('button')].find(({ textContent }) => textContent === 'Create User')?.click();
  const size = host.querySelector<HTMLSelectElement>('select[aria-label="Rows per page"]'), mode = host.querySelector<HTMLSelectElement>('select.colour-mode');
  if (!size || !mode) throw new Error('no lists to choose from');
  for (const [select, value] of [[size, '25'], [mode, 'dark']] as const) {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }

  const complaints: unknown[] = [], line = watched();
  globalThis.fetch = (input, init) => line.fetch(String(input), init ?? {});
  await act(async () => {
    taken = hydrateRoot(host, <Root fetch={fetchOnce} />, { onRecoverableError: (error) => complaints.push(error) });
  });
  assert.equal(complaints, []);
  assert.ok(row?.isConnected && host.querySelector('tbody tr') === row, 'the row is the one that was drawn');
  for (let turn = 0; turn < 200 && !(document.querySelector('dialog') && line.sent.some(({ query }) => query['search'] === 'pam')); turn++) {
    await act(() => new Promise((done) => { setTimeout(done, 20); }));
  }
  assert.ok(document.querySelector('dialog'), 'the dialog is open');
  assert.is(search.value, 'pam');
  assert.equal([size.value, mode.value, localStorage.getItem('colour_mode')], ['25', 'dark', 'dark']);
  assert.equal(line.sent.filter(({ path }) => path.includes('user-management')).map(({ query }) => [query['search'], query['page_size']]), [[undefined, '25'], ['pam', '25']]);
});

test('an answer asked first goes to the same session and the same question only, and stops when nobody waits for it', async () => {
  const asked: [string, AbortSignal | null | undefined][] = [];
  globalThis.fetch = async (input, init) => {
    asked.push([String(input), init?.signal]);
    return answer([]);
  };
  const headers = { Authorization: 'Bearer T' };
  askFirst('/a', 'T');
  await fetchOnce('/b', { method: 'GET', headers });
  await fetchOnce('/a', { method: 'GET', headers: { Authorization: 'Bearer U' } });
  await fetchOnce('/a', { method: 'POST', headers });
  assert.equal(asked.map(([url]) => url), ['/a', '/b', '/a', '/a']);
  const stop = new AbortController();
  await fetchOnce('/a', { method: 'GET', headers, signal: stop.signal });
  assert.is(asked.length, 4, 'not asked again');
  await fetchOnce('/a', { method: 'GET', headers });
  assert.is(asked.length, 5, 'but used once');
  assert.not.ok(asked[0]?.[1]?.aborted);
  stop.abort();
  assert.ok(asked[0]?.[1]?.aborted);
});

test('a list counts as lying in the cache for some minutes, and what was searched for is not remembered', () => {
  localStorage.clear();
  const url = '/api/list?sort=email', now = Date.now;
  assert.not.ok(wasAsked(url));
  keepAsked('/api/list?search=pam%40mail.test');
  assert.is(localStorage.length, 0);
  keepAsked(url);
  try {
    assert.ok(wasAsked(url));
    assert.not.ok(wasAsked(`${url}&page=2`));
    Date.now = () => now() + 9 * 60_000;
    assert.ok(wasAsked(url));
    Date.now = () => now() + 11 * 60_000;
    assert.not.ok(wasAsked(url), 'a session may have ended by itself');
    Date.now = () => now() - 11 * 60_000;
    assert.not.ok(wasAsked(url), 'the clock was turned back');
  } finally {
    Date.now = now;
  }
});

test('an answer that broke on the way is asked for again', async () => {
  await visit('ann', '/users');
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
  const { user, token } = storedSession();
  askFirst(firstCall(user!, '/users', '')!, token!);
  const line = watched();
  globalThis.fetch = (input, init) => line.fetch(String(input), init ?? {});
  const screen = render(<Root fetch={fetchOnce} />);
  await screen.findByText('pam@mail.test');
  assert.is(line.sent.filter(({ path }) => path.includes('user-management')).length, 1);
});

test.run();

/** Requests the list of the first screen while the app's scripts are still loading. Imports no React. */

import { PLAYERS_PATH, TENANTS_PATH } from '../../contract/constants';
import type { SessionUser } from '../../contract/entities';
import { isUsersPath, readTenantPath } from '../../contract/routes';
import { mayEnter } from '../../contract/rules';
import { apiBase, mountPath } from '../api/basePath';
import { buildUrl } from '../api/client';
import { storedStaff } from '../state/storage';
import { parseUsersQuery, toPlayerQuery, usersAddress } from './usersQuery';

interface Prefetched {
  url: string;
  token: string;
  response: Promise<Response>;
  abort: () => void;
}
declare global {
  /** The request that the early script has sent and the app has not used yet. Two scripts of the page share it. */
  var prefetched: Prefetched | undefined;
}

/** Sends the first request of this address. Does nothing if the screen has none worth sending early. */
export function prefetch(token: string): void {
  const user = storedStaff();
  const path = user && firstRequest(user, location.pathname.slice(mountPath().length), location.search);
  if (!path) return;
  const url = apiBase() + path,
    controller = new AbortController();
  const response = fetch(url, { headers: { Authorization: `Bearer ${token}` }, signal: controller.signal });
  response.catch(() => undefined); // handled where the response is used
  globalThis.prefetched = { url, token, response, abort: () => controller.abort() };
}

/** Whether the address opens with the list of users, as far as is known before the app is loaded. */
export const opensOnUsers = (): boolean => globalThis.prefetched?.url.includes(PLAYERS_PATH) ?? false;

/** Drops the request, if nothing used it or its answer is outdated. */
export function dropPrefetched(): void {
  globalThis.prefetched = undefined;
}

/** `fetch`, except that the first request for the same URL with the same token gets the prefetched response. */
export async function fetchWithPrefetched(url: string, init: RequestInit): Promise<Response> {
  const { prefetched } = globalThis,
    { signal } = init;
  const isSame =
    prefetched?.url === url &&
    init.method === 'GET' &&
    new Headers(init.headers).get('Authorization') === `Bearer ${prefetched.token}`;
  if (!isSame) return fetch(url, init);
  dropPrefetched();
  signal?.addEventListener('abort', prefetched.abort, { once: true });
  if (signal?.aborted) prefetched.abort();
  return prefetched.response;
}

/** The URL that the screen at `path` requests first; null if that is not known here. */
export function firstRequest(user: SessionUser, path: string, search: string): string | null {
  const query = new URLSearchParams(search);
  // Whether the server takes a selection is not known here.
  if (!mayEnter(user) || query.has('segment')) return null;
  const param = (name: keyof typeof usersAddress) => query.get(name) ?? usersAddress[name];
  const users = (tenantId: number | undefined) => {
    const address = {
      tenant: '',
      search: param('search'),
      segment: '',
      sort: param('sort'),
      order: param('order'),
      page: param('page'),
      size: param('size'),
    };
    return buildUrl(PLAYERS_PATH, toPlayerQuery(parseUsersQuery(address), tenantId));
  };

  const opensOnUsers = ['', 'users'].includes(query.get('tab') ?? '');
  const isUsers = isUsersPath(path);
  if (!user.role.is_super_admin) {
    return user.tenant_id !== null && (isUsers || opensOnUsers) ? users(user.tenant_id) : null;
  }
  if (isUsers) return users(Number(parseUsersQuery({ ...usersAddress, tenant: param('tenant') }).tenant) || undefined);
  const tenantId = readTenantPath(path);
  if (tenantId) return opensOnUsers ? users(tenantId) : null;
  return /^(\/|\/tenants\/?)?$/.test(path) ? buildUrl(TENANTS_PATH, {}) : null;
}

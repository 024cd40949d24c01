/** Who calls the server in tests: people of the world who stay signed in, their colleagues, and any session. */
import type { Api } from '../src/app/api/client';
import { calls } from '../src/contract/allCalls';
import { type Permission, permissions } from '../src/contract/permissions';
import type { Services } from '../src/server/core/context';
import { createApi } from './createApi';
import { fetch, hashOfPassword, type Person, send, services, sql, tokenOf } from './world';

export const apiOf = (token: string): Api => createApi({ fetch, token: () => token });
/** Whether a session is good. */
export const stillIn = async (token: string): Promise<boolean> =>
  (await send('GET', calls.listRedeems.path, { token })).status === 200;

const sessions = new WeakMap<Services, Partial<Record<Person, Promise<string>>>>();
/** One session until the next reset, begun by the first call. */
const lasting = (person: Person): Api =>
  createApi({
    fetch: async (url, init) => {
      const begun = sessions.get(services) ?? {};
      sessions.set(services, begun);
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${await (begun[person] ??= tokenOf(person))}`);
      return fetch(url, { ...init, headers });
    },
  });
export const sue = lasting('sue'),
  ann = lasting('ann'),
  ben = lasting('ben');

/** A colleague of Ann's with these permissions and PASSWORD, signed in. */
export async function hire(email: string, held: readonly Permission[] = permissions): Promise<Api & { id: number }> {
  const [made] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash, permissions)
    select 2, id, ${email}, ${hashOfPassword}, ${[...held]} from roles where name = 'admin' returning id`;
  const { token } = await services.sessions.start(sql, made!.id, 'test');
  return Object.assign(apiOf(token), made);
}
/** Calls from an address. */
export const from = (address: string, token?: string): Api =>
  createApi({
    fetch: (url, init) => fetch(url, init, { incoming: { socket: { remoteAddress: address } } }),
    ...(token && { token: () => token }),
  });

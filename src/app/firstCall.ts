/** The list with which an address opens, asked for by early.ts beside the scripts. Knows no React. */
import type { SessionUser } from '../contract/entities';
import { openingCalls } from '../contract/openingCalls';
import { mayEnter } from '../contract/rules';
import { urlOf } from './api';
import { playersAsked, usersAddress, usersQueryOf } from './usersQuery';

/** The very URL for which the screen at `path` asks first; null when nothing is worth asking before the app is here. */
export function firstCall(user: SessionUser, path: string, search: string): string | null {
  if (!mayEnter(user)) return null;
  const query = new URLSearchParams(search), at = (name: keyof typeof usersAddress) => query.get(name) ?? usersAddress[name];
  const opensOnUsers = ['', 'users'].includes(query.get('tab') ?? '');
  const players = (tenantId: number | undefined) =>
    urlOf(openingCalls.listPlayers.path, playersAsked(usersQueryOf({ search: at('search'), sort: at('sort'), order: at('order'), page: at('page'), size: at('size') }), tenantId));

  const isUsers = /^\/users\/?$/.test(path), tenant = /^\/tenant\/([1-9]\d{0,14})\/admin\/?$/.exec(path)?.[1];
  if (!user.role.is_super_admin) return user.tenant_id !== null && (isUsers || opensOnUsers) ? players(user.tenant_id) : null;
  if (isUsers) return players(undefined);
  if (tenant) return opensOnUsers ? players(Number(tenant)) : null;
  return /^(\/|\/tenants\/?)?$/.test(path) ? urlOf(openingCalls.listTenants.path, {}) : null;
}

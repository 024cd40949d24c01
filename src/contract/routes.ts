/** The addresses of the app, below the path where it is mounted (docs/product.md, "Routes and menus"). */

export const OVERVIEW_ADDRESS = '/overview';
export const PAYMENT_METHODS_ADDRESS = '/payment-methods';
export const isUsersPath = (path: string): boolean => /^\/users\/?$/.test(path);

/** A list of payments: for super admins a page, narrowed to a tenant if one is given; else a tab of the panel. */
export const listAddress = (
  list: string,
  query: Readonly<Record<string, string>>,
  { isSuper, tenant }: { isSuper: boolean; tenant?: number | string | null | undefined },
): string =>
  isSuper
    ? `/${list}?${new URLSearchParams({ ...(tenant && { tenant: String(tenant) }), ...query })}`
    : `/?${new URLSearchParams({ tab: list, ...query })}`;

export const usersAddress = (query: Readonly<Record<string, string>>): string => `/users?${new URLSearchParams(query)}`;

/** The Users screen searched for a player's e-mail; with the player's id also the view of the player. */
export const playerAddress = (email: string, playerId?: number | null): string =>
  `/users?search=${encodeURIComponent(email)}${playerId ? `&player=${playerId}` : ''}`;

/** The view of one tenant, at a tab. */
export const tenantAddress = (id: number | string, tab?: string): string =>
  `/tenant/${id}/admin${tab ? `?tab=${tab}` : ''}`;
/** The tenant whose view is at a path. */
export function readTenantPath(path: string): number | undefined {
  const [, id] = /^\/tenant\/([1-9]\d{0,14})\/admin\/?$/.exec(path) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** In an address: the tool of the title bar that opens with the page. */
export const TOOL = 'tool';
/** A tool of the title bar, over the view of a tenant if one is given. */
export const toolAddress = (tool: string, tenant?: number | null): string =>
  `${tenant ? tenantAddress(tenant) : '/'}?${TOOL}=${tool}`;

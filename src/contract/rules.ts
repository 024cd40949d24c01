/** Rules that both sides apply. Pure functions; amounts in USD. */

import { ADMIN_ROLE, REDEEM_MAX, REDEEM_MIN } from './constants';
import type { SessionUser } from './entities';

type Staff = Pick<SessionUser, 'role' | 'tenant_id'>;

/** Only super admins and admins may use the back-office (docs/product.md, "Roles and tenancy"). */
export const mayEnter = (user: Staff): boolean => user.role.is_super_admin || user.role.name === ADMIN_ROLE;

/** A super admin enters any tenant, others their own (docs/product.md, "Roles and tenancy"); ids may be text. */
export const mayEnterTenant = (user: Staff, tenantId?: number | string | null): boolean =>
  user.role.is_super_admin ||
  (user.role.name === ADMIN_ROLE && (tenantId == null || Number(tenantId) === user.tenant_id));

/** Only what is pending can change (docs/product.md, "Status changes"); other servers may send capital letters. */
export const isOpen = (status: string): boolean => status.toLowerCase() === 'pending';

/** GGR / purchases * 100 with 2 decimals; '0.00' without purchases (docs/product.md, "Metrics"). */
export const netHoldingPercent = (ggr: number, purchases: number): string =>
  (purchases === 0 ? 0 : (ggr / purchases) * 100).toFixed(2);

/** The limits of a single redeem made by a player (docs/product.md, "Redeems"). */
export const isRedeemAmount = (amount: number): boolean => amount >= REDEEM_MIN && amount <= REDEEM_MAX;

/** An API platform needs no credentials of the tenant (docs/product.md, "Platforms"). */
export const isApiPlatform = (platformType: string | null | undefined): boolean => platformType === 'api';

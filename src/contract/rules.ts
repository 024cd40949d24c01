/** Rules that both sides apply, pure. Amounts in USD. */
import type { SessionUser } from './entities';
import { ADMIN_ROLE, REDEEM_MAX, REDEEM_MIN } from './constants';

type Staff = Pick<SessionUser, 'role' | 'tenant_id'>;

/** Section 6: only super admins and admins may work here. */
export const mayEnter = (user: Staff): boolean => user.role.is_super_admin || user.role.name === ADMIN_ROLE;

/** Section 6: a super admin may enter any tenant, an admin only its own (or none requested). Another server's rows may carry ids as text. */
export const mayEnterTenant = (user: Staff, tenantId?: number | string | null): boolean =>
  user.role.is_super_admin || (user.role.name === ADMIN_ROLE && (tenantId == null || Number(tenantId) === user.tenant_id));

/** Section 4: only a pending purchase or redeem may change; success and failed are final. Another server's word for it may be in capitals. */
export const isOpen = (status: string): boolean => status.toLowerCase() === 'pending';

/** Section 2: GGR / purchases * 100 with 2 decimals, '0.00' when nothing was purchased. */
export const netHoldingPercent = (ggr: number, purchases: number): string =>
  (purchases === 0 ? 0 : (ggr / purchases) * 100).toFixed(2);

/** Section 5: a player's own redeem, each request. */
export const isRedeemAmount = (amount: number): boolean => amount >= REDEEM_MIN && amount <= REDEEM_MAX;

/** Section 4: an API platform needs no credentials of the tenant's. */
export const isApiPlatform = (platformType: string | null | undefined): boolean => platformType === 'api';

/** Above all: a tenant's admin sees and changes their own tenant alone (docs/product.md, "Roles and tenancy"). */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { mayEnter, mayEnterTenant } from '../../contract/rules';
import type { Caller } from '../auth/caller';
import type { Sql } from '../db/open';
import { notFound, Problem, tenantViolation } from './problem';

/** The tenant that a call may touch: the requested or the caller's own; null is all of them, for a super admin. */
export function tenantScope(caller: Caller, requested?: number): number | null {
  if (!mayEnterTenant(caller, requested)) throw tenantViolation();
  return requested ?? (caller.role.is_super_admin ? null : caller.tenant_id);
}

/** Super admins who name no tenant mean their own, the platform's. */
export const tenantOrPlatform = (caller: Caller, requested?: number): number =>
  tenantScope(caller, requested) ?? PLATFORM_TENANT_ID;

export function getTenantId({ tenant_id }: Caller): number {
  if (tenant_id === null) throw new Error('a key belongs to a tenant');
  return tenant_id;
}

/** Restricts a query to the tenant: sql`… where ${inTenant(sql, tenant, 'r.tenant_id')}`. */
export const inTenant = (sql: Sql, tenant: number | null, column = 'tenant_id') =>
  tenant === null ? sql`true` : sql`${sql(column)} = ${tenant}`;

/** The column `tenant_name` for the tenant in another column. */
export const tenantName = (sql: Sql, column: string) =>
  sql`(select name from tenants where id = ${sql(column)}) as tenant_name`;

/** The platform's own tenant has no tenant admins, players, platforms or payment methods. */
export function refusePlatformTenant(tenantId: number): void {
  if (tenantId === PLATFORM_TENANT_ID)
    throw new Problem(400, "The platform's own tenant takes no tenant admins, players, platforms or payment methods");
}

/** A tenant that can have players and the like: 400 for the platform's own, 404 for an unknown one. */
export async function requireTenant(sql: Sql, tenantId: number): Promise<{ id: number; name: string }> {
  refusePlatformTenant(tenantId);
  return requireKnownTenant(sql, tenantId);
}

/** The tenant that a call is about; a super admin must name it, in the query or the body. */
export async function nameTenant(sql: Sql, caller: Caller, where: 'query' | 'body', tenantId: number | undefined) {
  const tenant = tenantScope(caller, tenantId);
  if (tenant === null) throw new Problem(422, `${where}.tenant_id: is required`);
  await requireTenant(sql, tenant);
  return tenant;
}

/** Any tenant, for reading; 404 for an unknown one. */
export async function requireKnownTenant(sql: Sql, tenantId: number): Promise<{ id: number; name: string }> {
  const [tenant] = await sql<{ id: number; name: string }[]>`select id, name from tenants where id = ${tenantId}`;
  if (!tenant) throw notFound('Tenant');
  return tenant;
}

/** The tenant and player that something belongs to. */
export interface Owner {
  tenant_id: number;
  player_id: number;
}

/** A player of the tenant; for anybody else the player does not exist (404). */
export async function findPlayer(sql: Sql, tenant: number | null, id: number): Promise<Owner> {
  return sql<Owner[]>`
    select tenant_id, id as player_id from players
    where id = ${id} and ${inTenant(sql, tenant)} and deleted_at is null`.one(notFound('User'));
}

/** Makes two writers wait for each other, and writes nothing for a player who was deleted in the meantime. */
export async function lockPlayer(sql: Sql, { tenant_id, player_id }: Owner): Promise<void> {
  const [player] = await sql`
    select 1 from players
    where tenant_id = ${tenant_id} and id = ${player_id} and deleted_at is null for no key update`;
  if (!player) throw notFound('User');
}

/** Waits for a purchase, deposit or redeem that is being made. */
export async function lockWallet(sql: Sql, { tenant_id, player_id }: Owner): Promise<void> {
  await sql`
    select 1 from wallets
    where tenant_id = ${tenant_id} and player_id = ${player_id} and closed_at is null for update`.one(notFound('User'));
}

/** Refuses a foreign tenant's id anywhere in a request; it is never silently replaced by the caller's own. */
export function refuseForeignTenant(caller: Caller, ids: readonly unknown[]): void {
  const isForeign = (id: unknown) =>
    (typeof id === 'number' || typeof id === 'string') &&
    /^\s*\d+\s*$/.test(String(id)) &&
    !mayEnterTenant(caller, Number(id));
  if (!caller.role.is_super_admin && mayEnter(caller) && ids.some(isForeign)) throw tenantViolation();
}

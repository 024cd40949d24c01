/** The record behind both an assignment and a my-platform: a tenant's platform and its credentials. */

import type { PlatformCredentials } from '../../contract/entities';
import type { AuditSubject } from '../audit/auditLog';
import { keepsSecret, type Secrets, secretContext } from '../auth/secrets';
import { notFound, Problem } from '../core/problem';
import type { Sql } from '../db/open';

export interface PlatformCredentialsRow {
  platform_id: number;
  tenant_id: number;
  platform_type: string;
  is_active: boolean;
  username: string | null;
  password_secret: string | null;
  panel_url: string | null;
}

/** An API platform counts as configured too when it has credentials. */
export const isConfigured = (row: Pick<PlatformCredentialsRow, 'username' | 'password_secret'>): boolean =>
  Boolean(row.username && row.password_secret);

export async function requirePlatform(sql: Sql, platformId: number) {
  return sql<{ platform_type: string; is_active: boolean }[]>`
    select platform_type, is_active from platforms where id = ${platformId}`.one(notFound('Platform'));
}

/** The record, locked, if there is one. */
export async function findPlatformCredentials(sql: Sql, tenantId: number, platformId: number) {
  const [row] = await sql<PlatformCredentialsRow[]>`
    select tp.*, p.platform_type from tenant_platforms tp join platforms p on p.id = tp.platform_id
    where tp.tenant_id = ${tenantId} and tp.platform_id = ${platformId} for update of tp`;
  return row ?? null;
}

/** For the audit log: whether it is active, the username, and that the password changed. */
export function auditedCredentials(
  tenantId: number,
  platformId: number,
  before: PlatformCredentialsRow | null,
  after: PlatformCredentialsRow | null,
): AuditSubject {
  const kept = (row: PlatformCredentialsRow | null) => {
    if (!row) return null;
    const { is_active, username, password_secret, panel_url } = row;
    return { is_active, username, password_secret, panel_url };
  };
  return { kind: 'assignment', id: platformId, tenant_id: tenantId, before: kept(before), after: kept(after) };
}

/** Creates the record if needed and locks it, so that it stays as read until the call ends. */
export async function lockPlatformCredentials(sql: Sql, tenantId: number, platformId: number) {
  return sql<PlatformCredentialsRow[]>`
    with locked as (
      insert into tenant_platforms (tenant_id, platform_id) values (${tenantId}, ${platformId})
      on conflict (tenant_id, platform_id) do update set updated_at = excluded.updated_at returning *)
    select l.*, p.platform_type from locked l join platforms p on p.id = l.platform_id`.one();
}

/** An empty or masked value keeps what is stored. Without stored credentials both are required. */
export async function savePlatformCredentials(
  sql: Sql,
  secrets: Secrets,
  tenantId: number,
  platformId: number,
  login: PlatformCredentials,
): Promise<PlatformCredentialsRow> {
  const stored = await lockPlatformCredentials(sql, tenantId, platformId);
  const username = login.username || stored.username;
  const password_secret = keepsSecret(login.password)
    ? stored.password_secret
    : secrets.encrypt(login.password, secretContext.platformCredentials(tenantId, platformId));
  if (!username) throw new Problem(422, 'body.username: is required');
  if (!password_secret) throw new Problem(422, 'body.password: is required');
  await changePlatformCredentials(sql, tenantId, platformId, { username, password_secret });
  return { ...stored, username, password_secret };
}

/** Changes the record, if there is one. */
export const changePlatformCredentials = (
  sql: Sql,
  tenantId: number,
  platformId: number,
  changes: Partial<PlatformCredentialsRow>,
) => sql`
  update tenant_platforms set ${sql(changes)}, updated_at = now()
  where tenant_id = ${tenantId} and platform_id = ${platformId}`;

/** A platform by the name that somebody sent: 422 for an unknown one. */
export async function requirePlatformName(sql: Sql, name: string): Promise<void> {
  const [platform] = await sql`select 1 from platforms where name = ${name} and is_active`;
  if (!platform) throw new Problem(422, 'body.platform: unknown platform');
}

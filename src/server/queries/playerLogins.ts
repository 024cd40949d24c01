/** Logins of players at game platforms: one active per player and platform, beside former ones. */
import { LIST_MAX } from '../../contract/constants';
import type { PlayerCredential } from '../../contract/entities';
import { maskSecret, type Secrets, secretContext } from '../auth/secrets';
import { Problem } from '../core/problem';
import { lockPlayer, type Owner } from '../core/tenancy';
import type { Sql } from '../db/open';

export interface LoginRow extends Owner, Omit<PlayerCredential, 'platform_password'> {
  password_secret: string | null;
}

export interface LoginAt extends Owner {
  platform: string;
}
export interface NewLogin extends LoginAt {
  username: string;
  password?: string | undefined;
}

/** The players' platforms are names, and other systems write them as they like; so they are compared without case. */
const isAt = (sql: Sql, platform: string) => sql`lower(platform_name) = lower(${platform})`;

export const toPlayerCredential = (row: LoginRow): PlayerCredential => ({
  id: row.id,
  platform_name: row.platform_name,
  platform_username: row.platform_username,
  platform_password: maskSecret(row.password_secret),
  is_active: row.is_active,
  ...(row.panel_url && { panel_url: row.panel_url }),
});

export async function findActiveLogin(sql: Sql, at: LoginAt): Promise<LoginRow | null> {
  const [login] = await sql<LoginRow[]>`
    select * from player_credentials
    where tenant_id = ${at.tenant_id} and player_id = ${at.player_id} and is_active and ${isAt(sql, at.platform)}
    limit 1`;
  return login ?? null;
}

/** Where the tenant's staff work at a platform. */
export async function findPanel(sql: Sql, tenantId: number, platform: string): Promise<string | null> {
  const [row] = await sql<{ panel_url: string | null }[]>`
    select tp.panel_url from tenant_platforms tp join platforms p on p.id = tp.platform_id
    where tp.tenant_id = ${tenantId} and tp.is_active and lower(p.name) = lower(${platform}) limit 1`;
  return row?.panel_url ?? null;
}

/** Where logins can be added: the platforms that the tenant has activated. */
export async function listActivePlatforms(sql: Sql, tenantId: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select p.name from platforms p join tenant_platforms tp on tp.platform_id = p.id
    where tp.tenant_id = ${tenantId} and tp.is_active and p.is_active order by p.name limit ${LIST_MAX}`;
  return rows.map(({ name }) => name);
}

/** The platform's name as the product writes it. */
export async function requireActivePlatform(sql: Sql, tenantId: number, field: string, name: string): Promise<string> {
  const found = (await listActivePlatforms(sql, tenantId)).find((one) => one.toLowerCase() === name.toLowerCase());
  if (!found) throw new Problem(422, `body.${field}: not an active platform of this tenant`);
  return found;
}

/** Switches the active login at a platform off; without `replaces` it is a refusal that the app asks about. */
export async function makeRoom(sql: Sql, at: LoginAt, replaces: boolean | undefined): Promise<LoginRow | null> {
  const former = await findActiveLogin(sql, at);
  if (!former) return null;
  if (!replaces)
    throw new Problem(409, `'${former.platform_username}' is active at this platform`, undefined, 'login_exists');
  await sql`
    update player_credentials set is_active = false, updated_at = now()
    where tenant_id = ${at.tenant_id} and player_id = ${at.player_id} and is_active and ${isAt(sql, at.platform)}`;
  return former;
}

/** The player is locked first, so that two new logins at a platform come one after the other. */
export async function addLogin(
  sql: Sql,
  secrets: Secrets,
  { username, password, ...at }: NewLogin,
  replaces?: boolean,
): Promise<{ made: LoginRow; former: LoginRow | null }> {
  await lockPlayer(sql, at);
  const former = await makeRoom(sql, at, replaces);
  const { tenant_id, player_id, platform } = at,
    context = secretContext.playerCredential(tenant_id, player_id, platform);
  const password_secret = password ? secrets.encrypt(password, context) : null;
  const row = { tenant_id, player_id, platform_name: platform, platform_username: username, password_secret };
  const made = await sql<LoginRow[]>`insert into player_credentials ${sql(row)} returning *`.one();
  return { made, former };
}

/** Whether the player has or had this login. */
export const hasLogin = async (sql: Sql, { tenant_id, player_id, platform, username }: NewLogin): Promise<boolean> =>
  sql`
      select 1 from player_credentials
      where tenant_id = ${tenant_id} and player_id = ${player_id} and platform_username = ${username}
        and ${isAt(sql, platform)} limit 1`.hasRow();

/** What the audit log keeps of a login, and of the one that it replaced. */
export const auditedLogin = (row: LoginRow, before: LoginRow | null, former: LoginRow | null = null) => ({
  kind: 'player login' as const,
  id: row.id,
  tenant_id: row.tenant_id,
  player_id: row.player_id,
  before: before && shown(before),
  after: { ...shown(row), ...(former && { replaced: former.platform_username }) },
});
const shown = ({ platform_name, platform_username, password_secret, is_active }: LoginRow) => ({
  platform_name,
  platform_username,
  password_secret,
  is_active,
});

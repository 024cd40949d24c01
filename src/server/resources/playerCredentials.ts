import { LIST_MAX } from '../../contract/constants';
import type { RowNeeds } from '../../contract/entities';
import type { Audit } from '../audit/auditLog';
import { keepsSecret, secretContext } from '../auth/secrets';
import type { Handlers, Services } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { findPlayer, inTenant, lockPlayer, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { requireNamedPlayer } from '../payments/paymentReferences';
import {
  addLogin,
  auditedLogin,
  findActiveLogin,
  findPanel,
  type LoginRow,
  makeRoom,
  type NewLogin,
  requireActivePlatform,
  toPlayerCredential,
} from '../queries/playerLogins';

async function lockLogin(sql: Sql, tenantId: number, playerId: number, id: number): Promise<LoginRow> {
  return sql<LoginRow[]>`
    select * from player_credentials
    where tenant_id = ${tenantId}
    and player_id = ${playerId} and id = ${id} for update`.one(notFound('Platform credential'));
}

/** Changes a login, with its audit entry; `former` is another one that it takes the place of. */
async function changeLogin(
  { sql, audit }: { sql: Sql; audit: Audit },
  stored: LoginRow,
  changes: Partial<Pick<LoginRow, 'platform_username' | 'password_secret' | 'is_active'>>,
  former: LoginRow | null = null,
) {
  await sql`
    update player_credentials set ${sql(changes)}, updated_at = now()
    where tenant_id = ${stored.tenant_id} and id = ${stored.id}`;
  const changed = { ...stored, ...changes };
  audit.about(auditedLogin(changed, stored, former));
  return toPlayerCredential(changed);
}

async function makeLogin(
  { sql, services, audit }: { sql: Sql; services: Services; audit: Audit },
  login: NewLogin,
  replaces: boolean | undefined,
) {
  const { made, former } = await addLogin(sql, services.secrets, login, replaces);
  audit.about(auditedLogin(made, null, former));
  return toPlayerCredential(made);
}

const contextOf = ({ tenant_id, player_id, platform_name }: LoginRow) =>
  secretContext.playerCredential(tenant_id, player_id, platform_name);

/** As many as a row has room for. */
const MOVEMENTS = 3;

export const playerCredentials = {
  async listPlayerCredentials({ sql, caller, params }) {
    const { tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    const rows = await sql<LoginRow[]>`
      select c.*, (
        select tp.panel_url from tenant_platforms tp join platforms p on p.id = tp.platform_id
        where tp.tenant_id = ${tenant_id} and tp.is_active and lower(p.name) = lower(c.platform_name)) as panel_url
      from player_credentials c
      where tenant_id = ${tenant_id} and player_id = ${params.id}
      order by platform_name, is_active desc, id limit ${LIST_MAX}`;
    return rows.map(toPlayerCredential);
  },

  /** Fields that are left out stay; so does an empty or masked password. */
  async updatePlayerCredential(ctx) {
    const { sql, caller, params, body, services } = ctx;
    const { tenant_id } = await findPlayer(sql, tenantScope(caller), params.user_id);
    const stored = await lockLogin(sql, tenant_id, params.user_id, params.credential_id);
    const { platform_username = stored.platform_username, platform_password: password } = body;
    const isKept = !password || keepsSecret(password);
    const password_secret = isKept ? stored.password_secret : services.secrets.encrypt(password, contextOf(stored));
    return changeLogin(ctx, stored, { platform_username, password_secret });
  },

  async createPlayerCredential(ctx) {
    const { sql, caller, params, body } = ctx;
    const owner = await findPlayer(sql, tenantScope(caller), params.user_id);
    const platform = await requireActivePlatform(sql, owner.tenant_id, 'platform_name', body.platform_name);
    const login = { ...owner, platform, username: body.platform_username, password: body.platform_password };
    return makeLogin(ctx, login, body.replaces);
  },

  async togglePlayerCredential(ctx) {
    const { sql, caller, params, body } = ctx;
    const owner = await findPlayer(sql, tenantScope(caller), params.user_id);
    await lockPlayer(sql, owner);
    const stored = await lockLogin(sql, owner.tenant_id, owner.player_id, params.credential_id);
    const isTurnedOn = body.is_active && !stored.is_active;
    const at = { ...owner, platform: stored.platform_name };
    const former = isTurnedOn ? await makeRoom(sql, at, body.replaces) : null;
    return changeLogin(ctx, stored, { is_active: body.is_active }, former);
  },

  /** It is no read: that somebody copied a password belongs in the audit log. */
  async copyPlayerPassword({ sql, caller, params, services, audit }) {
    const { tenant_id, player_id } = await findPlayer(sql, tenantScope(caller), params.user_id);
    const stored = await lockLogin(sql, tenant_id, player_id, params.credential_id);
    if (!stored.password_secret) throw new Problem(404, 'This login has no password');
    audit.about(auditedLogin(stored, stored));
    return { platform_password: services.secrets.decrypt(stored.password_secret, contextOf(stored)) };
  },

  /** The same user name again changes its password alone, if there is one; another one replaces it. */
  async pushLogin(ctx) {
    const { sql, caller, body, services } = ctx;
    const { tenant_id, player_id } = await requireNamedPlayer(sql, caller, body);
    const platform = await requireActivePlatform(sql, tenant_id, 'platform', body.platform);
    const at = { tenant_id, player_id, platform };
    await lockPlayer(sql, at);
    const active = await findActiveLogin(sql, at);
    if (active?.platform_username === body.username) {
      const sent = body.password && services.secrets.encrypt(body.password, contextOf(active));
      return changeLogin(ctx, active, { password_secret: sent || active.password_secret });
    }
    return makeLogin(ctx, { ...at, username: body.username, password: body.password }, true);
  },

  /** What staff look up before they decide a deposit or redeem at a platform. */
  async getRowNeeds({ sql, caller, params }) {
    const tenant = tenantScope(caller);
    const [money] = await sql<(Owner & { platform: string | null })[]>`
      select tenant_id, player_id, platform from transactions where id = ${params.id} and ${inTenant(sql, tenant)}
      union all
      select tenant_id, player_id, platform from redeems where id = ${params.id} and ${inTenant(sql, tenant)}`;
    if (!money) throw notFound('Transaction');
    const { tenant_id, player_id } = money,
      platform = money.platform ?? '';
    const login = await findActiveLogin(sql, { tenant_id, player_id, platform });
    const wallet = await sql<Omit<DbRow<RowNeeds>, 'platform' | 'login' | 'panel_url' | 'movements'>[]>`
      select credit_balance, bonus_balance, vip_balance, loyalty_balance, held_balance from wallets
      where tenant_id = ${tenant_id} and player_id = ${player_id}`.one();
    const movements = await sql<DbRow<RowNeeds['movements'][number]>[]>`
      select t.id, t.created_at, t.from_account, t.to_account, t.amount,
        coalesce(m.transaction_type, case
          when r.id is not null then 'WITHDRAWAL'
          when t.from_account = 'opening' then 'OPENING'
          else 'ADJUSTMENT'
        end) as transaction_type
      from (
        select * from transfers where tenant_id = ${tenant_id} and player_id = ${player_id}
        order by id desc limit ${MOVEMENTS}
      ) t
      left join transactions m on m.tenant_id = ${tenant_id} and m.id = t.money_id
      left join redeems r on r.tenant_id = ${tenant_id} and r.id = t.money_id
      order by t.id desc`;
    const panel_url = await findPanel(sql, tenant_id, platform);
    return { platform: money.platform, login: login && toPlayerCredential(login), panel_url, ...wallet, movements };
  },
} satisfies Partial<Handlers>;

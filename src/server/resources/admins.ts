import { ADMIN_ROLE, LIST_MAX } from '../../contract/constants';
import type { Admin, AdminForm, Role } from '../../contract/schemas/admins';
import { closeGate } from '../auth/accountGate';
import { activeKeyNames } from '../auth/apiKeys';
import type { Caller } from '../auth/caller';
import { removePasskeys } from '../auth/passkeys';
import { hashPassword } from '../auth/passwords';
import { type OwnCall, requireRecentSignIn } from '../auth/reauthentication';
import { hasTwoFactor } from '../auth/twoFactor';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { requireKnownTenant, requireTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { isManaged } from '../queries/managedAdmins';
import { changeStaff, insertAdmin, lastSignIn, toSubject } from '../queries/staff';

async function lockAdmin(sql: Sql, id: number): Promise<Admin> {
  await closeGate(sql, id);
  const [admin] = await sql<Admin[]>`select a.* from admins a where a.id = ${id} and ${isManaged(sql)} for update`;
  if (!admin) throw notFound('Admin');
  return admin;
}

/** Nobody can disable their own account, and one super admin always remains. */
async function refuseDisabling(sql: Sql, id: number, caller: Caller): Promise<void> {
  if (id === caller.admin_id) throw new Problem(409, 'You cannot disable your own account');
  // One after another: of two super admins who disable each other, only one succeeds.
  await sql`select pg_advisory_xact_lock(hashtextextended('super admins', 0))`;
  const active = await sql<{ id: number }[]>`
    select a.id from admins a
    where a.role_id = (select id from roles where name = 'super_admin') and a.is_active`;
  if (active.length === 1 && active[0]?.id === id) throw new Problem(409, 'The last super admin cannot be disabled');
}

async function isSuperAdmin(sql: Sql, id: number): Promise<boolean> {
  return sql`
    select 1 from admins where id = ${id} and role_id = (select id from roles where name = 'super_admin')`.hasRow();
}

/** Whoever changes a super admin's sign-in could take the account over, so it needs a recent sign-in. */
async function guardSuperAdmin(ctx: OwnCall, id: number, changes?: AdminForm): Promise<void> {
  if (!(await isSuperAdmin(ctx.sql, id))) return;
  if (changes?.permissions) throw new Problem(422, 'body.permissions: a super admin may do everything');
  const same = await ctx.sql`select 1 from admins where id = ${id} and email = ${changes?.email ?? ''}`;
  if (!changes || changes.password || !same.length) await requireRecentSignIn(ctx);
}

const columns = (sql: Sql) => sql`
  a.id, a.email, a.is_active, a.tenant_id,
  case when a.role_id = (select id from roles where name = ${ADMIN_ROLE}) then a.permissions end as permissions`;
const recordOf = (sql: Sql, id: number): Promise<Admin> =>
  sql<Admin[]>`select ${columns(sql)} from admins a where a.id = ${id}`.one();
export const admins = {
  listRoles: ({ sql }) => sql<Role[]>`select id, name from roles order by id limit ${LIST_MAX}`,

  async listAdmins({ sql, caller, query }) {
    await requireKnownTenant(sql, query.tenant_id);
    return sql<Admin[]>`
      select ${columns(sql)}, ${hasTwoFactor(sql, sql`a.id`)} as has_two_factor, a.id = ${caller.admin_id} as is_self,
        ${activeKeyNames(sql, sql`a.id`)} as api_keys,
        exists (select 1 from passkeys k where k.admin_id = a.id) as has_passkeys,
        ${lastSignIn(sql)}
      from admins a
      where a.tenant_id = ${query.tenant_id} and ${isManaged(sql)} order by lower(a.email), a.id limit ${LIST_MAX}`;
  },

  async createAdmin(ctx) {
    const { sql, caller, body, turn, inTransaction } = ctx;
    await requireTenant(sql, body.tenant_id);
    const [role] = await sql<Role[]>`select id, name from roles where id = ${body.role_id}`;
    if (role?.name !== ADMIN_ROLE) throw new Problem(422, `body.role_id: must be the role ${ADMIN_ROLE}`);
    const row = {
      tenant_id: body.tenant_id,
      role_id: body.role_id,
      email: body.email,
      password_hash: await hashPassword(body.password, turn),
      sign_in_set_by: caller.admin_id,
      ...(body.permissions && { permissions: body.permissions }),
    };
    return inTransaction((sql) => insertAdmin(ctx, sql, row));
  },

  /** As `changeStaff`. One's own password needs the current one, so it is changed elsewhere. */
  async updateAdmin(ctx) {
    const { caller, params, body } = ctx;
    if (body.password && params.id === caller.admin_id)
      throw new Problem(409, 'Change your own password under Account');
    await guardSuperAdmin(ctx, params.id, body);
    const password_hash = body.password ? await hashPassword(body.password, ctx.turn) : undefined;
    return ctx.inTransaction(async (sql) => {
      if (body.is_active === false) await refuseDisabling(sql, params.id, caller);
      const { email, is_active, permissions, keep_api_keys } = body;
      const before = await lockAdmin(sql, params.id);
      await changeStaff(ctx, sql, { before, email, password_hash, is_active, permissions, keep_api_keys });
      return recordOf(sql, params.id);
    });
  },

  async disableAdmin(ctx) {
    const { sql, caller, params, query } = ctx;
    await refuseDisabling(sql, params.id, caller);
    const before = await lockAdmin(sql, params.id);
    await changeStaff(ctx, sql, { before, is_active: false, keep_api_keys: query.keep_api_keys });
  },

  /** For a lost phone, with its passkeys. Ends all sessions. Nobody can bypass their own second factor this way. */
  async resetTwoFactor(ctx) {
    const { sql, caller, params, services, audit } = ctx;
    if (params.id === caller.admin_id) throw new Problem(409, 'Turn off your own two-factor sign-in under Account');
    await guardSuperAdmin(ctx, params.id);
    const admin = await lockAdmin(sql, params.id);
    const removed =
      await sql`delete from two_factor where admin_id = ${params.id} and confirmed_at is not null returning admin_id`;
    const passkeys = await removePasskeys(sql, params.id);
    if (!removed.length && !passkeys.removed_passkeys) throw new Problem(409, 'This admin has no two-factor sign-in');
    await services.sessions.endAll(sql, params.id);
    const before = { two_factor: removed.length > 0 };
    audit.about({ ...toSubject(admin), before, after: { two_factor: false, ...passkeys } });
  },
} satisfies Partial<Handlers>;

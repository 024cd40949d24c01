import { ADMIN_ROLE, LIST_MAX } from '../../contract/constants';
import { includesAll, type Permission } from '../../contract/permissions';
import type { Admin, TeamMember } from '../../contract/schemas/admins';
import { closeGate } from '../auth/accountGate';
import { activeKeyNames } from '../auth/apiKeys';
import type { Caller } from '../auth/caller';
import { queueMail, requireMail } from '../auth/mailLinks';
import { hashPassword } from '../auth/passwords';
import { confirmIdentity, requireUnchanged } from '../auth/reauthentication';
import { newToken } from '../auth/secrets';
import { hasTwoFactor } from '../auth/twoFactor';
import type { Ctx, Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { inTenant, nameTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { changeStaff, insertAdmin, lastSignIn } from '../queries/staff';

const adminRole = (sql: Sql) => sql`(select id from roles where name = ${ADMIN_ROLE})`;

const columns = (sql: Sql, { admin_id, permissions }: Caller) => sql`
  a.id, a.email, a.is_active, a.tenant_id, a.permissions, a.id = ${admin_id} as is_self,
  ${hasTwoFactor(sql, sql`a.id`)} as has_two_factor, ${activeKeyNames(sql, sql`a.id`)} as api_keys, ${lastSignIn(sql)},
  a.id <> ${admin_id} and a.permissions <@ ${permissions}::text[] as may_change`;

const memberOf = (sql: Sql, caller: Caller, id: number): Promise<TeamMember> =>
  sql<TeamMember[]>`select ${columns(sql, caller)} from admins a where a.id = ${id}`.one();

/** Nobody can give what they do not have. */
function refuseBeyond(caller: Caller, wanted: readonly Permission[]): void {
  if (!includesAll(caller.permissions, wanted))
    throw new Problem(403, 'You can give only permissions that you have yourself');
}

type Member = Admin & { permissions: Permission[] };

/** The account to change: nobody changes themselves, nor a colleague who may do more: a new password is a way in. */
async function findMember(sql: Sql, caller: Caller, id: number, { isLocked }: { isLocked: boolean }): Promise<Member> {
  if (isLocked) await closeGate(sql, id);
  const member = await sql<Member[]>`
    select a.* from admins a
    where a.id = ${id} and a.role_id = ${adminRole(sql)} and ${inTenant(sql, tenantScope(caller), 'a.tenant_id')}
    ${isLocked ? sql`for update` : sql``}`.one(notFound('Team member'));
  if (id === caller.admin_id) throw new Problem(409, 'You cannot change your own account here');
  if (!includesAll(caller.permissions, member.permissions))
    throw new Problem(403, 'You can change only colleagues who may not do more than you');
  return member;
}

/** A new colleague; without a password they are sent a link to choose one. */
async function add(ctx: Ctx<'createTeamMember'> | Ctx<'inviteTeamMember'>, password: string | null) {
  const { caller, body } = ctx;
  const tenant_id = await nameTenant(ctx.sql, caller, 'body', body.tenant_id);
  refuseBeyond(caller, body.permissions);
  const confirmed = await confirmIdentity(ctx, { password: body.current_password, code: body.code });
  if (!caller.role.is_super_admin) await ctx.services.rateLimits.teamEmail(tenant_id);
  const password_hash = await hashPassword(password ?? newToken(), ctx.turn);
  return ctx.inTransaction(async (sql) => {
    await requireUnchanged(sql, caller, confirmed);
    const { email, permissions } = body;
    const role = await sql<{ id: number }[]>`select id from roles where name = ${ADMIN_ROLE}`.one();
    const { id } = await insertAdmin(ctx, sql, {
      tenant_id,
      role_id: role.id,
      email,
      password_hash,
      sign_in_set_by: caller.admin_id,
      permissions,
    });
    if (password === null) await queueMail(sql, { kind: 'invitation', email });
    return memberOf(sql, caller, id);
  });
}

/** The accounts of a tenant's own admins (docs/permissions.md, "Permissions"). */
export const team = {
  listTeam: ({ sql, caller, query }) => sql<TeamMember[]>`
    select ${columns(sql, caller)} from admins a
    where ${inTenant(sql, tenantScope(caller, query.tenant_id), 'a.tenant_id')} and a.role_id = ${adminRole(sql)}
    order by a.is_active desc, lower(a.email), a.id limit ${LIST_MAX}`,

  createTeamMember: (ctx) => add(ctx, ctx.body.password),

  /** Nobody knows the password until the person chooses one. */
  async inviteTeamMember(ctx) {
    const { sql, caller, body, services } = ctx;
    requireMail(services);
    const [tenant] = await sql<{ mail_links: boolean }[]>`
      select mail_links from tenants where id = ${tenantScope(caller, body.tenant_id)}`;
    if (tenant && !tenant.mail_links) throw new Problem(409, 'This tenant does not send links by email');
    return add(ctx, null);
  },

  /** Takes effect at once. Of two who take `team` from each other only one succeeds, by `requireUnchanged`. */
  async updateTeamMember(ctx) {
    const { caller, params, body } = ctx;
    const { email: old, tenant_id } = await findMember(ctx.sql, caller, params.id, { isLocked: false });
    refuseBeyond(caller, body.permissions ?? []);
    const confirmed = await confirmIdentity(ctx, { password: body.current_password, code: body.code });
    const isNew = body.email !== undefined && body.email !== old;
    if (isNew && !caller.role.is_super_admin) await ctx.services.rateLimits.teamEmail(tenant_id);
    const password_hash = body.password ? await hashPassword(body.password, ctx.turn) : undefined;
    return ctx.inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, confirmed);
      const before = await findMember(sql, caller, params.id, { isLocked: true });
      const { email, is_active, permissions, keep_api_keys } = body;
      await changeStaff(ctx, sql, { before, email, password_hash, is_active, permissions, keep_api_keys });
      return memberOf(sql, caller, params.id);
    });
  },
} satisfies Partial<Handlers>;

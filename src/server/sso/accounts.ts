/** The account of a person for whom an identity provider vouches. */

import * as v from 'valibot';
import { ADMIN_ROLE, PLATFORM_TENANT_ID } from '../../contract/constants';
import { includesAll, type Permission, permissions } from '../../contract/permissions';
import type { Admin } from '../../contract/schemas/admins';
import { newEmail } from '../../contract/schemas/fields';
import { closeGate } from '../auth/accountGate';
import { type AccountRow, anonymous } from '../auth/caller';
import { hashPassword } from '../auth/passwords';
import { newToken } from '../auth/secrets';
import { type SignIn, selectAccounts } from '../auth/startSession';
import { orConflict } from '../core/problem';
import type { Sql } from '../db/open';
import { changeStaff, insertAdmin } from '../queries/staff';
import type { Claims } from './flows';
import type { Provider } from './provider';
import type { Refusal } from './refusals';

type Known = AccountRow & { is_linked: boolean };

const findLinked = async (sql: Sql, { issuer }: Provider, { subject }: Claims): Promise<AccountRow | undefined> =>
  sql<AccountRow[]>`
      ${selectAccounts(sql)} join identities i on i.admin_id = a.id
      where i.issuer = ${issuer} and i.subject = ${subject}`.first();

const belongsTo = ({ tenant_id }: Provider, account: AccountRow): boolean =>
  account.tenant_id === tenant_id && (account.role !== 'super_admin' || tenant_id === PLATFORM_TENANT_ID);

/** By subject; the first time by verified e-mail. Undefined if nobody has it yet, null if it belongs elsewhere. */
async function findKnown(sql: Sql, provider: Provider, claims: Claims): Promise<Known | Refusal | null | undefined> {
  const linked = await findLinked(sql, provider, claims);
  if (linked) return belongsTo(provider, linked) ? { ...linked, is_linked: true } : null;
  if (!claims.email) return 'unverified';
  const [account] = await sql<AccountRow[]>`${selectAccounts(sql)} where lower(a.email) = lower(${claims.email})`;
  if (!account) return undefined;
  if (!belongsTo(provider, account)) return null;
  const [other] = await sql`select 1 from identities where admin_id = ${account.id} and issuer = ${provider.issuer}`;
  return other ? 'linked' : { ...account, is_linked: false };
}

/** What the groups of a person let them do; undefined if groups say nothing here, null if none of them has a job. */
function permissionsOf({ groups, tenant_id }: Provider, claims: Claims): Permission[] | null | undefined {
  if (!groups.length || tenant_id === PLATFORM_TENANT_ID) return undefined;
  const held = groups.filter(({ group }) => claims.groups.includes(group));
  return held.length ? permissions.filter((one) => held.some((group) => group.permissions.includes(one))) : null;
}

const isSame = (may: readonly Permission[], has: readonly Permission[]) =>
  includesAll(may, has) && includesAll(has, may);

/**
 * Whose account it is, or why nobody's. Nothing is changed yet. A tenant that owns its provider may ask for any e-mail,
 * so the answers are the same for one that nobody has and one that belongs elsewhere, until an account would be made.
 */
export async function findPerson({ sql, services }: SignIn, provider: Provider, claims: Claims) {
  const account = await findKnown(sql, provider, claims),
    may = permissionsOf(provider, claims);
  if (typeof account === 'string') return account;
  if (account && !account.is_active) return 'disabled';
  if (may === null) return 'groups';
  if (account) return { account, may };
  if (may === undefined || !v.safeParse(newEmail, claims.email).success) return 'unknown';
  await services.rateLimits.ssoNewcomer(provider.tenant_id);
  return account === null ? 'unknown' : { account, may };
}

type Found = Exclude<Awaited<ReturnType<typeof findPerson>>, Refusal>;

const link = async (sql: Sql, { issuer }: Provider, { subject }: Claims, admin_id: number): Promise<void> =>
  void (await orConflict(sql`insert into identities ${sql({ issuer, subject, admin_id })}`, 'it was linked meanwhile'));

/** Links or makes the account, with what the groups say; the audit log says that the identity provider did it. */
export async function keepPerson(ctx: SignIn, provider: Provider, claims: Claims, { account, may }: Found) {
  const { audit } = ctx,
    provided = () => audit.by({ admin_id: null, email: 'identity provider' });
  if (!account) {
    const password_hash = await hashPassword(newToken(), ctx.turn);
    await ctx.inTransaction(async (sql) => {
      provided();
      const role = await sql<{ id: number }[]>`select id from roles where name = ${ADMIN_ROLE}`.one();
      const made = await insertAdmin({ ...ctx, caller: anonymous }, sql, {
        ...{ tenant_id: provider.tenant_id, role_id: role.id, email: claims.email, password_hash },
        ...{ sign_in_set_by: null, permissions: may ?? [] },
      });
      await link(sql, provider, claims, made.id);
    });
  } else if (!account.is_linked) {
    const { id, tenant_id } = account;
    await ctx.inTransaction(async (sql) => {
      provided();
      await closeGate(sql, id);
      await link(sql, provider, claims, id);
      audit.about({ kind: 'admin', id, tenant_id, before: { identity: null }, after: { identity: provider.issuer } });
    });
  }
  if (account?.role === ADMIN_ROLE && may && !isSame(may, account.permissions))
    await ctx.inTransaction(async (sql) => {
      provided();
      await closeGate(sql, account.id);
      const before = await sql<Admin[]>`select a.* from admins a where a.id = ${account.id} for update`.one();
      await changeStaff({ ...ctx, caller: { ...anonymous, admin_id: account.id } }, sql, { before, permissions: may });
    });
  return findLinked(ctx.sql, provider, claims);
}

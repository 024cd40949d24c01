/** Making and changing the accounts of admins, with their audit entries. */
import type { Admin } from '../../contract/entities';
import type { Permission } from '../../contract/permissions';
import { refuseLooseEmail, refusePlayerEmail } from '../auth/adminEmails';
import { revokeKeysOf } from '../auth/apiKeys';
import { refuseDisablingKept } from '../auth/onlySso';
import type { Ctx } from '../core/context';
import { orConflict } from '../core/problem';
import type { Sql } from '../db/open';
import { handOver, refuseApprovalsBy, refuseApprovalsWithSetPassword } from '../ledger/approvals';

const TAKEN = 'An admin with this email already exists';

export const toSubject = ({ id, tenant_id }: Admin) => ({ kind: 'admin', id, tenant_id }) as const;

/** Of admins a; null if it was more than 90 days ago. */
export const lastSignIn = (sql: Sql) => sql`
  (select max(seen_at) from known_networks n where n.admin_id = a.id) as last_sign_in_at`;

/** A locked account as it was before, and the new values; what is undefined stays. */
interface Change {
  before: Admin;
  email?: string | undefined;
  password_hash?: string | undefined;
  is_active?: boolean | undefined;
  permissions?: Permission[] | undefined;
  keep_api_keys?: boolean | undefined;
}

/**
 * Changes a locked account. A new password, or disabling the account, ends its sessions and revokes the API keys that
 * it made. A new password or e-mail hands it over. Fewer permissions revoke the keys that may do more, whatever is
 * asked. What the account was first to approve and is no longer sure, or allowed, is refused.
 */
export async function changeStaff(
  { caller, services, audit }: Pick<Ctx<'updateAdmin'>, 'caller' | 'services' | 'audit'>,
  sql: Sql,
  { before, keep_api_keys: keepsKeys, ...changes }: Change,
): Promise<void> {
  const { email = before.email } = changes;
  refuseLooseEmail(email, before.email);
  if (email !== before.email || changes.password_hash || (changes.is_active && !before.is_active))
    await refusePlayerEmail(sql, caller, { tenant_id: before.tenant_id, email });
  if (changes.is_active === false) await refuseDisablingKept(sql, before.id);
  if (changes.password_hash) await refuseApprovalsWithSetPassword(sql, before.id, caller.admin_id);
  const isMoved = email !== before.email && before.id !== caller.admin_id,
    isHandedOver = isMoved || changes.password_hash !== undefined;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const columns = {
    ...{ email: before.email, ...given },
    ...(changes.password_hash && { sign_in_set_by: caller.admin_id }),
    ...(isMoved && { email_set_by: caller.admin_id }),
  };
  const update = sql<Admin[]>`
    update admins set ${sql(columns)}, updated_at = now() where id = ${before.id} returning *`;
  const admin = await orConflict(update.one(), TAKEN);
  await refuseApprovalsBy(sql, before.id, caller.admin_id);
  const hasEnded = changes.password_hash !== undefined || changes.is_active === false;
  if (hasEnded) await services.sessions.endAll(sql, before.id);
  const revoked =
    hasEnded && !keepsKeys
      ? await revokeKeysOf(sql, before.id)
      : changes.permissions
        ? await revokeKeysOf(sql, before.id, changes.permissions)
        : {};
  const removed = isHandedOver ? await handOver(sql, before.id, caller.admin_id) : {};
  audit.about({ ...toSubject(before), before, after: { ...admin, ...revoked, ...removed } });
}

interface NewAccount {
  tenant_id: number;
  role_id: number;
  email: string;
  password_hash: string;
  /** Who chose the password; null if nobody knows it. */
  sign_in_set_by: number | null;
  /** Without it, the usual ones. */
  permissions?: Permission[];
}

export async function insertAdmin(
  { caller, audit }: Pick<Ctx<'createAdmin'>, 'caller' | 'audit'>,
  sql: Sql,
  row: NewAccount,
): Promise<Admin> {
  await refusePlayerEmail(sql, caller, row);
  const admin = await orConflict(sql<Admin[]>`insert into admins ${sql(row)} returning *`.one(), TAKEN);
  audit.about({ ...toSubject(admin), after: admin });
  return admin;
}

/**
 * A player with the e-mail of an admin is that admin's own: from its balance they redeem without `payouts`
 * (docs/product.md, "Redeems"). So whoever makes the two e-mails the same, from either side, needs that permission, and
 * so does whoever sets the password of such an account. A disabled account can be enabled later, so it counts too.
 */
import { ADMIN_ROLE } from '../../contract/constants';
import { isStrictEmail } from '../../contract/emails';
import { MISSING_PERMISSION, permissionLabels } from '../../contract/permissions';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import type { Caller } from './caller';

export const ADMIN_EMAIL = `You need the permission ${permissionLabels.payouts} to give a player the email of an admin`;

const PLAYER_EMAIL = `You need the permission ${permissionLabels.payouts} for an account with the email of a user`;

interface Given {
  tenantId: number;
  /** Who gives it; for an API key whoever made it. */
  adminId: number;
  emails: readonly string[];
  /** The e-mail that the player has: they may keep it. The database says which are the same, as it does elsewhere. */
  before?: string | undefined;
}

/** Two who give one e-mail to both sides at once must see each other. A statement of its own: a wait reads old rows. */
const lockEmails = (sql: Sql, tenantId: number, { ofPlayers }: { ofPlayers: boolean }) =>
  sql.unsafe(`select pg_advisory_xact_lock${ofPlayers ? '_shared' : ''}(hashtextextended('emails ${tenantId}', 0))`);

/** Those e-mails that the person may not give to a player, in lower case as the database has them. */
export async function findAdminEmails(sql: Sql, { tenantId, adminId, emails, before }: Given): Promise<Set<string>> {
  await lockEmails(sql, tenantId, { ofPlayers: true });
  const rows = await sql<{ email: string }[]>`
    select lower(a.email) as email from admins a join roles r on r.id = a.role_id
    where a.tenant_id = ${tenantId} and r.name = ${ADMIN_ROLE}
      and lower(a.email) = any(array(select lower(e) from unnest(${[...emails]}::text[]) as e))
      and lower(a.email) is distinct from lower(${before ?? null}::text)
      and not exists (
        select 1 from admins g join roles s on s.id = g.role_id
        where g.id = ${adminId} and (s.name = 'super_admin' or 'payouts' = any(g.permissions)))`;
  return new Set(rows.map(({ email }) => email));
}

/** Accounts and players from before may keep an e-mail that is not taken any more. */
export function refuseLooseEmail(email: string, before?: string): void {
  if (email !== before && !isStrictEmail(email)) throw new Problem(422, 'body.email: expected an email address');
}

/** Before a call gives a player an e-mail; `before` is the one they have, if any. */
export async function refuseAdminEmail(
  sql: Sql,
  caller: Caller,
  { tenantId, email, before }: { tenantId: number; email: string; before?: string | undefined },
): Promise<void> {
  refuseLooseEmail(email, before);
  const adminId = caller.key?.admin_id ?? caller.admin_id;
  const found = await findAdminEmails(sql, { tenantId, adminId, emails: [email], before });
  if (found.size) throw new Problem(403, ADMIN_EMAIL, undefined, MISSING_PERMISSION);
}

/** Before an account gets an e-mail or a password, or may sign in again. */
export async function refusePlayerEmail(
  sql: Sql,
  caller: Caller,
  { tenant_id, email }: { tenant_id: number; email: string },
): Promise<void> {
  if (caller.permissions.includes('payouts')) return;
  await lockEmails(sql, tenant_id, { ofPlayers: false });
  const [player] = await sql`
    select 1 from players where tenant_id = ${tenant_id} and lower(email) = lower(${email}) and deleted_at is null`;
  if (player) throw new Problem(403, PLAYER_EMAIL, undefined, MISSING_PERMISSION);
}

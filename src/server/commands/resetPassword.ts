/** `npm run reset-password`: lets the operator of the server give an admin a new password when no other admin can. */
import { randomBytes } from 'node:crypto';
import { writeAsServer } from '../audit/auditLog';
import { closeGate } from '../auth/accountGate';
import { revokeKeysOf } from '../auth/apiKeys';
import type { AccountRow } from '../auth/caller';
import { readKeys } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import { isKept, needsSso } from '../auth/onlySso';
import { hashPassword } from '../auth/passwords';
import { Sessions } from '../auth/sessions';
import type { Settings } from '../core/settings';
import { type Database, DatabaseRefused } from '../db/open';
import { withDatabase } from '../db/withDatabase';
import { handOver, refuseApprovalsWithSetPassword } from '../ledger/approvals';
import { type Env, readCommand, type Say, wrongUsage } from './arguments';
import { readInstallation } from './setup';

const USAGE = 'npm run reset-password -- EMAIL [--end-two-factor] [--keep-api-keys] [--demo]';

interface Wanted {
  email: string;
  endsTwoFactor: boolean;
  keepsKeys: boolean;
}
interface Account extends Pick<AccountRow, 'id' | 'email' | 'tenant_id' | 'is_active' | 'password_hash' | 'needs_sso'> {
  two_factor: boolean;
  is_kept: boolean;
}

/** A new password, returned once. Ends sessions, passkeys, API keys unless kept and, on request, the second factor. */
export async function resetPassword(args: string[], env: Env, say: Say): Promise<void> {
  const { values, positionals, settings } = readCommand(USAGE, args, env, {
    'end-two-factor': { type: 'boolean', default: false },
    'keep-api-keys': { type: 'boolean', default: false },
  });
  const [email, ...more] = positionals;
  if (!email || more.length) throw wrongUsage(USAGE);
  const wanted = {
    email: email.trim().normalize('NFC'),
    endsTwoFactor: values['end-two-factor'],
    keepsKeys: values['keep-api-keys'],
  };
  say(await withDatabase(settings, { mustExist: true }, (db) => reset(db, settings, wanted)));
}

const ONLY_SSO = 'Only single sign-on is taken here, so this password is refused until that is switched off.';
const ENABLED = 'The account is enabled again: it is the one that keeps its password beside single sign-on.';

async function reset(db: Database, settings: Settings, { email, endsTwoFactor, keepsKeys }: Wanted): Promise<string> {
  const installation = await readInstallation(db.sql);
  if (!installation) throw new DatabaseRefused('The database is empty.');
  const secrets = await openKeyring(db.sql, () => readKeys(settings));
  const sessions = new Sessions({ idleMinutes: settings.sessionIdleMinutes, hours: settings.sessionHours });
  const password = randomBytes(15).toString('base64url'),
    password_hash = await hashPassword(password);

  const { account, revoked, removed } = await writeAsServer(db, secrets, 'reset-password', async (sql, audit) => {
    const [before] = await sql<Account[]>`
      select id, email, tenant_id, is_active, password_hash,
        exists (select 1 from two_factor f where f.admin_id = a.id and f.confirmed_at is not null) as two_factor,
        ${isKept(sql, sql`a.id`)} as is_kept, ${needsSso(sql)} as needs_sso
      from admins a
      where lower(email) = lower(${email}) or lower(username) = lower(${email})
      order by lower(email) = lower(${email}) desc limit 1 for update`;
    if (!before) throw new DatabaseRefused(`No admin has the e-mail ${email}.`);
    await closeGate(sql, before.id);
    const is_active = before.is_active || before.is_kept;
    await refuseApprovalsWithSetPassword(sql, before.id, null);
    const removed = await handOver(sql, before.id, null);
    await sql`
      update admins set ${sql({ password_hash, is_active, sign_in_set_by: null })}, updated_at = now()
      where id = ${before.id}`;
    if (endsTwoFactor) await sql`delete from two_factor where admin_id = ${before.id}`;
    await sessions.endAll(sql, before.id);
    const revoked = keepsKeys ? {} : await revokeKeysOf(sql, before.id);
    audit.about({
      kind: 'admin',
      id: before.id,
      tenant_id: before.tenant_id,
      before,
      after: {
        ...{ ...before, is_active, password_hash, ...(endsTwoFactor && { two_factor: false }) },
        ...{ ...revoked, ...removed },
      },
    });
    return { account: before, revoked: revoked.revoked_api_keys ?? [], removed: removed.removed_passkeys ?? [] };
  });
  return [
    `The password of ${account.email} is now ${password} (shown only now). All sessions of the account have ended.`,
    ...(account.needs_sso ? [ONLY_SSO] : []),
    ...(account.two_factor
      ? [
          endsTwoFactor
            ? 'Two-factor sign-in is now off for this account.'
            : 'Two-factor sign-in is still on for this account. Add --end-two-factor to turn it off.',
        ]
      : []),
    ...(revoked.length ? [`API keys that the account had made are revoked: ${revoked.join(', ')}.`] : []),
    ...(removed.length ? [`Passkeys of the account are removed: ${removed.join(', ')}.`] : []),
    ...(account.is_active
      ? []
      : [account.is_kept ? ENABLED : 'The account is disabled. Another admin must enable it.']),
  ].join('\n');
}

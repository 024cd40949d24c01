import { closeGate } from '../auth/accountGate';
import { isAllowed, notFromHere } from '../auth/allowedNetworks';
import { revokeKeysOf } from '../auth/apiKeys';
import { findLinked, queueMail, requireMail, spendLink } from '../auth/mailLinks';
import { removePasskeys } from '../auth/passkeys';
import { hashPassword } from '../auth/passwords';
import { hasConfirmed } from '../auth/reauthentication';
import { isWeakPassword } from '../auth/weakPasswords';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { refuseApprovalsWithSetPassword } from '../ledger/approvals';

const dead = () => new Problem(400, 'This link was used before or is too old. Ask for a new one');

/** A forgotten password, and the first one of somebody who was invited (docs/extras/account.md). */
export const mailLinks = {
  /**
   * The same answer after the same work, whoever asks: no account is looked up here. The e-mail typed is in no log,
   * because people type passwords into the wrong field.
   */
  async askForPasswordLink({ body, services, exchange, audit, inTransaction }) {
    requireMail(services);
    await services.rateLimits.linkRequest(body.email, exchange.address);
    return inTransaction(async (sql) => {
      await queueMail(sql, { kind: 'password', email: body.email });
      audit.by({ admin_id: null, email: '' });
      audit.about({ kind: 'sign-in', id: null, tenant_id: null, after: { password_link: true } });
    });
  },

  /**
   * Nobody is signed in by it: the sign-in that follows asks for the second factor. As after any new password, all
   * sessions end, the API keys of the person are revoked and the passkeys removed, unless those are the second factor
   * that the account must have: a mailbox alone must not be enough. Whoever changed the e-mail may own the mailbox, and
   * counts as who set this password.
   */
  async choosePassword({ sql, body, services, exchange, turn, audit, inTransaction }) {
    await services.rateLimits.linkTried(exchange.address);
    const found = await findLinked(sql, body.token);
    if (!found) throw dead();
    if (!isAllowed(found.allowed_networks, exchange.address)) throw notFromHere();
    if (await isWeakPassword(body.new_password, found.email))
      throw new Problem(400, 'The new password is too easy to guess');
    const password_hash = await hashPassword(body.new_password, turn);
    return inTransaction(async (sql) => {
      await closeGate(sql, found.id); // whoever changes the account meanwhile is first, or waits
      const account = await findLinked(sql, body.token);
      if (!account || !(await spendLink(sql, body.token))) throw dead();
      const { id, email, tenant_id, password_hash: before } = account;
      await refuseApprovalsWithSetPassword(sql, id, id);
      await sql`
        update admins set password_hash = ${password_hash}, sign_in_set_by = email_set_by, updated_at = now()
        where id = ${id}`;
      await services.sessions.endAll(sql, id);
      const revoked = await revokeKeysOf(sql, id);
      const isOnlyFactor =
        (await services.sessions.needsTwoFactor(sql, id)) && !(await hasConfirmed({ sql, caller: { admin_id: id } }));
      const removed = isOnlyFactor ? {} : await removePasskeys(sql, id);
      audit.by({ admin_id: id, email });
      audit.about({
        kind: 'admin',
        id,
        tenant_id,
        before: { password_hash: before },
        after: { password_hash, ...revoked, ...removed },
      });
    });
  },
} satisfies Partial<Handlers>;

import type { BothFactors } from '../../contract/entities';
import { closeGate } from '../auth/accountGate';
import { isAllowed, notFromHere } from '../auth/allowedNetworks';
import { activeKeyNames, revokeKeysOf } from '../auth/apiKeys';
import { checkoutCookie } from '../auth/authenticate';
import type { Caller } from '../auth/caller';
import { findLinked, offeredFeatures, queueMail, requireMail, spendLink } from '../auth/mailLinks';
import { refusePasswordAlone, removePasskeys } from '../auth/passkeys';
import { hashPassword } from '../auth/passwords';
import { confirmIdentity, countedAttempt, hasConfirmed } from '../auth/reauthentication';
import { secretContext } from '../auth/secrets';
import { buildTwoFactorSetup, findTimeStep, newRecoveryCodes, newSecret, SETUP_MINUTES } from '../auth/twoFactor';
import { isWeakPassword } from '../auth/weakPasswords';
import type { Ctx, Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { refuseApprovalsWithSetPassword } from '../ledger/approvals';
import { findChooser } from '../ledger/samePerson';

const ownSubject = ({ admin_id, tenant_id }: Caller) => ({ kind: 'admin', id: admin_id, tenant_id }) as const;

const NOT_KEPT = 'Somebody else has set your password or e-mail, so no API key and no passkey can be kept';
const alreadyOn = () => new Problem(409, 'Two-factor sign-in is already on');

async function proveBoth(ctx: Ctx<'turnOffTwoFactor'> | Ctx<'renewRecoveryCodes'>, body: BothFactors): Promise<void> {
  if (!(await hasConfirmed(ctx))) throw new Problem(409, 'Two-factor sign-in is off');
  await confirmIdentity(ctx, body);
}

/** Makes sign-ins in progress wait until this is done, and then see it. */
const lock = (sql: Sql, adminId: number) => sql`select 1 from admins where id = ${adminId} for update`;

async function keepRecoveryCodes(sql: Sql, adminId: number, hashes: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_codes where admin_id = ${adminId}`;
  await sql`insert into recovery_codes ${sql(hashes.map((code_hash) => ({ admin_id: adminId, code_hash })))}`;
}

const dead = () => new Problem(400, 'This link was used before or is too old. Ask for a new one');

/** Every call concerns the caller's own account. A change of how somebody signs in ends their other sessions. */
export const account = {
  async getAccount({ sql, caller, services }) {
    const [factor] = await sql<{ confirmed_at: Date; left: number }[]>`
      select f.confirmed_at, (select count(*) from recovery_codes c where c.admin_id = f.admin_id)::int as left
      from two_factor f where f.admin_id = ${caller.admin_id} and f.confirmed_at is not null`;
    const made = sql<{ names: string[] }[]>`select ${activeKeyNames(sql, sql`${caller.admin_id}`)} as names`;
    return {
      email: caller.email,
      has_two_factor: factor !== undefined,
      two_factor_at: factor?.confirmed_at ?? null,
      must_have_two_factor: await services.sessions.needsTwoFactor(sql, caller.admin_id),
      recovery_codes_left: factor?.left ?? 0,
      api_keys: (await made.one()).names,
      permissions: caller.role.is_super_admin ? null : caller.permissions,
    };
  },

  /** With a new token, as the old may be in other hands. No key stays where somebody else set password or e-mail. */
  async changePassword(ctx) {
    const { caller, body, services, exchange, audit } = ctx,
      { current_password: password, new_password: wanted, code } = body;
    if (await isWeakPassword(wanted, caller.email)) throw new Problem(400, 'The new password is too easy to guess');
    if (wanted === password) throw new Problem(400, 'The new password is the same as the current one');
    await refusePasswordAlone(ctx.sql, caller);
    const before = await confirmIdentity(ctx, { password, code }),
      after = await hashPassword(wanted, ctx.turn),
      setBy = await findChooser(ctx.sql, caller.admin_id); // who could be this person
    const session = await ctx.inTransaction(async (sql) => {
      await refuseApprovalsWithSetPassword(sql, caller.admin_id, caller.admin_id);
      const { is_own } = await sql<{ is_own: boolean }[]>`
        select sign_in_set_by is null and email_set_by is null as is_own
        from admins where id = ${caller.admin_id} for update`.one();
      if (!is_own && (body.keep_api_keys || body.keep_passkeys)) throw new Problem(409, NOT_KEPT);
      await sql`
        update admins set password_hash = ${after}, sign_in_set_by = ${setBy}, email_set_by = null, updated_at = now()
        where id = ${caller.admin_id} and is_active and password_hash = ${before}
        returning id`.one(new Problem(409, 'The password was changed in the meantime'));
      await services.sessions.endAll(sql, caller.admin_id, exchange.token);
      const renewed = await services.sessions.renew(sql, exchange.token);
      if (!renewed) throw new Problem(401, 'Not signed in');
      const revoked = body.keep_api_keys ? {} : await revokeKeysOf(sql, caller.admin_id);
      const removed = body.keep_passkeys ? {} : await removePasskeys(sql, caller.admin_id);
      const changes = { password_hash: after, ...revoked, ...removed };
      audit.about({ ...ownSubject(caller), before: { password_hash: before }, after: changes });
      return renewed;
    });
    exchange.setHeader('Set-Cookie', checkoutCookie(session.checkout, { isSecure: exchange.isSecure }));
    return { ok: true as const, access_token: session.token };
  },

  listSessions: ({ sql, caller, services, exchange }) => services.sessions.list(sql, caller.admin_id, exchange.token),

  async endSession({ sql, caller, params, services, audit }) {
    const ended = await services.sessions.endOne(sql, caller.admin_id, params.id);
    if (!ended) throw notFound('Session');
    const before = { session: ended.id, address: ended.address, browser: ended.browser };
    audit.about({ ...ownSubject(caller), kind: 'sign-in', before, after: null });
  },

  async endOtherSessions({ sql, caller, services, exchange, audit }) {
    const ended = await services.sessions.endAll(sql, caller.admin_id, exchange.token);
    audit.about({ ...ownSubject(caller), kind: 'sign-in', after: { sessions_ended: ended } });
  },

  /** Changes nothing yet; an earlier setup that was never confirmed is replaced. */
  async setUpTwoFactor(ctx) {
    const { caller, services, audit } = ctx;
    if (await hasConfirmed(ctx)) throw alreadyOn();
    await refusePasswordAlone(ctx.sql, caller);
    await confirmIdentity(ctx, ctx.body);
    const secret = newSecret();
    await ctx.inTransaction(async (sql) => {
      const encrypted = services.secrets.encrypt(secret, secretContext.twoFactor(caller.admin_id));
      await sql`
        insert into two_factor (admin_id, secret, recovery_salt) values (${caller.admin_id}, ${encrypted}, '')
        on conflict (admin_id) do update set secret = excluded.secret, begun_at = excluded.begun_at
        where two_factor.confirmed_at is null
        returning admin_id`.one(alreadyOn());
      audit.about({ ...ownSubject(caller), after: { two_factor_begun: true } });
    });
    return buildTwoFactorSetup(secret, caller.email);
  },

  /** A code proves that the app has the secret; the code is used up. */
  async confirmTwoFactor(ctx) {
    const { caller, body, services, exchange, audit } = ctx,
      { admin_id } = caller;
    await refusePasswordAlone(ctx.sql, caller);
    const [begun] = await ctx.sql<{ secret: string; is_over: boolean }[]>`
      select secret, begun_at < now() - make_interval(mins => ${SETUP_MINUTES}) as is_over
      from two_factor where admin_id = ${admin_id} and confirmed_at is null`;
    if (!begun) throw new Problem(409, 'Start setting up two-factor sign-in first');
    if (begun.is_over) throw new Problem(409, `The set-up was not finished in ${SETUP_MINUTES} minutes. Start again`);
    const secret = services.secrets.decrypt(begun.secret, secretContext.twoFactor(admin_id));
    const step = await countedAttempt(
      ctx,
      async () => findTimeStep(secret, body.code.replace(/\s/g, '')),
      () => 'That code is wrong. Enter the code that your authenticator app shows now',
    );
    const { codes, salt, hashes } = await newRecoveryCodes(ctx.turn);
    await ctx.inTransaction(async (sql) => {
      await lock(sql, admin_id);
      const confirmed = await sql`
        update two_factor set confirmed_at = now(), last_step = ${step}, recovery_salt = ${salt}
        where admin_id = ${admin_id} and confirmed_at is null and secret = ${begun.secret} returning admin_id`;
      if (!confirmed.length) throw new Problem(409, 'Two-factor setup was restarted elsewhere');
      await keepRecoveryCodes(sql, admin_id, hashes);
      await services.sessions.endAll(sql, admin_id, exchange.token);
      audit.about({ ...ownSubject(caller), before: { two_factor: false }, after: { two_factor: true } });
    });
    const [tenant] = await ctx.sql<{ mail_links: boolean }[]>`
      select mail_links from tenants where id = ${caller.tenant_id}`;
    const offered = offeredFeatures(services, { ...caller, mail_links: tenant?.mail_links ?? false });
    return { recovery_codes: codes, features: offered };
  },

  async turnOffTwoFactor(ctx) {
    const { caller, body, services, exchange, audit } = ctx;
    if (await services.sessions.needsTwoFactor(ctx.sql, caller.admin_id))
      throw new Problem(409, 'Two-factor sign-in is required for this account');
    await proveBoth(ctx, body);
    await ctx.inTransaction(async (sql) => {
      await lock(sql, caller.admin_id);
      await sql`delete from two_factor where admin_id = ${caller.admin_id}`;
      await services.sessions.endAll(sql, caller.admin_id, exchange.token);
      audit.about({ ...ownSubject(caller), before: { two_factor: true }, after: { two_factor: false } });
    });
  },

  async renewRecoveryCodes(ctx) {
    const { caller, body, audit } = ctx;
    await proveBoth(ctx, body);
    const { codes, salt, hashes } = await newRecoveryCodes(ctx.turn);
    await ctx.inTransaction(async (sql) => {
      const [factor] = await sql<{ left: number }[]>`
        update two_factor set recovery_salt = ${salt} where admin_id = ${caller.admin_id} and confirmed_at is not null
        returning (select count(*) from recovery_codes c where c.admin_id = ${caller.admin_id})::int as left`;
      if (!factor) throw new Problem(409, 'Two-factor sign-in is off');
      await keepRecoveryCodes(sql, caller.admin_id, hashes);
      const before = { recovery_codes: factor.left, renewed: false };
      audit.about({ ...ownSubject(caller), before, after: { recovery_codes: codes.length, renewed: true } });
    });
    return { recovery_codes: codes };
  },

  /** The same answer after the same work. The e-mail typed is in no log: people type passwords into that field. */
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
      const after = { password_hash, ...revoked, ...removed };
      audit.about({ kind: 'admin', id, tenant_id, before: { password_hash: before }, after });
    });
  },
} satisfies Partial<Handlers>;

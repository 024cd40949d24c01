import { LIST_MAX } from '../../contract/constants';
import type { Passkey } from '../../contract/entities';
import type { AccountRow, Caller } from '../auth/caller';
import { getsNotice, queueMail } from '../auth/mailLinks';
import {
  checkNewPasskey,
  listCredentialIds,
  newChallenge,
  Refusal,
  refusePasswordAlone,
  requirePasskeys,
  userHandle,
} from '../auth/passkeys';
import { confirmIdentity, countedAttempt, requireUnchanged } from '../auth/reauthentication';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { findChooser } from '../ledger/samePerson';

const MOST = 20;

interface Self extends Pick<AccountRow, 'id' | 'tenant_id' | 'email' | 'is_active' | 'password_hash' | 'mail_links'> {
  sign_in_set_by: number | null;
}
const findSelf = (sql: Sql, adminId: number): Promise<Self> =>
  sql<Self[]>`
    select a.id, a.tenant_id, a.email, a.is_active, a.password_hash, a.sign_in_set_by, t.mail_links
    from admins a join tenants t on t.id = a.tenant_id where a.id = ${adminId}`.one();

async function listBeforeNext(sql: Sql, adminId: number): Promise<string[]> {
  const ids = await listCredentialIds(sql, adminId);
  if (ids.length >= MOST) throw new Problem(409, `At most ${MOST} passkeys. Remove one first`);
  return ids;
}

/** Whoever must set up a second factor sets up codes; a passkey comes after that. */
async function refuseSetUp(sql: Sql, caller: Caller): Promise<void> {
  await refusePasswordAlone(sql, caller);
  if (caller.must_set_up) throw new Problem(403, 'Set up two-factor sign-in first', undefined, 'second_factor_setup');
}

/** The passkeys of the signed-in person. How they sign in with one is in auth.ts. */
export const passkeys = {
  listPasskeys: ({ sql, caller }) => sql<Passkey[]>`
    select id, name, created_at, last_used_at, backed_up from passkeys
    where admin_id = ${caller.admin_id} order by id limit ${LIST_MAX}`,

  /** None before the own password: whoever set it would keep a passkey when the owner sets another one. */
  async beginNewPasskey(ctx) {
    const { sql, caller, body, services } = ctx,
      party = requirePasskeys(services);
    await refuseSetUp(sql, caller);
    const password_hash = await confirmIdentity(ctx, body);
    if ((await findChooser(sql, caller.admin_id)) !== null)
      throw new Problem(409, 'Somebody else chose the identity provider that signs you in, and could add one too');
    if ((await findSelf(sql, caller.admin_id)).sign_in_set_by !== null)
      throw new Problem(409, 'Change your password first: somebody else has set it');
    const credential_ids = await listBeforeNext(sql, caller.admin_id);
    return {
      challenge: await newChallenge(sql, 'add', { id: caller.admin_id, password_hash }),
      rp_id: party.id,
      credential_ids,
      user_id: userHandle(caller.admin_id),
      user_name: caller.email,
    };
  },

  async addPasskey(ctx) {
    const { sql, caller, body, services, exchange, audit } = ctx,
      party = requirePasskeys(services);
    await refuseSetUp(sql, caller);
    const self = await findSelf(sql, caller.admin_id);
    let why = '';
    const made = await countedAttempt(
      ctx,
      () =>
        checkNewPasskey(sql, party, self, body).catch((refusal: unknown) => {
          if (!(refusal instanceof Refusal)) throw refusal;
          why = refusal.message;
          return null;
        }),
      () => why,
    );
    await ctx.inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, self.password_hash);
      await listBeforeNext(sql, caller.admin_id); // again: others may have been added since
      const row = { ...made, admin_id: caller.admin_id, name: body.name };
      await orConflict(sql`insert into passkeys ${sql(row)}`, 'This passkey was added before');
      const detail = [exchange.address, exchange.browser].filter(Boolean).join(' · ');
      if (await getsNotice(sql, services, self))
        await queueMail(sql, { kind: 'new_passkey', email: self.email, detail });
      audit.about({ kind: 'admin', id: caller.admin_id, tenant_id: caller.tenant_id, after: { passkey: body.name } });
    });
  },

  /** Ends the other sessions, because whoever has the passkey may have started them. */
  async removePasskey(ctx) {
    const { caller, params, services, exchange, audit } = ctx,
      { admin_id, tenant_id } = caller;
    await refusePasswordAlone(ctx.sql, caller);
    const confirmed = await confirmIdentity(ctx, ctx.body);
    await ctx.inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, confirmed);
      const [removed] = await sql<{ name: string }[]>`
        delete from passkeys where id = ${params.id} and admin_id = ${admin_id} returning name`;
      if (!removed) throw notFound('Passkey');
      await services.sessions.endAll(sql, admin_id, exchange.token);
      audit.about({ kind: 'admin', id: admin_id, tenant_id, before: { passkey: removed.name }, after: null });
    });
  },
} satisfies Partial<Handlers>;

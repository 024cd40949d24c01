/** Links in e-mails with which an account gets a password: one use, 30 minutes, dead with a new password or e-mail. */
import { type Feature, features, PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Services } from '../core/context';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { closeGate } from './accountGate';
import type { AccountRow } from './caller';
import { newToken, sha256 } from './secrets';

export type MailKind = 'invitation' | 'password' | 'new_place' | 'new_passkey';

export const LINK_MINUTES = 30;
/** The links of one account that are good at one time, whoever asked. Its owner can use each of them. */
const GOOD_LINKS = 5;

/** Whether people of this tenant are offered e-mails about signing in. Super admins switch them on, and invite. */
export const offersMail = (
  { outgoing }: Services,
  { tenant_id, mail_links }: { tenant_id: number | null; mail_links: boolean },
): boolean => Boolean(outgoing?.hasLinks && (mail_links || tenant_id === PLATFORM_TENANT_ID));

/** Whether any tenant has the e-mails on. */
export const isOnAnywhere = async (sql: Sql): Promise<boolean> =>
  sql`select id from tenants where mail_links and is_active limit 1`.hasRow();

/** Whether the owner is told of new places and passkeys. Super admins have no tenant to turn it on: any one does. */
export const getsNotice = async (
  sql: Sql,
  services: Services,
  account: { tenant_id: number; mail_links: boolean },
): Promise<boolean> => offersMail(services, account) && (account.mail_links || isOnAnywhere(sql));

/** What a session with nothing left to set up can do. */
export function offeredFeatures(services: Services, account: Parameters<typeof offersMail>[1]): Feature[] {
  const isMissing: Partial<Record<Feature, boolean>> = {
    two_factor_setup: true,
    mail_links: !offersMail(services, account),
    passkeys: !services.passkeys,
    sso: !services.outgoing?.appUrl,
  };
  return features.filter((name) => !isMissing[name]);
}

/** Refuses where no such e-mail can be sent; the same for everybody. */
export function requireMail({ outgoing }: Services): void {
  if (!outgoing?.hasLinks) throw new Problem(409, 'This server sends no links by email');
}

/** Keeps an e-mail for the sender (notifications/signInMail.ts). Takes as long for an account that does not exist. */
export const queueMail = async (sql: Sql, mail: { kind: MailKind; email: string; detail?: string }): Promise<void> =>
  void (await sql`insert into mail_queue ${sql({ detail: '', ...mail })}`);

export type MailAccount = Pick<AccountRow, 'id' | 'email' | 'password_hash'>;
/** In a transaction, a new link: its token, and the hash that is stored. Null when the account has enough of them. */
export async function makeLink(sql: Sql, account: MailAccount): Promise<{ token: string; hash: Buffer } | null> {
  const token = newToken(),
    hash = sha256(token),
    digest = sha256(account.password_hash);
  await closeGate(sql, account.id); // of several at once, each counts those before it
  const made = await sql`
    insert into mail_links (token_hash, admin_id, email, password_digest)
    select ${hash}, ${account.id}::bigint, ${account.email}, ${digest}
    where (
      select count(*) from mail_links
      where admin_id = ${account.id} and email = ${account.email} and password_digest = ${digest} and used_at is null
        and created_at > now() - make_interval(mins => ${LINK_MINUTES})
    ) < ${GOOD_LINKS}
    returning 1`;
  return made.length ? { token, hash } : null;
}

type LinkedAccount = MailAccount & Pick<AccountRow, 'tenant_id' | 'allowed_networks'>;
/** The account of a link that is still good, and that still may have one. */
export async function findLinked(sql: Sql, token: string): Promise<LinkedAccount | undefined> {
  const [account] = await sql<(LinkedAccount & { password_digest: Buffer })[]>`
    select a.id, a.email, a.tenant_id, a.password_hash, t.allowed_networks, l.password_digest
    from mail_links l join admins a on a.id = l.admin_id join tenants t on t.id = a.tenant_id
    join roles r on r.id = a.role_id
    where l.token_hash = ${sha256(token)} and l.used_at is null and a.email = l.email
      and a.is_active and t.is_active and t.mail_links and r.name <> 'super_admin'
      and l.created_at > now() - make_interval(mins => ${LINK_MINUTES})`;
  return account && sha256(account.password_hash).equals(account.password_digest) ? account : undefined;
}

/** Uses a link up. Of several uses at once exactly one is true. */
export async function spendLink(sql: Sql, token: string): Promise<boolean> {
  return sql`
    update mail_links set used_at = now()
    where token_hash = ${sha256(token)} and used_at is null returning admin_id`.hasRow();
}

/** Takes back a link that could not be sent. */
export const dropLink = async (sql: Sql, hash: Buffer): Promise<void> =>
  void (await sql`delete from mail_links where token_hash = ${hash}`);

/** E-mails about signing in: an invitation, a link for a forgotten password, notices of a new place or passkey. */
import { dropLink, LINK_MINUTES, type MailAccount, type MailKind, makeLink } from '../auth/mailLinks';
import type { Sql } from '../db/open';
import type { DeliveryOptions } from './deliver';

const AT_ONCE = 20;
/** Longer than a try takes; then another server may try. */
const LEASE_SECONDS = 60;

interface Waiting {
  id: number;
  kind: MailKind;
  email: string;
  detail: string;
}
const words: Readonly<Record<MailKind, { title: string; detail: string }>> = {
  invitation: {
    title: 'You are invited to the back-office',
    detail:
      `An account was made for this address. Choose its password with this link. It works once, for ${LINK_MINUTES} ` +
      "minutes. Later, choose 'Forgot your password?' at the sign-in to get another.",
  },
  password: {
    title: 'Choose a new password',
    detail:
      `Somebody asked for a new password for the account with this address. The link works once, for ${LINK_MINUTES} ` +
      'minutes. If it was not you, there is nothing to do: your password has not changed.',
  },
  new_place: {
    title: 'Your account was signed in to from a new place',
    detail: 'If it was not you, choose a new password and tell a colleague who manages accounts.',
  },
  new_passkey: {
    title: 'A passkey was added to your account',
    detail:
      'If it was not you, remove it under Account, choose a new password and tell a colleague who manages accounts.',
  },
};
const isNotice = (kind: MailKind): boolean => kind === 'new_place' || kind === 'new_passkey';

/** Sends what waits, oldest first; what fails again each minute, for half an hour. Returns how many were sent. */
export async function sendSignInMail(options: DeliveryOptions): Promise<number> {
  const { db, sendEmail, appUrl, log } = options;
  if (!sendEmail || appUrl === undefined) return 0;
  const waiting = await db.tx(
    (sql) => sql<Waiting[]>`
      with due as (
        select id from mail_queue where next_at <= now() order by next_at, id limit ${AT_ONCE} for update skip locked
      )
      update mail_queue q set next_at = now() + make_interval(secs => ${LEASE_SECONDS})
      from due where q.id = due.id returning q.id, q.kind, q.email, q.detail`,
  );
  const sent = await Promise.all(
    waiting.map(async (mail) => {
      try {
        const isSent = await send(options, mail);
        await db.sql`delete from mail_queue where id = ${mail.id}`;
        return isSent;
      } catch (error) {
        log?.warn({ err: error, kind: mail.kind }, 'an e-mail about signing in could not be sent');
        return false;
      }
    }),
  );
  return sent.filter(Boolean).length;
}

async function send({ db, sendEmail, appUrl = '' }: DeliveryOptions, mail: Waiting): Promise<boolean> {
  const account = await findRecipient(db.sql, mail);
  if (!account) return false;
  const link = isNotice(mail.kind) ? undefined : await db.tx((sql) => makeLink(sql, account));
  if (link === null) return false;
  const { title, detail } = words[mail.kind],
    // After the hash sign, where no server, no log and no Referer sees it.
    url = link && `${appUrl.replace(/\/+$/, '')}/#password=${link.token}`;
  try {
    await sendEmail?.({
      to: account.email,
      title,
      detail: [mail.detail, detail].filter(Boolean).join('\n'),
      link: url,
      linkText: 'Choose a password',
      id: `sign-in-${mail.id}`,
    });
  } catch (error) {
    if (link) await dropLink(db.sql, link.hash);
    throw error;
  }
  return true;
}

/** Who gets it, if anybody. A super admin gets no password: a mailbox would be enough to own the platform. */
async function findRecipient(sql: Sql, { kind, email }: Waiting): Promise<MailAccount | undefined> {
  return sql<MailAccount[]>`
    select a.id, a.email, a.password_hash
    from admins a join tenants t on t.id = a.tenant_id join roles r on r.id = a.role_id
    where lower(a.email) = lower(${email}) and a.is_active and t.is_active
      and (case when r.name = 'super_admin' then ${isNotice(kind)} else t.mail_links end)`.first();
}

/** Deletes what could not be sent in time, and old links. */
export async function sweepSignInMail(sql: Sql): Promise<void> {
  await sql`delete from mail_queue where created_at < now() - make_interval(mins => ${LINK_MINUTES})`;
  await sql`delete from mail_links where created_at < now() - interval '1 day'`;
}

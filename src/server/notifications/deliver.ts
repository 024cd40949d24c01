/** Sends what is due, at least once: a delivery that fails is tried again for a day, less and less often. */
import { setTimeout } from 'node:timers/promises';
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { notificationAddress } from '../../contract/notificationAddress';
import type { ChannelKind } from '../../contract/notifications';
import { type Keyring, withPresentKey } from '../auth/keyring';
import { type Secrets, secretContext } from '../auth/secrets';
import type { Log } from '../core/log';
import type { Database, Sql } from '../db/open';
import { RefusedAddress } from '../outgoing/address';
import { callOut } from '../outgoing/request';
import type { DigestPayload } from './digest';
import type { SendEmail } from './email';
import { toPlainChat } from './plainChat';
import { agent, signMessage, toMessage } from './webhook';

export interface DeliveryOptions {
  db: Database;
  secrets: Secrets;
  keyring?: Pick<Keyring, 'renew'> | undefined;
  /** Missing when the operator has set up no mail server. */
  sendEmail?: SendEmail | undefined;
  /** Where people open the app; without it nothing links to it. */
  appUrl?: string | undefined;
  /** Whether channels may be in the own network. */
  mayBeOwn: boolean;
  /** Has what a receiver said, which no screen shows. */
  log?: Pick<Log, 'warn'> | undefined;
}

interface Due {
  tenant_id: number;
  id: number;
  attempts: number;
  channel_id: number;
  channel_kind: ChannelKind;
  secret: string;
  with_addresses: boolean;
  event_id: number | null;
  player_id: number | null;
  event: { kind: string; data: Record<string, unknown> } | null;
  notification_id: number | null;
  kind: string | null;
  about_tenant_id: number | null;
  object_id: string | null;
  title: string | null;
  detail: string | null;
  payload: DigestPayload | null;
  at: Date;
}
/** What is encrypted of a channel. */
export interface ChannelSecret {
  /** An e-mail address, or the whole address of a webhook. */
  target: string;
  /** Signs what a webhook is sent; the old one does too, until that moment. */
  key?: string;
  old?: { key: string; until: string };
  /** What the owner of an e-mail address was sent and has not answered yet. Until then nothing else is sent there. */
  code?: string;
}

/** Tries under way at once, and those of one tenant among them: a host that never answers delays nobody else. */
const AT_ONCE = 20,
  OF_A_TENANT = 4;
/** What becomes due while tries are under way waits no longer than this for a place. */
const LOOK_MS = 1_000;
const limits = { timeoutMs: 10_000, answerBytes: 64 * 1024 };
/** Longer than any try takes: if the server dies meanwhile, another one tries again then. */
const LEASE_SECONDS = 120;
/** Seconds before the second try, the third one and so on; the last one repeats. */
const waits = [30, 60, 120, 300, 600, 1200, 2400, 3600, 7200, 14_400];

/** Sends what is due, beginning the next as soon as one is over, until `isStopped`. Returns how many tries it made. */
export async function deliverDue(options: DeliveryOptions, isStopped = () => false): Promise<number> {
  const underWay = new Map<Promise<void>, number>();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => void failures.push(error);
  for (let count = 0; ; ) {
    const mayTake = !isStopped() && !failures.length && underWay.size < AT_ONCE;
    const busy = [...underWay.values()];
    const due = (mayTake && (await claim(options.db, busy).catch(fail))) || [];
    for (const delivery of due) {
      const trying: Promise<void> = deliver(options, delivery)
        .catch(fail)
        .finally(() => underWay.delete(trying));
      underWay.set(trying, delivery.tenant_id);
    }
    count += due.length;
    if (underWay.size) {
      const wait = new AbortController();
      await Promise.race([...underWay.keys(), setTimeout(LOOK_MS, undefined, { signal: wait.signal })]);
      wait.abort();
    } else if (failures.length) throw failures[0];
    else if (!mayTake || !busy.length) return count; // else the last ones ended while nobody else had a place
  }
}

/** Takes deliveries for as long as a try may take; the first of each tenant first. `busy`: tenants under way. */
async function claim(db: Database, busy: readonly number[]): Promise<Due[]> {
  const due = await db.sql<{ tenant_id: number; id: number; place: number }[]>`
    select d.tenant_id, d.id, d.place from (select distinct tenant_id from notification_channels) t
      cross join lateral (
        select tenant_id, id, next_at, row_number() over (order by next_at, id) as place from (
          select tenant_id, id, next_at from notification_deliveries
          where tenant_id = t.tenant_id and status = 'waiting' and next_at <= now()
          order by next_at, id limit ${OF_A_TENANT}
        ) first
      ) d
    order by d.next_at, d.id`;
  const turnOf = ({ tenant_id, place }: (typeof due)[number]) => busy.filter((id) => id === tenant_id).length + place;
  const next = due
    .filter((delivery) => turnOf(delivery) <= OF_A_TENANT)
    .sort((a, b) => turnOf(a) - turnOf(b))
    .slice(0, AT_ONCE - busy.length);
  return next.length ? take(db, next) : [];
}

const take = (db: Database, next: readonly { tenant_id: number; id: number }[]): Promise<Due[]> =>
  db.tx(async (sql) => [
    ...(await sql<Due[]>`
      with due as (
        select tenant_id, id from notification_deliveries
        where tenant_id = any(${next.map(({ tenant_id }) => tenant_id)}::bigint[])
          and id = any(${next.map(({ id }) => id)}::bigint[]) and status = 'waiting' and next_at <= now()
        for update skip locked
      ), taken as (
        update notification_deliveries d
        set attempts = attempts + 1, last_at = now(), next_at = now() + make_interval(secs => ${LEASE_SECONDS})
        from due where d.tenant_id = due.tenant_id and d.id = due.id
        returning d.*
      )
      select d.tenant_id, d.id, d.attempts, d.channel_id, c.kind as channel_kind, c.secret, c.with_addresses,
        d.notification_id, n.kind, n.about_tenant_id, n.object_id, n.title, n.detail, n.payload, d.event_id, d.player_id,
        case when e.id is not null then json_build_object('kind', e.kind, 'data', e.data) end as event,
        coalesce(n.at, e.at, d.created_at) as at
      from taken d
        join notification_channels c on c.tenant_id = d.tenant_id and c.id = d.channel_id
        left join notifications n on n.tenant_id = d.tenant_id and n.id = d.notification_id
        left join events e on e.tenant_id = d.tenant_id and e.id = d.event_id`),
  ]);

async function deliver(options: DeliveryOptions, delivery: Due): Promise<void> {
  const { db, log } = options,
    isEmail = delivery.channel_kind === 'email';
  const result = await withPresentKey(options.keyring, () => send(options, delivery)).then(
    (answer) => ({ ...answer, isFinal: answer.isSent || answer.isGone }),
    (error: unknown) => {
      log?.warn({ err: error, delivery: delivery.id }, 'a notification could not be delivered');
      const answer = isEmail ? describeMail(error) : describe(error);
      return { isSent: false, isGone: false, answer, isFinal: error instanceof RefusedAddress };
    },
  );
  const seconds = waits[Math.min(delivery.attempts, waits.length) - 1] ?? 0;
  // Not all at the same time, when a receiver was away.
  const wait = seconds * (1 + Math.random() / 10);
  await db.tx(async (sql) => {
    if (delivery.event_id !== null) await takeTurn(sql, delivery);
    const [now] = await sql<{ is_over: boolean }[]>`
      update notification_deliveries
      set answer = ${result.answer.slice(0, 300)}, next_at = now() + make_interval(secs => ${wait}),
        status = case when ${result.isSent} then 'sent'
          when ${result.isFinal} or ${new Date(Date.now() + 1000 * wait)} > give_up_at then 'failed'
          else 'waiting' end
      where tenant_id = ${delivery.tenant_id} and id = ${delivery.id}
      returning status <> 'waiting' as is_over`;
    if (result.isGone) await switchOff(sql, delivery);
    else if (now?.is_over && delivery.event_id !== null) await callNext(sql, delivery);
  });
}

/** Of two transactions one sees what the other has done: events are added, or one of them is over. */
const takeTurn = (sql: Sql, { tenant_id, channel_id }: Due) => sql`
  select 1 from notification_channels where tenant_id = ${tenant_id} and id = ${channel_id} for no key update`;

/** The next event of the same player was not due before. */
const callNext = (sql: Sql, { tenant_id, channel_id, player_id }: Due) => sql`
  update notification_deliveries set next_at = now()
  where tenant_id = ${tenant_id} and next_at = 'infinity' and id = (
    select min(id) from notification_deliveries
    where tenant_id = ${tenant_id} and channel_id = ${channel_id} and player_id = ${player_id}
      and status = 'waiting' and event_id is not null)`;

/** A receiver that is gone is asked no more, until somebody switches the channel on again. */
async function switchOff(sql: Sql, { tenant_id, channel_id }: Due): Promise<void> {
  await sql`
    update notification_channels set is_active = false where tenant_id = ${tenant_id} and id = ${channel_id}`;
  await sql`
    update notification_deliveries set status = 'failed', answer = 'The channel was switched off'
    where tenant_id = ${tenant_id} and channel_id = ${channel_id} and status = 'waiting'`;
}

async function send({ secrets, sendEmail, appUrl, mayBeOwn }: DeliveryOptions, delivery: Due) {
  const { tenant_id, id, channel_kind } = delivery;
  const context = secretContext.notificationChannel(tenant_id, delivery.channel_id);
  const { target, key = '', old, code } = JSON.parse(secrets.decrypt(delivery.secret, context)) as ChannelSecret;
  if (code !== undefined && delivery.notification_id !== null)
    throw new OwnWords('The address has not answered its code');
  const title =
      delivery.title ?? (code === undefined ? 'This is a test of this channel' : 'Your code for notifications'),
    detail = delivery.detail ?? (code === undefined ? '' : toCodeText(code)),
    link = appUrl === undefined ? undefined : appUrl.replace(/\/+$/, '') + addressOf(delivery);
  if (channel_kind === 'email') {
    if (!sendEmail) throw new OwnWords('The server has no mail server: SMTP_URL is not set');
    const { days } = delivery.payload ?? {};
    await sendEmail({ to: target, title, detail, days, link, id: `notification-${tenant_id}-${id}` });
    return { isSent: true, isGone: false, answer: 'Accepted by the mail server' };
  }
  const { body, headers } =
    channel_kind === 'chat'
      ? toChat([title, detail].filter(Boolean).join('\n'), link)
      : toWebhook(delivery, title, detail, [key, ...(old && new Date(old.until) > new Date() ? [old.key] : [])]);
  const callee = { name: 'this channel', mayBeOwn };
  // Nobody sees the body of the answer: it could come from a server that is not meant to be read.
  const { status } = await callOut(new URL(target), { callee, headers, json: body, ...limits });
  return { isSent: status >= 200 && status < 300, isGone: status === 410, answer: `Answered ${status}` };
}

/** Where its readers find what it is about; at least the app. The channels of the platform are read by super admins. */
const addressOf = ({ kind, object_id, about_tenant_id, tenant_id }: Due): string =>
  notificationAddress(
    { kind: kind ?? '', object_id, about_tenant_id },
    { isSuper: tenant_id === PLATFORM_TENANT_ID, hasView: true, hasOverview: true },
  ) ?? '/';

/** What incoming webhooks of chats take. The link is the only one in it. */
function toChat(text: string, link: string | undefined) {
  const sent = [toPlainChat(text), ...(link ? [link] : [])].join('\n');
  return { body: JSON.stringify({ text: sent }), headers: agent };
}

function toWebhook(delivery: Due, title: string, detail: string, keys: readonly string[]) {
  const { id, tenant_id, event_id, at, with_addresses } = delivery;
  const event = delivery.event ?? (delivery.channel_kind === 'events' ? { kind: 'test', data: {} } : null);
  const body = JSON.stringify(
    event
      ? toMessage({ ...event, at }, with_addresses)
      : {
          id,
          notification_id: delivery.notification_id,
          kind: delivery.kind ?? 'test',
          tenant_id,
          about_tenant_id: delivery.about_tenant_id,
          object_id: delivery.object_id,
          title,
          detail,
          at: at.toISOString(),
          ...delivery.payload,
        },
  );
  const messageId = event_id === null ? String(id) : `evt_${tenant_id}_${event_id}`;
  return { body, headers: signMessage({ id: messageId, body }, keys, Date.now()) };
}

/** Why a try failed, without what the receiver said. */
function describe(error: unknown): string {
  if (error instanceof RefusedAddress) return error.message;
  if (!(error instanceof Error)) return 'Failed';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'No answer within 10 seconds';
  return (error as NodeJS.ErrnoException).code ?? 'Failed';
}

/** Its message is for the screen. */
class OwnWords extends Error {}

/** Nobody chose a word of it: anybody's address can be given. */
const toCodeText = (code: string): string =>
  `The code is ${code}. Whoever asked for notifications enters it there. If you did not ask, do nothing: without the ` +
  'code nothing is sent to this address.';

/** The mail server is the operator's: its name, its address and its words are not for the admins of tenants. */
function describeMail(error: unknown): string {
  if (error instanceof OwnWords) return error.message;
  const status: unknown = error instanceof Error && Reflect.get(error, 'responseCode');
  return typeof status === 'number' ? `The mail server refused it (${status})` : 'The mail server could not be reached';
}

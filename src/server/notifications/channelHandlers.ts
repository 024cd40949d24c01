import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { LIST_MAX, PLATFORM_TENANT_ID } from '../../contract/constants';
import type { NotificationChannel, NotificationChannelForm, NotificationDelivery } from '../../contract/entities';
import { OLD_SECRET_HOURS } from '../../contract/events';
import { CHANNELS_MAX, DELIVERY_HOURS, NOTIFICATION_DELIVERIES_SHOWN } from '../../contract/notifications';
import { newEmail } from '../../contract/schemas/fields';
import { requirePermissions } from '../auth/authenticate';
import type { Caller } from '../auth/caller';
import { type Secrets, secretContext } from '../auth/secrets';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { inTenant, requireKnownTenant, tenantOrPlatform, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { isAllowedUrl } from '../outgoing/address';
import type { ChannelSecret } from './deliver';
import { setKeepsEvents } from './publishEvents';
import { newWebhookSecret } from './webhook';

/** Never includes the secret. */
const columns = (sql: Sql) => sql`c.id, c.kind, c.target, c.created_at, c.is_active, c.with_addresses`;
type ChannelRow = DbRow<NotificationChannel> & { tenant_id: number; secret: string };

/** What is stored of a channel: what people see of it, and the address. */
function readTarget({ kind, target }: NotificationChannelForm, mayBeOwn: boolean): { shown: string; target: string } {
  if (kind === 'email') {
    const { success, output } = v.safeParse(newEmail, target);
    if (!success) throw new Problem(422, 'body.target: expected an email address');
    return { shown: output as string, target: output as string };
  }
  if (!URL.canParse(target)) throw new Problem(422, 'body.target: expected an https address');
  const url = new URL(target);
  if (!/^https?:$/.test(url.protocol) || !isAllowedUrl(url, mayBeOwn))
    throw new Problem(
      422,
      `body.target: expected an https address${mayBeOwn ? '' : ' that is not in a private network'}`,
    );
  if (url.username || url.password) throw new Problem(422, 'body.target: must not contain a user name or password');
  url.hash = '';
  return { shown: url.host, target: url.href };
}

async function findChannel(sql: Sql, caller: Caller, id: number): Promise<ChannelRow> {
  const [channel] = await sql<ChannelRow[]>`
    select c.tenant_id, ${columns(sql)}, c.secret from notification_channels c
    where c.id = ${id} and ${inTenant(sql, tenantScope(caller), 'c.tenant_id')} for update`;
  if (!channel) throw notFound('Channel');
  return channel;
}
type ChannelKey = Pick<ChannelRow, 'tenant_id' | 'id'>;
const openSecret = (secrets: Secrets, { tenant_id, id, secret }: ChannelRow) =>
  JSON.parse(secrets.decrypt(secret, secretContext.notificationChannel(tenant_id, id))) as ChannelSecret;
const sealSecret = (secrets: Secrets, { tenant_id, id }: ChannelKey, secret: ChannelSecret): string =>
  secrets.encrypt(JSON.stringify(secret), secretContext.notificationChannel(tenant_id, id));
const saveSecret = (sql: Sql, secrets: Secrets, channel: ChannelKey, secret: ChannelSecret) => sql`
  update notification_channels set secret = ${sealSecret(secrets, channel, secret)}
  where tenant_id = ${channel.tenant_id} and id = ${channel.id}`;

/** A delivery of no notification: a test, or the code of an e-mail address. */
const sendAlone = (sql: Sql, { tenant_id, id }: ChannelKey) => sql`
  insert into notification_deliveries (tenant_id, channel_id, give_up_at)
  values (${tenant_id}, ${id}, now() + interval '10 minutes')`;

const audited = ({ kind, target, with_addresses: all }: DbRow<NotificationChannel>) =>
  all ? { kind, target, with_addresses: all } : { kind, target };
const toSubject = ({ tenant_id, id }: ChannelKey) => ({ kind: 'notification channel', id, tenant_id }) as const;
const isSigned = (kind: string) => kind === 'webhook' || kind === 'events';

export const notificationChannels = {
  async listNotificationChannels({ sql, caller, query, services }) {
    const rows = await sql<ChannelRow[]>`
      select c.tenant_id, ${columns(sql)}, c.secret from notification_channels c
      where c.tenant_id = ${tenantOrPlatform(caller, query.tenant_id)} order by c.id limit ${LIST_MAX}`;
    return rows.map((row) => ({
      ...row,
      is_confirmed: row.kind !== 'email' || openSecret(services.secrets, row).code === undefined,
    }));
  },

  /** What signs for a webhook is in this answer and in no other. */
  async addNotificationChannel({ sql, caller, body, services, audit }) {
    const owner = tenantOrPlatform(caller, body.tenant_id);
    await requireKnownTenant(sql, owner);
    // It tells another system what a list and a file would.
    if (body.kind === 'events') requirePermissions(caller, body.with_addresses ? ['export', 'payouts'] : ['export']);
    const { shown, target } = readTarget(body, services.outgoing?.mayBeOwn ?? false);
    await sql`select 1 from tenants where id = ${owner} for no key update`; // its channels are counted in turn
    const { count, id } = await sql<{ count: number; id: number }[]>`
      select (select count(*)::int from notification_channels where tenant_id = ${owner}) as count,
        nextval(pg_get_serial_sequence('notification_channels', 'id')) as id`.one();
    if (body.kind === 'events' && owner === PLATFORM_TENANT_ID)
      throw new Problem(400, 'Events are of a tenant: choose one first');
    if (count >= CHANNELS_MAX)
      throw new Problem(409, `There can be ${CHANNELS_MAX} channels. Remove one that nobody needs`);
    const secret = isSigned(body.kind) ? newWebhookSecret() : null;
    const code = body.kind === 'email' ? String(randomInt(1e8)).padStart(8, '0') : null;
    if (code) await services.rateLimits.channelTest(owner, caller.admin_id); // it is sent to anybody's address
    const channel = { tenant_id: owner, id };
    const kept: ChannelSecret = { target, ...(secret && { key: secret }), ...(code && { code }) };
    const sealed = sealSecret(services.secrets, channel, kept);
    const made = await sql<DbRow<NotificationChannel>[]>`
      insert into notification_channels as c (tenant_id, id, kind, target, secret, with_addresses)
      values (${owner}, ${id}, ${body.kind}, ${shown}, ${sealed}, ${body.with_addresses ?? false})
      returning ${columns(sql)}`.one();
    if (code) await sendAlone(sql, channel);
    await setKeepsEvents(sql, owner);
    audit.about({ ...toSubject(channel), after: audited(made) });
    return { ...made, is_confirmed: !code, secret };
  },

  /** Of eight digits, and guessed no more often than a channel is tested. */
  async confirmNotificationChannel({ sql, caller, params, body, services, audit }) {
    const channel = await findChannel(sql, caller, params.id),
      { secrets } = services;
    await services.rateLimits.channelTest(channel.tenant_id, caller.admin_id);
    const { code, ...kept } = openSecret(secrets, channel);
    if (code === undefined) throw new Problem(409, 'The address has answered already');
    if (code !== body.code) throw new Problem(400, 'The code is wrong');
    await saveSecret(sql, secrets, channel, kept);
    audit.about({ ...toSubject(channel), after: { confirmed: true } });
  },

  /** One that its receiver had ended; what was not sent meanwhile can be sent again or read from the feed. */
  async switchNotificationChannel({ sql, caller, params, body, audit }) {
    const channel = await findChannel(sql, caller, params.id),
      { id, tenant_id, is_active } = channel;
    await sql`
      update notification_channels set is_active = ${body.is_active} where tenant_id = ${tenant_id} and id = ${id}`;
    audit.about({ ...toSubject(channel), before: { is_active }, after: body });
  },

  /** Both sign for a day, so that the receiver can change it at any time. */
  async renewChannelSecret({ sql, caller, params, services: { secrets }, audit }) {
    const channel = await findChannel(sql, caller, params.id);
    if (!isSigned(channel.kind)) throw new Problem(400, 'Nothing is signed for this channel');
    const { key = '', ...kept } = openSecret(secrets, channel);
    const secret = newWebhookSecret();
    const until = new Date(Date.now() + OLD_SECRET_HOURS * 3_600_000).toISOString();
    await saveSecret(sql, secrets, channel, { ...kept, key: secret, old: { key, until } });
    audit.about({ ...toSubject(channel), after: { renewed: true } });
    return { secret };
  },

  /** Sends the code again while it waits for one. Limited: it calls an address of the caller's choice. */
  async testNotificationChannel({ sql, caller, params, services, audit }) {
    const channel = await findChannel(sql, caller, params.id);
    await services.rateLimits.channelTest(channel.tenant_id, caller.admin_id);
    await sendAlone(sql, channel);
    audit.about({ ...toSubject(channel), after: { tested: true } });
  },

  /** Its deliveries go with it. A rule that was sent to it alone is then only seen in the app. */
  async removeNotificationChannel({ sql, caller, params, audit }) {
    const channel = await findChannel(sql, caller, params.id);
    const { id, tenant_id } = channel;
    await sql`
      update notification_rules set channel_ids = array_remove(channel_ids, ${id}::bigint)
      where tenant_id = ${tenant_id} and ${id}::bigint = any (channel_ids)`;
    await sql`delete from notification_channels where tenant_id = ${tenant_id} and id = ${id}`;
    await setKeepsEvents(sql, tenant_id);
    audit.about({ ...toSubject(channel), before: audited(channel), after: null });
  },

  listNotificationDeliveries: ({ sql, caller, query }) => sql<DbRow<NotificationDelivery>[]>`
    select d.id, d.notification_id, coalesce(n.title, e.kind || ' ' || e.id, 'Test') as title,
      c.kind as channel_kind, c.target, d.status, d.attempts, d.answer, d.created_at, d.last_at,
      case when d.status = 'waiting' then nullif(d.next_at, 'infinity') end as next_at
    from notification_deliveries d
      join notification_channels c on c.tenant_id = d.tenant_id and c.id = d.channel_id
      left join notifications n on n.tenant_id = d.tenant_id and n.id = d.notification_id
      left join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
    where d.tenant_id = ${tenantOrPlatform(caller, query.tenant_id)}
    order by d.id desc limit ${NOTIFICATION_DELIVERIES_SHOWN}`,

  /** Also one that was sent: a receiver may have lost it. It is tried for another day. Limited like a test. */
  async resendNotification({ sql, caller, params, services, audit }) {
    const [delivery] = await sql<
      { id: number; tenant_id: number; status: string; channel_id: number; is_behind: boolean }[]
    >`
      select id, tenant_id, status, channel_id, status = 'waiting' and next_at = 'infinity' as is_behind
      from notification_deliveries
      where id = ${params.id} and ${inTenant(sql, tenantScope(caller))} for update`;
    if (!delivery) throw notFound('Delivery');
    const { id, tenant_id, status, channel_id, is_behind } = delivery;
    await services.rateLimits.resend(tenant_id, caller.admin_id);
    await sql`
      update notification_deliveries
      set status = 'waiting', attempts = 0,
        next_at = ${is_behind ? sql`next_at` : sql`now()`},
        give_up_at = now() + make_interval(hours => ${DELIVERY_HOURS})
      where tenant_id = ${tenant_id} and id = ${id}`;
    const before = { delivery: id, status },
      after = { delivery: id, status: 'waiting' };
    audit.about({ ...toSubject({ id: channel_id, tenant_id }), before, after });
  },
} satisfies Partial<Handlers>;

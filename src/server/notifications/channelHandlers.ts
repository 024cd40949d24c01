import * as v from 'valibot';
import { LIST_MAX, PLATFORM_TENANT_ID } from '../../contract/constants';
import type { NotificationChannel, NotificationChannelForm, NotificationDelivery } from '../../contract/entities';
import { CHANNELS_MAX, DELIVERY_HOURS, NOTIFICATION_DELIVERIES_SHOWN } from '../../contract/notifications';
import { newEmail } from '../../contract/schemas/fields';
import type { Caller } from '../auth/caller';
import { newSigningSecret, secretContext } from '../auth/secrets';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { inTenant, requireKnownTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type DbRow, onlyRow } from '../db/row';
import { isAllowedUrl } from '../outgoing/address';
import type { ChannelSecret } from './deliver';

const ownerOf = (caller: Caller, requested?: number): number => tenantScope(caller, requested) ?? PLATFORM_TENANT_ID;

/** Never includes the secret. */
const columns = (sql: Sql) => sql`c.id, c.kind, c.target, c.created_at`;
type ChannelRow = DbRow<NotificationChannel> & { tenant_id: number };

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
    select c.tenant_id, ${columns(sql)} from notification_channels c
    where c.id = ${id} and ${inTenant(sql, tenantScope(caller), 'c.tenant_id')} for update`;
  if (!channel) throw notFound('Channel');
  return channel;
}
const audited = ({ kind, target }: DbRow<NotificationChannel>) => ({ kind, target });

export const notificationChannels = {
  listNotificationChannels: ({ sql, caller, query }) => sql<DbRow<NotificationChannel>[]>`
    select ${columns(sql)} from notification_channels c
    where c.tenant_id = ${ownerOf(caller, query.tenant_id)} order by c.id limit ${LIST_MAX}`,

  /** What signs for a webhook is in this answer and in no other. */
  async addNotificationChannel({ sql, caller, body, services, audit }) {
    const owner = ownerOf(caller, body.tenant_id);
    await requireKnownTenant(sql, owner);
    const { shown, target } = readTarget(body, services.outgoing?.mayBeOwn ?? false);
    await sql`select 1 from tenants where id = ${owner} for no key update`; // its channels are counted in turn
    const { count, id } = onlyRow(
      await sql<{ count: number; id: number }[]>`
        select (select count(*)::int from notification_channels where tenant_id = ${owner}) as count,
          nextval(pg_get_serial_sequence('notification_channels', 'id')) as id`,
    );
    if (count >= CHANNELS_MAX)
      throw new Problem(409, `There can be ${CHANNELS_MAX} channels. Remove one that nobody needs`);
    const secret = body.kind === 'webhook' ? newSigningSecret() : null;
    const kept: ChannelSecret = { target, ...(secret && { key: secret }) };
    const sealed = services.secrets.encrypt(JSON.stringify(kept), secretContext.notificationChannel(owner, id));
    const made = onlyRow(
      await sql<DbRow<NotificationChannel>[]>`
        insert into notification_channels as c (tenant_id, id, kind, target, secret)
        values (${owner}, ${id}, ${body.kind}, ${shown}, ${sealed}) returning ${columns(sql)}`,
    );
    audit.about({ kind: 'notification channel', id, tenant_id: owner, after: audited(made) });
    return { ...made, secret };
  },

  /** Limited, because it calls an address of the caller's choice as often as they like. */
  async testNotificationChannel({ sql, caller, params, services, audit }) {
    const channel = await findChannel(sql, caller, params.id);
    await services.rateLimits.channelTest(channel.tenant_id, caller.admin_id);
    await sql`
      insert into notification_deliveries (tenant_id, channel_id, give_up_at)
      values (${channel.tenant_id}, ${channel.id}, now() + interval '10 minutes')`;
    const after = { tested: true };
    audit.about({ kind: 'notification channel', id: channel.id, tenant_id: channel.tenant_id, after });
    return { ok: true as const };
  },

  /** Its deliveries go with it. A rule that was sent to it alone is then only seen in the app. */
  async removeNotificationChannel({ sql, caller, params, audit }) {
    const channel = await findChannel(sql, caller, params.id);
    const { id, tenant_id } = channel;
    await sql`
      update notification_rules set channel_ids = array_remove(channel_ids, ${id}::bigint)
      where tenant_id = ${tenant_id} and ${id}::bigint = any (channel_ids)`;
    await sql`delete from notification_channels where tenant_id = ${tenant_id} and id = ${id}`;
    audit.about({ kind: 'notification channel', id, tenant_id, before: audited(channel), after: null });
    return { ok: true as const };
  },

  listNotificationDeliveries: ({ sql, caller, query }) => sql<DbRow<NotificationDelivery>[]>`
    select d.id, d.notification_id, coalesce(n.title, 'Test') as title, c.kind as channel_kind, c.target, d.status,
      d.attempts, d.answer, d.created_at, d.last_at, case when d.status = 'waiting' then d.next_at end as next_at
    from notification_deliveries d
      join notification_channels c on c.tenant_id = d.tenant_id and c.id = d.channel_id
      left join notifications n on n.tenant_id = d.tenant_id and n.id = d.notification_id
    where d.tenant_id = ${ownerOf(caller, query.tenant_id)}
    order by d.id desc limit ${NOTIFICATION_DELIVERIES_SHOWN}`,

  /** Also one that was sent: a receiver may have lost it. It is tried for another day. Limited like a test. */
  async resendNotification({ sql, caller, params, services, audit }) {
    const [delivery] = await sql<{ id: number; tenant_id: number; status: string; channel_id: number }[]>`
      select id, tenant_id, status, channel_id from notification_deliveries
      where id = ${params.id} and ${inTenant(sql, tenantScope(caller))} for update`;
    if (!delivery) throw notFound('Delivery');
    const { id, tenant_id, status, channel_id } = delivery;
    await services.rateLimits.resend(tenant_id, caller.admin_id);
    await sql`
      update notification_deliveries
      set status = 'waiting', attempts = 0, next_at = now(),
        give_up_at = now() + make_interval(hours => ${DELIVERY_HOURS})
      where tenant_id = ${tenant_id} and id = ${id}`;
    audit.about({
      kind: 'notification channel',
      id: channel_id,
      tenant_id,
      before: { delivery: id, status },
      after: { delivery: id, status: 'waiting' },
    });
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;

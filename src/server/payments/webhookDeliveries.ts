/** Webhooks with a valid signature and their outcomes. A redelivery updates the row of the first delivery. */
import type { WebhookAnswer, WebhookDelivery } from '../../contract/entities';
import { DELIVERIES_SHOWN, DELIVERY_DAYS } from '../../contract/integrations';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import type { Result } from './paymentEvents';

export interface Delivery extends Pick<WebhookDelivery, 'delivery_id' | 'event_type' | 'reference'> {
  tenant_id: number;
  payment_platform: string;
}

const isSameDelivery = (sql: Sql, { tenant_id, payment_platform, delivery_id }: Delivery) =>
  sql`tenant_id = ${tenant_id} and payment_platform = ${payment_platform} and delivery_id = ${delivery_id}`;

/** Counts a delivery; returns a final answer. One that needs attention or was interrupted is processed again. */
export async function recordDelivery(sql: Sql, delivery: Delivery): Promise<WebhookAnswer | null> {
  const [row] = await sql<State[]>`
    insert into webhook_deliveries ${sql({ ...delivery, outcome: 'received' })}
    on conflict (tenant_id, payment_platform, delivery_id) do update set
      attempts = webhook_deliveries.attempts + 1, last_at = excluded.last_at
    returning outcome, detail`;
  return toFinalAnswer(row);
}

/** Like `recordDelivery`, with the row locked, so that parallel deliveries are processed one at a time. */
export async function lockDelivery(sql: Sql, delivery: Delivery): Promise<WebhookAnswer | null> {
  const [row] = await sql<State[]>`
    select outcome, detail from webhook_deliveries where ${isSameDelivery(sql, delivery)} for update`;
  return toFinalAnswer(row);
}

type State = Pick<WebhookDelivery, 'outcome' | 'detail'>;
const toFinalAnswer = (row: State | undefined): WebhookAnswer | null =>
  !row || row.outcome === 'received' || row.outcome === 'attention'
    ? null
    : { outcome: row.outcome, detail: row.detail };

/** A final outcome is kept, even if the same delivery was processed in parallel. */
export async function saveOutcome(
  sql: Sql,
  delivery: Delivery,
  { outcome, detail, money_id }: Pick<Result, 'outcome' | 'detail' | 'money_id'>,
): Promise<void> {
  await sql`
    update webhook_deliveries set outcome = ${outcome}, detail = ${detail}, money_id = ${money_id}
    where ${isSameDelivery(sql, delivery)} and outcome in ('received', 'attention')`;
}

export const lastDeliveries = (sql: Sql, tenantId: number, platform: string) => sql<DbRow<WebhookDelivery>[]>`
  select id, delivery_id, event_type, reference, outcome, detail, money_id, attempts, last_at from webhook_deliveries
  where tenant_id = ${tenantId} and payment_platform = ${platform}
  order by last_at desc, id desc limit ${DELIVERIES_SHOWN}`;

/** Deletes what no processor repeats any more; a later replay changes nothing, as its reference is taken. */
export async function sweepDeliveries(sql: Sql): Promise<void> {
  await sql`delete from webhook_deliveries where last_at < now() - make_interval(days => ${DELIVERY_DAYS})`;
}

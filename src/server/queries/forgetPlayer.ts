/**
 * What goes with a deleted player (docs/product.md, "Users"): everything that names the person or was written about
 * them. Amounts, dates, states, methods, payment references and the affiliate stay, because reports and books need
 * them.
 */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { notFound } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import { ON_HOLD } from '../ledger/payoutHold';
import { handOver } from '../ledger/playerLinks';
import { leaveCounts } from '../totals/adjustFacts';

/** The answer that a repeated request gets instead of the stored one. */
const GONE = notFound('User');

/**
 * Expects locked facts and a closed wallet. The words in the audit log go with their key (`forgets`). Returns how many
 * saved views went, and who has break and limits now.
 */
export async function forgetPlayer(sql: Sql, { tenant_id, player_id }: Owner) {
  await leaveCounts(sql, { tenant_id, player_id });
  const ofPlayer = sql`tenant_id = ${tenant_id} and player_id = ${player_id}`;
  const views = await forgetViews(sql, { tenant_id, player_id });
  await sql`
    update players set email = 'deleted-' || id || '@deleted.invalid', password_hash = null, first_name = null,
      last_name = null, phone_number = null, referral_id = null, external_id = null, is_active = false,
      updated_at = now(), deleted_at = now()
    where tenant_id = ${tenant_id} and id = ${player_id}`;
  const heir = await handOver(sql, { tenant_id, player_id });
  for (const table of [
    'player_credentials',
    'player_notes',
    'player_tags',
    'payout_holds',
    'player_exclusions',
    'player_limits',
    'player_eligibility',
  ])
    await sql`delete from ${sql(table)} where ${ofPlayer}`;
  // That something happened stays, for those who read the events again.
  for (const table of ['event_outbox', 'events'])
    await sql`
      update ${sql(table)} set data = jsonb_set('{}', '{id}', coalesce(data -> 'id', 'null')) where ${ofPlayer}`;
  // The type says which balance paid for a deposit.
  await sql`
    update transactions set description = null,
      payment_metadata = case when payment_metadata ? 'type'
        then ('{"type":' || (payment_metadata -> 'type')::text || '}')::jsonb end
    where ${ofPlayer} and (description is not null or payment_metadata is not null)`;
  await sql`
    update redeems set description = null, payout_address = null, payout_seal = null
    where ${ofPlayer} and (description is not null or payout_address is not null)`;
  const lines = sql`
    tenant_id = ${tenant_id} and note is not null and line_id = any(array(
      select id from transactions where ${ofPlayer}
      union all select id from redeems where ${ofPlayer}
      union all select -id from transfers where ${ofPlayer}))`;
  await sql`delete from remarks where ${lines} and reason is null`;
  await sql`update remarks set note = null where ${lines}`;
  // What waits for a second person is refused. What was decided keeps its amounts and its reason.
  await sql`update approvals set outcome = 'refused', ended_at = now(), seal = null
    where ${ofPlayer} and ended_at is null`;
  await sql`
    update approvals set change = (change::jsonb - 'note')::json
    where ${ofPlayer} and change ->> 'note' is not null`;
  await sql`
    update idempotency_keys set status = ${GONE.status}, answer = ${GONE.message}
    where ${ofPlayer} and status = 200`;
  // A refusal does not say whom it was about.
  await sql`
    update idempotency_keys set answer = ${ON_HOLD}
    where tenant_id = ${tenant_id} and status = 409 and starts_with(answer, ${ON_HOLD})`;
  return { views, heir };
}

/** Removes saved views with the person's e-mail as a whole word; a super admin's only if it names the tenant. */
async function forgetViews(sql: Sql, { tenant_id, player_id }: Owner): Promise<number> {
  const kept = await sql<{ id: number; tenant_id: number; name: string; query: string }[]>`
    select id, tenant_id, name, query from saved_views where tenant_id in (${tenant_id}, ${PLATFORM_TENANT_ID})`;
  const words = kept.flatMap(({ id, tenant_id: owner, name, query }) => {
    const address = new URLSearchParams(query);
    if (owner !== tenant_id && address.get('tenant') !== String(tenant_id)) return [];
    return [name, ...address.values()].flatMap((text) => text.split(/[\s,;:()<>"[\]]+/)).map((word) => ({ id, word }));
  });
  const { count } = await sql`
    delete from saved_views s where s.tenant_id in (${tenant_id}, ${PLATFORM_TENANT_ID}) and s.id = any(array(
      select w.id from unnest(${words.map(({ id }) => id)}::bigint[], ${words.map(({ word }) => word)}::text[])
          as w (id, word), players p
      where p.tenant_id = ${tenant_id} and p.id = ${player_id} and lower(w.word) = lower(p.email)))`;
  return count;
}

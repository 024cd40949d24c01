/** The hold on a player's payouts. It is changed and checked with the wallet locked, so no payout can slip past it. */
import type { ChangeReason, PayoutHold } from '../../contract/entities';
import { Problem } from '../core/problem';
import { inTenant, lockWallet, type Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { lacksIdentity } from './eligibility';

type HoldRow = DbRow<PayoutHold>;

export async function findHold(sql: Sql, { tenant_id, player_id }: Owner): Promise<HoldRow | null> {
  const [hold] = await sql<HoldRow[]>`
    select h.reason, h.note, coalesce(a.email, 'the server') as by, h.created_at
    from payout_holds h left join admins a on a.id = h.admin_id
    where h.tenant_id = ${tenant_id} and h.player_id = ${player_id}`;
  return hold ?? null;
}

interface HoldChange extends Owner, ChangeReason {
  admin_id: number;
  is_held: boolean;
}

/** Puts a hold on, changes its reason, or removes it. It waits for a payout in progress. */
export async function changeHold(sql: Sql, { is_held, admin_id, reason, note, ...owner }: HoldChange) {
  const { tenant_id, player_id } = owner;
  await lockWallet(sql, owner);
  const before = await findHold(sql, owner);
  if (is_held) {
    await sql`
      insert into payout_holds (tenant_id, player_id, admin_id, reason, note)
      values (${tenant_id}, ${player_id}, ${admin_id}, ${reason ?? null}, ${note || null})
      on conflict (tenant_id, player_id) do update set
        admin_id = excluded.admin_id, reason = excluded.reason, note = excluded.note, created_at = excluded.created_at`;
  } else {
    await sql`delete from payout_holds where tenant_id = ${tenant_id} and player_id = ${player_id}`;
  }
  return { before, after: is_held ? await findHold(sql, owner) : null };
}

/** The server holds payouts by itself. A hold that somebody has put on stays as it is. Expects the wallet locked. */
export const holdByItself = (sql: Sql, { tenant_id, player_id }: Owner, note: string) => sql`
  insert into payout_holds (tenant_id, player_id, reason, note) values (${tenant_id}, ${player_id}, 'other', ${note})
  on conflict (tenant_id, player_id) do nothing`;

/** How the refusal begins; the reason of the hold follows. */
export const ON_HOLD = 'Payouts to this player are on hold';

/** After the statement that locks the wallet: earlier holds are seen, later ones wait. Only staff see the note. */
export async function refuseOnHold(sql: Sql, { tenant_id, player_id }: Owner, { isStaff }: { isStaff: boolean }) {
  const [hold] = await sql<{ words: string }[]>`
    select ${isStaff ? describeHold(sql) : describeReason(sql)} as words from payout_holds h
    where h.tenant_id = ${tenant_id} and h.player_id = ${player_id}`;
  if (hold) throw new Problem(409, [ON_HOLD, hold.words].filter(Boolean).join(': '));
}

/** The reason of hold h; fraud_suspected becomes 'Fraud suspected'. */
const describeReason = (sql: Sql) => sql`upper(left(h.reason, 1)) || replace(substr(h.reason, 2), '_', ' ')`;
/** The reason and note of hold h. Empty without either. */
const describeHold = (sql: Sql) => sql`concat_ws(', ', ${describeReason(sql)}, h.note)`;

/** Why redeem m must not be paid out while it is pending; null when nothing prevents it. */
export const redeemHold = (sql: Sql, tenant: number | null) => sql`
  case when m.status = 'pending' then coalesce((
    select coalesce(nullif(${describeHold(sql)}, ''), 'On hold')
    from payout_holds h
    where ${inTenant(sql, tenant, 'h.tenant_id')} and h.tenant_id = m.tenant_id and h.player_id = m.player_id
  ), ${lacksIdentity(sql, tenant)}) end`;

import { LIST_MAX } from '../../contract/constants';
import type { PersonalData, PersonalPayment } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { findPlayer, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type DbRow, onlyRow } from '../db/row';
import { findHold } from '../ledger/payoutHold';
import { readProtection } from '../ledger/protection';
import { readEligibility } from '../queries/readEligibility';

type Data = DbRow<PersonalData>;

/** The payments after the one with the id `cursor`, and one more if there are any. */
function readPayments(sql: Sql, { tenant_id, player_id }: Owner, cursor: number) {
  const after = sql`
    where tenant_id = ${tenant_id} and player_id = ${player_id} and id > ${cursor} order by id limit ${LIST_MAX + 1}`;
  return sql<DbRow<PersonalPayment>[]>`
    select * from (
      (select id, transaction_type as type, status, amount, payment_method as method, payment_reference as reference,
        null::text as payout_address, platform, description, initiated_at, completed_at
        from transactions ${after})
      union all
      (select id, 'REDEEM', status, amount, payout_method, null, payout_address, platform, description, initiated_at,
        completed_at
        from redeems ${after})
    ) m order by id limit ${LIST_MAX + 1}`;
}

const readPlayer = (sql: Sql, { tenant_id, player_id }: Owner): Promise<Data['player']> =>
  onlyRow(sql<Data['player'][]>`
    select p.id, p.email, p.first_name, p.last_name, p.phone_number, p.referral_id, p.affiliate_id, p.external_id,
      p.is_active, p.created_at, p.updated_at, w.credit_balance, w.bonus_balance, w.vip_balance, w.loyalty_balance
    from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
    where p.tenant_id = ${tenant_id} and p.id = ${player_id}`);

/** What is kept of a player, as a file for that person. */
export const personalData = {
  /** An export: each page has its entry in the audit log. */
  async getPersonalData({ sql, caller, params, query, audit }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    audit.about({ kind: 'export', id: null, tenant_id: owner.tenant_id, player_id: owner.player_id });
    const ofPlayer = sql`tenant_id = ${owner.tenant_id} and player_id = ${owner.player_id}`;
    const { exclusion, limits } = await readProtection(sql, owner);
    const [link] = await sql<{ since: Data['linked_since'] }[]>`select since from player_links where ${ofPlayer}`;
    const tags = await sql<{ tag: string }[]>`
      select tag from player_tags where ${ofPlayer} order by tag limit ${LIST_MAX}`;
    const logins = await sql<Data['logins'][number][]>`
      select platform_name, platform_username, is_active, updated_at from player_credentials
      where ${ofPlayer} order by id limit ${LIST_MAX}`;
    const notes = await sql<Data['notes'][number][]>`
      select text, created_at from player_notes where ${ofPlayer} order by id desc limit ${LIST_MAX}`;
    const corrections = await sql<Data['corrections'][number][]>`
      select case from_account when 'adjustment' then to_account else from_account end as account,
        case from_account when 'adjustment' then amount else -amount end as amount, created_at
      from transfers
      where ${ofPlayer} and (from_account = 'adjustment' or to_account = 'adjustment')
      order by created_at desc limit ${LIST_MAX}`;
    const rows = await readPayments(sql, owner, query.cursor ?? 0);
    const payments = rows.slice(0, LIST_MAX);
    return {
      player: await readPlayer(sql, owner),
      eligibility: await readEligibility(sql, owner),
      break: exclusion,
      limits,
      linked_since: link?.since ?? null,
      payout_hold: await findHold(sql, owner),
      tags: tags.map(({ tag }) => tag),
      logins: [...logins],
      notes: [...notes],
      corrections: [...corrections],
      payments,
      next_cursor: rows.length > LIST_MAX ? (payments.at(-1)?.id ?? null) : null,
    };
  },
} satisfies Partial<Handlers>;

import { LIST_MAX, PLAYER_ROWS } from '../../contract/constants';
import type { LedgerLine, PersonalData, PersonalPayment } from '../../contract/entities';
import { toPlayer } from '../audit/auditLog';
import type { Ctx, Handlers } from '../core/context';
import { findPlayer, type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { changeHold, findHold, redeemHold } from '../ledger/payoutHold';
import { readEligibility, readProtection } from '../ledger/protection';
import type { RedeemRow, TransactionRow } from '../ledger/rows';
import { addNote, readPlayerDetails, saveTags } from '../queries/playerNotes';
import { selectRisks } from '../queries/risks';
import { isPending, isSettled } from '../queries/transactionFilter';

/** The rows of a player as in the queues: the pending ones, which are to be decided, and then the newest. */
const toDecideFirst = (sql: Sql, table: 'transactions' | 'redeems', { tenant_id, player_id }: Owner) => sql`(
  (select * from ${sql(table)} m
   where tenant_id = ${tenant_id} and player_id = ${player_id} and ${isPending(sql)}
   order by initiated_at, id limit ${PLAYER_ROWS})
  union all
  (select * from ${sql(table)} m
   where tenant_id = ${tenant_id} and player_id = ${player_id} and ${isSettled(sql)}
   order by initiated_at desc, id desc limit ${PLAYER_ROWS}))`;
const placeInQueue = (sql: Sql) => sql`
  not (${isPending(sql)}), case when ${isPending(sql)} then m.initiated_at end,
  case when ${isPending(sql)} then m.id end, m.initiated_at desc, m.id desc limit ${PLAYER_ROWS}`;

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
  sql<Data['player'][]>`
    select p.id, p.email, p.first_name, p.last_name, p.phone_number, p.referral_id, p.affiliate_id, p.external_id,
      p.is_active, p.created_at, p.updated_at, w.credit_balance, w.bonus_balance, w.vip_balance, w.loyalty_balance
    from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
    where p.tenant_id = ${tenant_id} and p.id = ${player_id}`.one();

async function changeTags(
  { sql, caller, params, body, audit }: Ctx<'savePlayerTags'> | Ctx<'addPlayerTags'>,
  how: { areReplaced: boolean },
) {
  const owner = await findPlayer(sql, tenantScope(caller), params.id);
  const { before, after } = await saveTags(sql, owner, body.tags, how);
  audit.about({ ...toPlayer(owner), before: { tags: before }, after: { tags: after } });
  return { tags: after };
}

/** The page about one player, and what is kept of a player as a file for that person. */
export const playerView = {
  getPlayer: async ({ sql, caller, params }) =>
    readPlayerDetails(sql, await findPlayer(sql, tenantScope(caller), params.id)),

  /** The balance after each line is summed from the first transfer on, independent of the wallet. */
  async getPlayerLedger({ sql, caller, params, query }) {
    const { tenant_id, player_id } = await findPlayer(sql, tenantScope(caller), params.id);
    const ofAccount = query.account
      ? sql`s.account = ${query.account}`
      : sql`s.account in ('credit', 'bonus', 'vip', 'loyalty', 'held')`;
    const rows = await sql<(DbRow<LedgerLine> & { place: number })[]>`
      with side as (
        select t.id, t.created_at, t.from_account, t.to_account, t.money_id, t.admin_id, s.account, s.amount,
          sum(s.amount) over (partition by s.account order by t.id) as balance
        from transfers t
          cross join lateral (values (t.from_account, -t.amount), (t.to_account, t.amount)) as s (account, amount)
        where t.tenant_id = ${tenant_id} and t.player_id = ${player_id}
          and ${ofAccount}
      ), page as (
        select *, dense_rank() over (order by id desc) as place from side
        where ${query.cursor === undefined ? sql`true` : sql`id < ${query.cursor}`}
      )
      select p.id, p.created_at, p.account, p.amount, p.balance, p.money_id, a.email as by, r.reason, r.note, p.place,
        coalesce(m.transaction_type, case
          when o.id is not null then 'WITHDRAWAL'
          when p.from_account = 'opening' then 'OPENING'
          else 'ADJUSTMENT'
        end) as transaction_type
      from page p
      left join transactions m on m.tenant_id = ${tenant_id} and m.id = p.money_id
      left join redeems o on o.tenant_id = ${tenant_id} and o.id = p.money_id
      left join admins a on a.id = p.admin_id
      left join remarks r on r.tenant_id = ${tenant_id} and r.line_id = coalesce(p.money_id, -p.id)
      where p.place <= ${PLAYER_ROWS + 1} order by p.id desc, p.amount desc`;
    const lines = rows.filter(({ place }) => place <= PLAYER_ROWS);
    return { lines, next_cursor: lines.length < rows.length ? (lines.at(-1)?.id ?? null) : null };
  },

  async listPlayerPurchases({ sql, caller, params }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    return sql<TransactionRow[]>`
      select m.*, p.email as user_email
      from ${toDecideFirst(sql, 'transactions', owner)} m
        join players p on p.tenant_id = ${owner.tenant_id} and p.id = m.player_id
      order by ${placeInQueue(sql)}`;
  },

  async listPlayerRedeems({ sql, caller, params }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    return sql<RedeemRow[]>`
      select m.*, p.email as user_email, ${selectRisks(sql, owner.tenant_id)} as risks,
        ${redeemHold(sql, owner.tenant_id)} as payout_hold
      from ${toDecideFirst(sql, 'redeems', owner)} m
        join players p on p.tenant_id = ${owner.tenant_id} and p.id = m.player_id
      order by ${placeInQueue(sql)}`;
  },

  /** Notes are never changed; a correction is another note. */
  async addPlayerNote({ sql, caller, params, body, audit }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    const note = await addNote(sql, owner, caller, body.text);
    audit.about({ ...toPlayer(owner), after: { staff_note: note.text } });
    return note;
  },

  savePlayerTags: (ctx) => changeTags(ctx, { areReplaced: true }),
  addPlayerTags: (ctx) => changeTags(ctx, { areReplaced: false }),

  async holdPayouts({ sql, caller, params, body, audit }) {
    const owner = await findPlayer(sql, tenantScope(caller), params.id);
    const { before, after } = await changeHold(sql, { ...owner, admin_id: caller.admin_id, ...body });
    audit.about({
      ...toPlayer(owner),
      before: { payout_hold: before !== null },
      after: { payout_hold: after !== null },
    });
    return { hold: after };
  },

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

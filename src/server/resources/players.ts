import { balanceKinds, HISTORY_LIMIT, USER_SEARCH_HITS, USER_SEARCH_MIN } from '../../contract/constants';
import type { HistoryLine, Player, PlayerForm, PlayerHit } from '../../contract/entities';
import type { NewPlayer } from '../../contract/schemas/players';
import { toPlayer } from '../audit/auditLog';
import { refuseAdminEmail } from '../auth/adminEmails';
import { requirePermissions } from '../auth/authenticate';
import { hashPassword } from '../auth/passwords';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatTimestamp, formatUsd, withTenantColumn } from '../core/csv';
import { notFound, orConflict, Problem } from '../core/problem';
import { findPlayer, inTenant, nameTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type DbRow, definedFields } from '../db/row';
import { closeWallet, openWallet } from '../ledger/adjust';
import { findLimits, storeFirst } from '../ledger/approvals';
import { editBalances, toBalanceChanges, toSigned } from '../queries/editBalances';
import { forgetPlayer } from '../queries/forgetPlayer';
import { allPlayers, type ExportedPlayer, listPlayers, matches, playerColumns } from '../queries/playerList';
import { moveAffiliate } from '../totals/adjustFacts';
import { lockFacts } from '../totals/countFacts';

const TAKEN = 'A user with this email already exists';

/** The columns that the form contains; fields that are left out are not changed. */
const toProfileColumns = ({ password: _, tenant_id: _t, ...profile }: PlayerForm & Partial<NewPlayer>) =>
  definedFields(profile);

async function playerRow(sql: Sql, tenantId: number, id: number): Promise<Player> {
  return sql<Player[]>`
    select ${playerColumns(sql)}
    from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
    where p.tenant_id = ${tenantId} and w.tenant_id = ${tenantId} and p.id = ${id}`.one();
}

/** What an edit can change, locked: the profile, and the password's hash. */
async function lockProfile(sql: Sql, tenantId: number, id: number) {
  return sql<{ email: string; affiliate_id: string | null }[]>`
    select email, first_name, last_name, phone_number, referral_id, affiliate_id, is_active, password_hash
    from players
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for no key update`.one(notFound('User'));
}

/** The columns of the list on screen (docs/product.md, "Users"), and those that an import needs in addition. */
const csvColumns: readonly [CsvColumn<ExportedPlayer>, ...CsvColumn<ExportedPlayer>[]] = [
  ['ID', ({ id }) => ({ raw: String(id) })],
  ['Email', (row) => row.email],
  ['First Name', (row) => row.first_name],
  ['Last Name', (row) => row.last_name],
  ['Phone', (row) => row.phone_number],
  ['Affiliate', (row) => row.affiliate_id],
  ['Referral', (row) => row.referral_id],
  ['Individual GGR', (row) => formatUsd(row.individual_ggr)],
  ['Credit Balance', (row) => formatUsd(row.credit_balance)],
  ['Bonus Balance', (row) => formatUsd(row.bonus_balance)],
  ['VIP Balance', (row) => formatUsd(row.vip_balance)],
  ['Loyalty Balance', (row) => formatUsd(row.loyalty_balance)],
  ['Active', (row) => (row.is_active ? 'yes' : 'no')],
  ['Created At', (row) => formatTimestamp(row.created_at)],
];

export const players = {
  listPlayers: ({ sql, caller, query }) => listPlayers(sql, tenantScope(caller, query.tenant_id), query),

  async exportPlayers({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    return createCsvFile(allPlayers(sql, tenant, query), withTenantColumn(csvColumns, tenant));
  },

  /** The user search of the manual redeem: by e-mail, first and last name, the exact e-mail first. */
  async searchPlayers({ sql, caller, query }) {
    if (query.email.length < USER_SEARCH_MIN) return [];
    return sql<PlayerHit[]>`
      with hits as materialized (
        select p.tenant_id, p.id, p.email, p.first_name, p.last_name,
          fold_text(p.email || E'\\n' || coalesce(p.first_name, '') || E'\\n' || coalesce(p.last_name, '')) as named
        from players p
        where ${inTenant(sql, tenantScope(caller), 'p.tenant_id')} and p.deleted_at is null
          and ${matches(sql, query.email)})
      select h.*, w.credit_balance from hits h join wallets w on w.tenant_id = h.tenant_id and w.player_id = h.id
      where ${matches(sql, query.email, 'h.named')}
      order by lower(h.email) = lower(${query.email}) desc,
        starts_with(h.named, fold_text(${query.email})) desc,
        starts_with(fold_text(h.first_name), fold_text(${query.email})) desc, lower(h.email), h.id
      limit ${USER_SEARCH_HITS}`;
  },

  async createPlayer({ sql, caller, body, turn, audit, inTransaction }) {
    const tenant_id = await nameTenant(sql, caller, 'body', body.tenant_id);
    const row = { ...toProfileColumns(body), tenant_id, password_hash: await hashPassword(body.password, turn) };
    return inTransaction(async (sql) => {
      await refuseAdminEmail(sql, caller, { tenantId: tenant_id, email: body.email });
      const insert = sql<{ id: number }[]>`insert into players ${sql(row)} returning id`;
      const { id } = await orConflict(insert.one(), TAKEN);
      await openWallet(sql, tenant_id, id);
      audit.about({ ...toPlayer({ tenant_id, player_id: id }), after: row });
      return playerRow(sql, tenant_id, id);
    });
  },

  /** A blank password keeps the current one. */
  async updatePlayer({ sql, caller, params, body, turn, audit, inTransaction }) {
    const { player_id: id, tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    const password = body.password && { password_hash: await hashPassword(body.password, turn) };
    return inTransaction(async (sql) => {
      if (body.affiliate_id !== undefined) await lockFacts(sql, tenant_id);
      const before = await lockProfile(sql, tenant_id, id);
      const changes = { email: before.email, ...toProfileColumns(body), ...password };
      await refuseAdminEmail(sql, caller, { tenantId: tenant_id, email: changes.email, before: before.email });
      const update = sql`
        update players set ${sql(changes)}, updated_at = now()
        where tenant_id = ${tenant_id} and id = ${id} and deleted_at is null returning id`;
      if (!(await orConflict(update, TAKEN)).length) throw notFound('User');
      if (body.affiliate_id !== undefined) {
        const owner = { tenant_id, player_id: id };
        await moveAffiliate(sql, owner, { from: before.affiliate_id, to: body.affiliate_id });
      }
      audit.about({ ...toPlayer({ tenant_id, player_id: id }), before, after: { ...before, ...changes } });
      return playerRow(sql, tenant_id, id);
    });
  },

  async setPlayerActive({ sql, caller, params, body, audit }) {
    const { player_id: id, tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    const before = await lockProfile(sql, tenant_id, id);
    await sql`
      update players set is_active = ${body.is_active}, updated_at = now()
      where tenant_id = ${tenant_id} and id = ${id} and is_active <> ${body.is_active}`;
    audit.about({ ...toPlayer({ tenant_id, player_id: id }), before, after: { ...before, is_active: body.is_active } });
    return playerRow(sql, tenant_id, id);
  },

  /**
   * Refused while anything is pending. What is left in balances goes, which needs the right to remove it. Personal data
   * is removed; the ledger and past figures stay, also the affiliate's.
   */
  async deletePlayer({ sql, caller, params, audit }) {
    const { player_id: id, tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    await lockFacts(sql, tenant_id);
    const left = await closeWallet(sql, tenant_id, id);
    if (left > 0) {
      requirePermissions(caller, ['money']);
      const { edits_from } = await findLimits(sql, tenant_id);
      if (edits_from !== null && left >= edits_from)
        throw new Problem(409, 'Two people must agree on a balance of this size: remove the balance first');
    }
    await lockProfile(sql, tenant_id, id);
    const { views, heir } = await forgetPlayer(sql, { tenant_id, player_id: id });
    // nothing that identifies the person
    const also = { ...(views && { saved_views_removed: views }), ...(heir && { handed_over_to: heir }) };
    const after = { deleted: true, ...also };
    audit.about({ ...toPlayer({ tenant_id, player_id: id }), before: { deleted: false }, after, forgets: true });
  },

  async adjustBalances({ sql, caller, params, body, audit, services }) {
    const changes = toBalanceChanges(body);
    const { player_id: id, tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    if (!changes.length) throw new Problem(422, `body: at least one of ${balanceKinds.join(', ')} is required`);
    const sum = changes.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0) / 100;
    const { edits_from } = await findLimits(sql, tenant_id);
    if (edits_from !== null && sum >= edits_from) {
      await lockProfile(sql, tenant_id, id); // otherwise a deletion at the same moment would leave the note
      const first = { tenant_id, admin_id: caller.admin_id, kind: 'balances', player_id: id, change: body } as const;
      const approval = await storeFirst(sql, services.secrets, first);
      const after = { approved: '1 of 2', approval, sum, ...toSigned(changes) };
      audit.about({ ...toPlayer({ tenant_id, player_id: id }), after });
      return { ...(await playerRow(sql, tenant_id, id)), waits: true };
    }
    await editBalances(sql, audit, { tenant_id, player_id: id, admin_id: caller.admin_id }, body);
    return playerRow(sql, tenant_id, id);
  },

  /** Manual entries have negative ids, so that every id is unique. */
  async listPlayerTransactions({ sql, caller, params, query }) {
    const { player_id: id, tenant_id } = await findPlayer(sql, tenantScope(caller), params.id);
    const limit = query.limit ?? HISTORY_LIMIT;
    const of = sql`tenant_id = ${tenant_id} and player_id = ${id}`;
    return sql<DbRow<HistoryLine>[]>`
      select h.*, m.reason, m.note from (
      (select id, initiated_at, transaction_type, amount, payment_method, description, payment_reference, status
       from transactions where ${of} order by initiated_at desc, id desc limit ${limit})
      union all
      (select id, initiated_at, 'WITHDRAWAL', amount, payout_method, description, payout_address, status
       from redeems where ${of} order by initiated_at desc, id desc limit ${limit})
      union all
      (select -id, created_at, case from_account when 'opening' then 'OPENING' else 'ADJUSTMENT' end,
         case to_account when 'adjustment' then -amount else amount end, null,
         case to_account when 'adjustment' then 'Removed from ' || from_account else 'Added to ' || to_account end,
         null, 'success'
       from transfers
       where ${of} and money_id is null and (from_account in ('adjustment', 'opening') or to_account = 'adjustment')
       order by id desc limit ${limit})
      order by initiated_at desc, id desc limit ${limit}
      ) h left join remarks m on m.tenant_id = ${tenant_id} and m.line_id = h.id
      order by h.initiated_at desc, h.id desc`;
  },
} satisfies Partial<Handlers>;

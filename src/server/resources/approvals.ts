import * as v from 'valibot';
import { ADMIN_ROLE, type BalanceKind, LIST_MAX } from '../../contract/constants';
import type { Approval } from '../../contract/entities';
import { neededFor, type Permission } from '../../contract/permissions';
import { isOpen } from '../../contract/rules';
import { ApprovalLimitsForm } from '../../contract/schemas/approvals';
import { BalanceForm } from '../../contract/schemas/players';
import { requirePermissions } from '../auth/authenticate';
import type { Caller } from '../auth/caller';
import type { Ctx, Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import { inTenant, nameTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { refuseChangedApproval } from '../ledger/approvalSeal';
import {
  endApproval,
  findLimits,
  mayStill,
  type OpenApproval,
  type Outcome,
  openApproval,
  refuseSamePerson,
  storeFirst,
  whyNotSecond,
} from '../ledger/approvals';
import { settlePurchase, settleRedeem } from '../ledger/settle';
import { type AccountEntry, enterByHand } from '../ledger/valueAccounts';
import { editBalances } from '../queries/editBalances';

/** What was stored when the first person approved it: `change` is parsed before it is carried out. */
type Row = OpenApproval &
  (
    | { kind: 'redeem'; redeem_id: number; player_id: number }
    | { kind: 'return'; return_id: number; player_id: number }
    | { kind: 'balances'; player_id: number; change: unknown }
    | { kind: 'limits'; change: unknown }
    | { kind: 'account'; change: unknown }
  );

const Limits = v.pick(ApprovalLimitsForm, ['payouts_from', 'edits_from']);
type Limits = v.InferOutput<typeof Limits>;

function toSubject(row: Row) {
  const { tenant_id } = row;
  if (row.kind === 'account') return { kind: 'books', id: null, tenant_id } as const;
  if (row.kind === 'limits') return { kind: 'tenant', id: tenant_id, tenant_id } as const;
  const { player_id } = row;
  if (row.kind === 'redeem') return { kind: 'redeem', id: row.redeem_id, tenant_id, player_id } as const;
  if (row.kind === 'return') return { kind: 'return', id: row.return_id, tenant_id, player_id } as const;
  return { kind: 'player', id: player_id, tenant_id, player_id } as const;
}

/** An approval that waits in the tenant, or 404. Not locked: to end it tells whether it was still waiting. */
async function findApproval(sql: Sql, caller: Caller, id: number): Promise<Row> {
  const [row] = await sql<Row[]>`
    select ${openApproval(sql)}, o.change from approvals o
    where o.id = ${id} and ${inTenant(sql, tenantScope(caller), 'o.tenant_id')} and o.ended_at is null`;
  if (!row) throw notFound('Approval');
  requirePermissions(caller, [neededFor[row.kind]]);
  return row;
}

async function endWaiting(sql: Sql, row: Row, outcome: Outcome, caller: Caller): Promise<void> {
  if (!(await endApproval(sql, row, outcome, caller.admin_id))) throw notFound('Approval');
}

/** As from the queue: the verb knows of the first person, and refuses the same one. */
async function settle(ctx: Ctx<'approveChange'>, row: Row & { kind: 'redeem' | 'return' }): Promise<void> {
  const { sql, caller, services, audit } = ctx;
  const { secrets } = services;
  const second = { tenant: row.tenant_id, status: 'success', admin_id: caller.admin_id, by: caller, secrets } as const;
  const { status } = await (row.kind === 'redeem'
    ? settleRedeem(sql, { ...second, id: row.redeem_id })
    : settlePurchase(sql, { ...second, id: row.return_id }));
  if (isOpen(status))
    throw new Problem(409, `The first approval is no longer valid. Approve the ${row.kind} in the queue`);
  audit.about({ ...toSubject(row), before: { status: 'pending' }, after: { status, approved_by: row.first_email } });
}

async function setLimits({ sql, audit }: Pick<Ctx<'approveChange'>, 'sql' | 'audit'>, tenantId: number, to: Limits) {
  const before = await findLimits(sql, tenantId);
  await sql`
    update tenants set payout_approval_from = ${to.payouts_from}, edit_approval_from = ${to.edits_from}
    where id = ${tenantId}`;
  audit.about({ kind: 'tenant', id: tenantId, tenant_id: tenantId, before, after: await findLimits(sql, tenantId) });
}
/** What the stored edit adds to a balance; negative if it removes. */
const editOf = (sql: Sql, kind: BalanceKind) => sql`
  (o.change ->> ${kind})::numeric * case o.change ->> ${`${kind}_op`} when 'remove' then -1 else 1 end as ${sql(kind)}`;

/** What two people must agree on (docs/permissions.md, "Two people"). */
export const approvals = {
  async listApprovals({ sql, caller, query }) {
    const rows = await sql<(DbRow<Omit<Approval, 'refusal'>> & OpenApproval)[]>`
    select ${openApproval(sql)}, p.email as user_email,
      coalesce(r.amount, b.amount,
        case o.kind when 'balances' then o.sum when 'account' then o.corrected end) as amount,
      o.entry, coalesce(o.account_name, a.name) as account_name, o.credits,
      o.credit, o.bonus, o.vip, o.loyalty, o.reason, o.note, o.payouts_from, o.edits_from,
      o.first_at, o.first_admin_id = ${caller.admin_id} as is_own
    from (
        select o.*, ${editOf(sql, 'credit')}, ${editOf(sql, 'bonus')}, ${editOf(sql, 'vip')}, ${editOf(sql, 'loyalty')},
          (select sum(value::numeric) from json_each_text(o.change)
            where key in ('credit', 'bonus', 'vip', 'loyalty')) as sum,
          o.change ->> 'kind' as entry, o.change ->> 'account_name' as account_name,
          (o.change ->> 'account_id')::bigint as account_id, (o.change ->> 'credits')::numeric as credits,
          (o.change ->> 'amount')::numeric * case when o.change ->> 'to_id' is null then -1 else 1 end as corrected,
          o.change ->> 'reason' as reason, o.change ->> 'note' as note,
          (o.change ->> 'payouts_from')::numeric as payouts_from, (o.change ->> 'edits_from')::numeric as edits_from
        from approvals o
      ) o
      join admins f on f.id = o.first_admin_id join roles fr on fr.id = f.role_id
      left join redeems r on r.tenant_id = o.tenant_id and r.id = o.redeem_id
      left join transactions b on b.tenant_id = o.tenant_id and b.id = o.return_id
      left join players p on p.tenant_id = o.tenant_id and p.id = o.player_id
      left join value_accounts a on a.tenant_id = o.tenant_id and a.id = o.account_id
    where ${inTenant(sql, tenantScope(caller, query.tenant_id), 'o.tenant_id')}
      and o.ended_at is null and ${mayStill(sql)}
    order by o.first_at, o.id limit ${LIST_MAX}`;
    const refusals = await whyNotSecond(sql, rows, caller);
    return rows.map((row, n) => ({ ...row, refusal: refusals[n] ?? null }));
  },

  /** The second of two people. What they agreed to is done in the same transaction. */
  async approveChange(ctx) {
    const { sql, caller, params, audit } = ctx,
      row = await findApproval(sql, caller, params.id);
    const { tenant_id, first_email: approved_by } = row;
    if (!row.is_valid)
      throw new Problem(409, `${approved_by} may no longer do this: their approval is no longer valid`);
    if (row.kind === 'redeem' || row.kind === 'return') await settle(ctx, row);
    else {
      await refuseSamePerson(sql, row, caller);
      refuseChangedApproval(ctx.services.secrets, row);
      await endWaiting(sql, row, 'approved', caller);
      if (row.kind === 'limits') await setLimits(ctx, tenant_id, v.parse(Limits, row.change));
      else if (row.kind === 'account') {
        // Its seal was checked: it is what the server stored.
        const { account_name, ...entry } = row.change as AccountEntry & { account_name: string };
        await enterByHand(sql, { ...entry, approved_by: row.first_admin_id, admin_id: caller.admin_id });
        const { kind, amount, credits, reason } = entry;
        const after = { entry: kind, account_name, amount, credits, reason, approved_by };
        audit.about({ ...toSubject(row), after });
      } else {
        const by = { tenant_id, player_id: row.player_id, admin_id: caller.admin_id, approved_by };
        await editBalances(sql, audit, by, v.parse(BalanceForm, row.change));
      }
    }
  },

  /** Withdraws one's own approval, or refuses another's. A payout or a return stays pending. */
  async endApproval({ sql, caller, params, audit }) {
    const row = await findApproval(sql, caller, params.id);
    const outcome = row.first_admin_id === caller.admin_id ? 'withdrawn' : 'refused';
    await endWaiting(sql, row, outcome, caller);
    audit.about({
      ...toSubject(row),
      before: { approved_by: row.first_email },
      after: { approved_by: null, approval: row.id, outcome },
    });
  },

  async getApprovalLimits({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    const holders = (...needed: Permission[]) => sql`array(
      select email from admins
      where tenant_id = ${tenant} and is_active and permissions @> ${needed}
        and role_id = (select id from roles where name = ${ADMIN_ROLE})
      order by lower(email) limit ${LIST_MAX})`;
    const people = await sql<{ both_ends: string[]; changers: string[] }[]>`
      select ${holders('settings', 'queue')} as both_ends, ${holders(neededFor.limits)} as changers`.one();
    return { ...(await findLimits(sql, tenant)), ...people };
  },

  /** While a limit is set, a second person must agree to the change. Answers the limits that are in force. */
  async changeApprovalLimits(ctx) {
    const { sql, caller, body, audit } = ctx,
      tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    await sql`select 1 from tenants where id = ${tenant} for no key update`;
    const change = { payouts_from: body.payouts_from, edits_from: body.edits_from },
      now = await findLimits(sql, tenant);
    if (now.payouts_from === null && now.edits_from === null) await setLimits(ctx, tenant, change);
    else {
      const [waiting] = await sql<OpenApproval[]>`
        select ${openApproval(sql)} from approvals o
        where o.tenant_id = ${tenant} and o.kind = 'limits' and o.ended_at is null`;
      if (waiting?.is_valid) throw new Problem(409, 'A change of the limits waits for a second person already');
      if (waiting) await endApproval(sql, waiting, 'refused', null);
      const first = { tenant_id: tenant, admin_id: caller.admin_id, kind: 'limits', player_id: null, change } as const;
      await storeFirst(sql, ctx.services.secrets, first);
      audit.about({ kind: 'tenant', id: tenant, tenant_id: tenant, after: { ...change, approved: '1 of 2' } });
    }
    return findLimits(sql, tenant);
  },
} satisfies Partial<Handlers>;

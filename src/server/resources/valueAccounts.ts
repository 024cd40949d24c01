import { LIST_MAX } from '../../contract/constants';
import type {
  AccountEntryForm,
  AccountMove,
  ValueAccount,
  ValueAccountForm,
  ValueAccounts,
} from '../../contract/entities';
import { ACCOUNTS_MAX } from '../../contract/schemas/valueAccounts';
import type { Handlers } from '../core/context';
import { notFound, orConflict, Problem } from '../core/problem';
import { nameTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { storeFirst } from '../ledger/approvals';
import { type AccountEntry, checkEntry, enterByHand, toAccountMethod } from '../ledger/valueAccounts';
import { accountBalance, signedAmount } from '../totals/accountSums';

const TAKEN = 'An account with this name already exists';

const readAccounts = (sql: Sql, tenant: number, id?: number) => sql<DbRow<ValueAccount>[]>`
  select a.id, a.name, a.kind, a.methods, a.is_active, ${accountBalance(sql, sql`${tenant}`)} as balance,
    coalesce((select round(sum(e.amount) / sum(e.credits), 6) from account_entries e
      where e.tenant_id = ${tenant} and e.to_id = a.id and e.kind = 'bought'), a.cost_per_credit) as cost_per_credit,
    a.cost_per_credit as set_cost
  from value_accounts a
  where a.tenant_id = ${tenant} ${id === undefined ? sql`` : sql`and a.id = ${id}`}
  order by a.kind, lower(a.name), a.id limit ${ACCOUNTS_MAX}`;

async function readAll(sql: Sql, tenant: number): Promise<DbRow<ValueAccounts>> {
  const accounts = await readAccounts(sql, tenant);
  const { needs_account } = await sql<{ needs_account: boolean | null }[]>`
    select needs_account from tenants where id = ${tenant}`.one();
  return { is_required: needs_account ?? false, accounts: [...accounts] };
}

const toMethods = ({ kind, methods }: ValueAccountForm) => [
  ...new Set(methods.map((one) => toAccountMethod(kind, one))),
];

/** A method means one account. Locks the accounts of the tenant, so two forms at once see each other. */
async function refuseTaken(sql: Sql, tenant: number, form: ValueAccountForm, id: number | null): Promise<void> {
  await sql`select 1 from tenants where id = ${tenant} for no key update`;
  const others = await sql<{ id: number; name: string; methods: string[] }[]>`
    select id, name, methods from value_accounts
    where tenant_id = ${tenant} and kind = ${form.kind} and is_active and id <> ${id ?? 0}`;
  for (const method of form.is_active ? toMethods(form) : []) {
    const other = others.find(({ methods }) => methods.includes(method));
    if (other) throw new Problem(409, `${method} belongs to the account ${other.name} already`);
  }
}

/** The list shows them all, of both kinds and out of use, too. Expects the tenant to be locked. */
async function refuseMore(sql: Sql, tenant: number): Promise<void> {
  const all = await sql`select 1 from value_accounts where tenant_id = ${tenant} limit ${ACCOUNTS_MAX}`;
  if (all.length >= ACCOUNTS_MAX) throw new Problem(409, `At most ${ACCOUNTS_MAX} accounts`);
}

const toRow = (form: ValueAccountForm) => ({
  name: form.name,
  kind: form.kind,
  methods: toMethods(form),
  cost_per_credit: form.kind === 'credits' ? (form.cost_per_credit ?? null) : null,
  is_active: form.is_active,
});

const toEntry = (form: AccountEntryForm, tenant_id: number, admin_id: number): AccountEntry => ({
  tenant_id,
  kind: form.entry,
  from_id: form.from_id ?? null,
  to_id: form.to_id ?? null,
  amount: String(form.amount),
  credits: form.credits === undefined ? null : String(form.credits),
  reason: form.reason ?? null,
  admin_id,
});

/** Whether two must agree: from the limit of edits on, in dollars or credits, but not between accounts of a kind. */
async function needsTwo(sql: Sql, { tenant_id, kind, amount, credits }: AccountEntry): Promise<boolean> {
  if (kind === 'moved') return false;
  const { is_large } = await sql<{ is_large: boolean }[]>`
    select coalesce(greatest(${amount}::numeric, ${credits}::numeric) >= edit_approval_from, false) as is_large
    from tenants where id = ${tenant_id}`.one();
  return is_large;
}

/** Cash accounts and stocks of credits (docs/extras/accounts.md). */
export const valueAccounts = {
  getValueAccounts: async ({ sql, caller, query }) =>
    readAll(sql, await nameTenant(sql, caller, 'query', query.tenant_id)),

  async changeAccountSettings({ sql, caller, body, audit }) {
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    await sql`update tenants set needs_account = ${body.is_required} where id = ${tenant}`;
    audit.about({ kind: 'books', id: null, tenant_id: tenant, after: { account_required: body.is_required } });
    return readAll(sql, tenant);
  },

  async createValueAccount({ sql, caller, body, audit }) {
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    await refuseTaken(sql, tenant, body, null);
    await refuseMore(sql, tenant);
    const row = { tenant_id: tenant, ...toRow(body) };
    const insert = sql<{ id: number }[]>`insert into value_accounts ${sql(row)} returning id`;
    const { id } = await orConflict(insert.one(), TAKEN);
    audit.about({ kind: 'books', id: String(id), tenant_id: tenant, after: toRow(body) });
    return readAccounts(sql, tenant, id).one();
  },

  /** What an account is stays: cash does not become credits. */
  async updateValueAccount({ sql, caller, params, body, audit }) {
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    const before = await sql<ReturnType<typeof toRow>[]>`
      select name, kind, methods, cost_per_credit, is_active from value_accounts
      where tenant_id = ${tenant} and id = ${params.id} for update`.one(notFound('Account'));
    await refuseTaken(sql, tenant, body, params.id);
    if (before.kind !== body.kind) throw new Problem(409, 'The kind of an account cannot change');
    const { name, methods, cost_per_credit, is_active } = toRow(body);
    const update = sql`
      update value_accounts set name = ${name}, methods = ${methods}::text[],
        cost_per_credit = ${cost_per_credit}::numeric, is_active = ${is_active}
      where tenant_id = ${tenant} and id = ${params.id}`;
    await orConflict(update, TAKEN);
    audit.about({ kind: 'books', id: String(params.id), tenant_id: tenant, before, after: toRow(body) });
    return readAccounts(sql, tenant, params.id).one();
  },

  /** Buys credits, moves value between two accounts, or corrects one; of a large one `needsTwo` tells. */
  async enterAccountMove({ sql, caller, body, audit, services: { secrets } }) {
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    const entry = toEntry(body, tenant, caller.admin_id);
    const { from, to } = await checkEntry(sql, entry);
    const { kind, amount, credits, reason } = entry;
    const about = { kind: 'books', id: null, tenant_id: tenant } as const;
    const after = { entry: kind, from, to, amount, credits, reason };
    if (await needsTwo(sql, entry)) {
      const change = { ...entry, account_name: [from, to].filter((name) => name !== null).join(' to ') };
      const first = { tenant_id: tenant, admin_id: caller.admin_id, kind: 'account', player_id: null, change } as const;
      const approval = await storeFirst(sql, secrets, first);
      audit.about({ ...about, after: { ...after, approved: '1 of 2', approval } });
      return { waits: true };
    }
    await enterByHand(sql, entry);
    audit.about({ ...about, after });
    return { waits: false };
  },

  /** The newest movements of an account, at most 1,000. */
  async listAccountMoves({ sql, caller, params, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    await sql`select 1 from value_accounts where tenant_id = ${tenant} and id = ${params.id}`.one(notFound('Account'));
    return sql<DbRow<AccountMove>[]>`
      select l.at, l.kind, l.amount, l.money_id, l.reason, coalesce(d.email, 'system') as by
      from (
        (select created_at as at, case from_account when 'cash_in' then 'purchase' when 'platform' then 'return'
            else case to_account when 'platform' then 'deposit' else 'redeem' end end as kind,
          ${signedAmount(sql)} as amount, money_id, null::text as reason, admin_id
        from transfers where tenant_id = ${tenant} and account_id = ${params.id}
        order by created_at desc limit ${LIST_MAX})
        union all
        select created_at, kind, case when to_id = ${params.id} then coalesce(credits, amount) else -amount end, null,
          reason, admin_id
        from account_entries where tenant_id = ${tenant} and (from_id = ${params.id} or to_id = ${params.id})
      ) l left join admins d on d.id = l.admin_id
      order by l.at desc, l.money_id desc nulls last limit ${LIST_MAX}`;
  },
} satisfies Partial<Handlers>;

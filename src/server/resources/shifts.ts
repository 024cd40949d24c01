/** Shifts of cashiers: opened and closed with counts (docs/extras/shifts.md). */
import { LIST_MAX } from '../../contract/constants';
import type { CloseShiftForm, Shift, ShiftCount, ShiftDay, ShiftPaper, ShiftSum } from '../../contract/entities';
import { ACCOUNTS_MAX } from '../../contract/schemas/valueAccounts';
import { requireOneOf, requirePermissions } from '../auth/authenticate';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatTimestamp, formatUsd } from '../core/csv';
import { notFound, orConflict, Problem } from '../core/problem';
import { nameTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { shiftMoves } from '../totals/accountSums';

const shiftColumns = (sql: Sql) => sql`
  s.id, a.email as cashier, s.opened_at, s.closed_at, b.email as closed_by, o.email as relieved`;
const shiftTables = (sql: Sql, tenant: number) => sql`
  shifts s join admins a on a.id = s.admin_id left join admins b on b.id = s.closed_by
    left join shifts r on r.tenant_id = ${tenant} and r.id = s.relieves_id left join admins o on o.id = r.admin_id`;

/** Whoever settles payments, pays out or moves value handles accounts, so has shifts. */
const cashiers = ['queue', 'payouts', 'money'] as const;

/** The accounts of one shift, as what closing it would keep; of a closed one as it was kept. */
const countsOf = (sql: Sql, tenant: number, id: number | Fragment) => sql`
  select v.id as account_id, v.name, v.kind, c.opening, coalesce(c.moved, m.moved, 0) as moved,
    c.opening + coalesce(c.moved, m.moved, 0) as expected, c.counted,
    c.counted - c.opening - c.moved as difference, c.reason
  from value_accounts v
    left join shift_counts c on c.tenant_id = ${tenant} and c.shift_id = ${id} and c.account_id = v.id
    left join (${shiftMoves(sql, sql`tenant_id = ${tenant} and shift_id = ${id}`)}) m on m.account_id = v.id
  where v.tenant_id = ${tenant} and (c.account_id is not null or m.account_id is not null)`;

async function readPaper(sql: Sql, tenant: number, id: number): Promise<DbRow<ShiftPaper>> {
  const shift = await sql<DbRow<Omit<ShiftPaper, 'counts'>>[]>`
    select ${shiftColumns(sql)}, t.name as tenant_name
    from ${shiftTables(sql, tenant)} join tenants t on t.id = ${tenant}
    where s.tenant_id = ${tenant} and s.id = ${id}`.one(notFound('Shift'));
  const counts = await sql<DbRow<ShiftCount>[]>`
    ${countsOf(sql, tenant, id)} order by v.kind, lower(v.name), v.id limit ${ACCOUNTS_MAX}`;
  return { ...shift, counts: [...counts] };
}

/** The shifts `s` that were closed on a day, today also those that are open. */
const onDay = (sql: Sql, tenant: number, day: string): Fragment => {
  const at = (add: number) => sql`((${day}::date + ${add}::int)::timestamp at time zone
    (select time_zone from tenants where id = ${tenant}))`;
  return sql`s.tenant_id = ${tenant}
    and ((s.closed_at >= ${at(0)} and s.closed_at < ${at(1)}) or (s.closed_at is null and now() < ${at(1)}))`;
};

const readToday = (sql: Sql, tenant: number): Promise<{ today: string; is_required: boolean }> =>
  sql<{ today: string; is_required: boolean }[]>`
    select (now() at time zone time_zone)::date::text as today, coalesce(needs_shift, false) as is_required
    from tenants where id = ${tenant}`.one();

type Line = Pick<ShiftCount, 'account_id' | 'name' | 'opening'> & {
  moved: string;
  counted: string | null;
  reason: string | null;
  off: string | null;
};

/** What closing keeps of each account. 400 for what was not counted, 409 for a difference without its reason. */
async function compareCounts(sql: Sql, tenant: number, id: number, { counts }: CloseShiftForm): Promise<Line[]> {
  const lines = await sql<Line[]>`
    select k.account_id, k.name, k.opening, k.moved::text as moved, g.counted::text as counted, g.reason,
      (g.counted - k.expected)::text as off
    from (${countsOf(sql, tenant, id)}) k
      left join json_to_recordset(${JSON.stringify(counts)}::text::json)
        as g (account_id bigint, counted numeric, reason text) on g.account_id = k.account_id
    order by k.account_id`;
  if (new Set(counts.map(({ account_id }) => account_id)).size !== counts.length)
    throw new Problem(400, 'An account is counted twice');
  for (const { account_id } of counts)
    if (!lines.some((line) => line.account_id === account_id && line.opening !== null))
      throw new Problem(400, 'Count the accounts that were counted when the shift opened, and no others');
  const missing = lines.find(({ opening, counted }) => opening !== null && counted === null);
  if (missing) throw new Problem(400, `Count ${missing.name}, too`);
  const silent = lines.find(({ off, reason }) => Number(off) !== 0 && !reason);
  if (silent) throw new Problem(409, `${silent.name} is off by ${silent.off}. Give a reason`);
  return [...lines];
}

type FileRow = DbRow<Shift & ShiftCount>;
const columns: readonly CsvColumn<FileRow>[] = [
  ['Shift', ({ id }) => ({ raw: String(id) })],
  ['Cashier', ({ cashier }) => cashier],
  ['Opened', ({ opened_at }) => formatTimestamp(opened_at)],
  ['Closed', ({ closed_at }) => formatTimestamp(closed_at)],
  ['Closed by', ({ closed_by }) => closed_by],
  ['Relieved', ({ relieved }) => relieved],
  ['Account', ({ name }) => name],
  ['Holds', ({ kind }) => kind],
  ['Opening', ({ opening }) => formatUsd(opening)],
  ['Moved', ({ moved }) => formatUsd(moved)],
  ['Expected', ({ expected }) => formatUsd(expected)],
  ['Counted', ({ counted }) => formatUsd(counted)],
  ['Difference', ({ difference }) => formatUsd(difference)],
  ['Reason', ({ reason }) => reason],
];

export const shifts = {
  async getShiftDay({ sql, caller, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    const { today, is_required } = await readToday(sql, tenant);
    const day = query.day ?? today;
    const found = await sql<DbRow<Shift>[]>`
      select ${shiftColumns(sql)}, (select count(*) from shift_counts c
        where c.tenant_id = ${tenant} and c.shift_id = s.id and c.counted <> c.opening + c.moved) as differences
      from ${shiftTables(sql, tenant)} where ${onDay(sql, tenant, day)}
      order by s.closed_at desc nulls first, s.id desc limit ${LIST_MAX}`;
    const sums = await sql<DbRow<ShiftSum>[]>`
      select v.id as account_id, v.name, v.kind, count(c.opening) as shifts, sum(c.moved) as moved,
        coalesce(sum(c.counted - c.opening - c.moved), 0) as difference
      from shifts s join shift_counts c on c.tenant_id = ${tenant} and c.shift_id = s.id
        join value_accounts v on v.tenant_id = ${tenant} and v.id = c.account_id
      where ${onDay(sql, tenant, day)} and s.closed_at is not null
      group by v.tenant_id, v.id order by v.kind, lower(v.name), v.id limit ${ACCOUNTS_MAX}`;
    const [own] = await sql<{ id: number }[]>`
      select id from shifts where tenant_id = ${tenant} and admin_id = ${caller.admin_id} and closed_at is null`;
    return { day, is_required, own_id: own?.id ?? null, shifts: [...found], sums: [...sums] } satisfies DbRow<ShiftDay>;
  },

  getShift: async ({ sql, caller, params, query }) =>
    readPaper(sql, await nameTenant(sql, caller, 'query', query.tenant_id), params.id),

  async openShift({ sql, caller, body, audit }) {
    requireOneOf(caller, cashiers);
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    const ids = body.counts.map(({ account_id }) => account_id);
    const known = await sql`
      select id from value_accounts where tenant_id = ${tenant} and is_active and id = any(${ids}::bigint[])`;
    if (known.length !== ids.length) throw notFound('Account');
    const relieves_id = body.relieves_id ?? null;
    const [before] = await sql`select id from shifts where tenant_id = ${tenant} and id = ${relieves_id}`;
    if (relieves_id !== null && !before) throw notFound('Shift');
    const row = { tenant_id: tenant, admin_id: caller.admin_id, relieves_id };
    const insert = sql<{ id: number }[]>`insert into shifts ${sql(row)} returning id`;
    const { id } = await orConflict(insert.one(), 'Your shift is open already. Close it first');
    await sql`
      insert into shift_counts (tenant_id, shift_id, account_id, opening)
      select ${tenant}::bigint, ${id}::bigint, account_id, counted
      from json_to_recordset(${JSON.stringify(body.counts)}::text::json) as g (account_id bigint, counted numeric)`;
    const paper = await readPaper(sql, tenant, id);
    const counts = paper.counts.map(({ name, opening }) => `${name} ${opening}`).join(', ');
    const after = { shift: 'opened', counts, relieved: paper.relieved };
    audit.about({ kind: 'books', id: String(id), tenant_id: tenant, after });
    return paper;
  },

  /** Waits for what is being settled in the shift; what is settled later is not in it. Nothing changes it any more. */
  async closeShift({ sql, caller, params, body, audit }) {
    requireOneOf(caller, cashiers);
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    const { id } = params;
    const [shift] = await sql<{ admin_id: number; closed_at: Date | null }[]>`
      select admin_id, closed_at from shifts where tenant_id = ${tenant} and id = ${id} for update`;
    if (!shift) throw notFound('Shift');
    if (shift.admin_id !== caller.admin_id) requirePermissions(caller, ['money']);
    if (shift.closed_at) throw new Problem(409, 'This shift is closed already');
    const lines = await compareCounts(sql, tenant, id, body);
    await sql`
      insert into shift_counts as k (tenant_id, shift_id, account_id, opening, moved, counted, reason)
      select ${tenant}::bigint, ${id}::bigint, account_id, opening, moved, counted, reason
      from json_to_recordset(${JSON.stringify(lines)}::text::json)
        as g (account_id bigint, opening numeric, moved numeric, counted numeric, reason text)
      on conflict (tenant_id, shift_id, account_id) do update
        set moved = excluded.moved, counted = excluded.counted, reason = excluded.reason`;
    await sql`
      update shifts set closed_at = now(), closed_by = ${caller.admin_id} where tenant_id = ${tenant} and id = ${id}`;
    const off = lines.filter((line) => Number(line.off) !== 0);
    const differences = off.map(({ name, off, reason }) => `${name} ${off}: ${reason}`).join(', ') || null;
    const paper = await readPaper(sql, tenant, id);
    const after = { shift: 'closed', cashier: paper.cashier, differences };
    audit.about({ kind: 'books', id: String(id), tenant_id: tenant, after });
    return paper;
  },

  /** One shift, or those of a day: a line for each account of each, with the figures of its page. */
  async exportShifts({ sql, caller, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    const { today } = await readToday(sql, tenant);
    const { shift_id } = query;
    if (shift_id !== undefined) await readPaper(sql, tenant, shift_id);
    const which =
      shift_id === undefined
        ? onDay(sql, tenant, query.day ?? today)
        : sql`s.tenant_id = ${tenant} and s.id = ${shift_id}`;
    return createCsvFile(
      sql<FileRow[]>`
        select ${shiftColumns(sql)}, k.name, k.kind, k.opening, k.moved, k.expected, k.counted, k.difference, k.reason
        from ${shiftTables(sql, tenant)} cross join lateral (${countsOf(sql, tenant, sql`s.id`)}) k
        where ${which} order by s.id, k.kind, lower(k.name), k.account_id`,
      columns,
    );
  },

  async changeShiftSettings({ sql, caller, body, audit }) {
    const tenant = await nameTenant(sql, caller, 'body', body.tenant_id);
    await sql`update tenants set needs_shift = ${body.is_required} where id = ${tenant}`;
    audit.about({ kind: 'books', id: null, tenant_id: tenant, after: { shift_required: body.is_required } });
  },
} satisfies Partial<Handlers>;

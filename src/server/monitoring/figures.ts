/** What the database knows of the server's state, read by statements that stay cheap among millions of payments. */

import { LATE_MINUTES, PLATFORM_TENANT_ID } from '../../contract/constants';
import { ownMinutes } from '../core/ownMinutes';
import { lookUp } from '../db/lookUp';
import type { Database, Sql } from '../db/open';

export const pendingKinds = ['purchase', 'deposit', 'return', 'redeem'] as const;
export interface Pending {
  kind: (typeof pendingKinds)[number];
  count: number;
  usd: number;
  /** Seconds since the oldest one was made; 0 if there is none. */
  oldest: number;
  /** Those that are late, as their tenants say. */
  late: number;
}
export const checks = ['backup', 'verify', 'background'] as const;
type Check = (typeof checks)[number];

/** A figure that takes longer is missing this time. */
const MOST_MS = 3_000;
/** From so many failures in a row on, a check keeps failing. */
const FAILING = 3;
/** Of each tenant, the players that the last transfers moved money of. */
const LAST_TRANSFERS = 5;

const inTime = <T>(db: Database, work: (sql: Sql) => Promise<T>): Promise<T> =>
  db.tx(async (sql) => {
    await sql.unsafe(`set local statement_timeout = ${MOST_MS}`);
    return work(sql);
  });

/** Takes as long as there are pending rows, of which one tenant may have millions; so it is apart from the rest. */
export const readPending = (db: Database): Promise<readonly Pending[]> =>
  inTime(
    db,
    // Each part is read from the partial index on its pending rows.
    async (sql) => sql<Pending[]>`
      select k.kind, count(m.initiated_at)::int as count, coalesce(sum(m.amount), 0)::float8 as usd,
        coalesce(extract(epoch from now() - min(m.initiated_at)), 0)::float8 as oldest,
        count(*) filter (where m.initiated_at < now() - make_interval(mins => coalesce(l.late, ${LATE_MINUTES.late})))::int
          as late
      from unnest(${[...pendingKinds]}::text[]) as k (kind) left join (
        select case transaction_type when 'TOP_UP' then 'purchase' when 'RETURN' then 'return' else 'deposit' end as kind,
          tenant_id, initiated_at, amount
        from transactions where status = 'pending'
        union all
        select 'redeem', tenant_id, initiated_at, amount from redeems where status = 'pending'
      ) m on m.kind = k.kind
      left join ${ownMinutes(sql)} l on l.id = m.tenant_id and l.list = m.kind || 's'
      group by k.kind`,
  );

export const readFigures = (db: Database, countSessions: (sql: Sql) => Promise<number>) =>
  inTime(db, async (sql) => {
    const { entries } = await sql<{ entries: number }[]>`
      select coalesce(sum(position), 0)::bigint as entries from audit_lanes`.one();
    const done = await sql<{ task: Check; age: number; findings: number }[]>`
      select task, extract(epoch from now() - at)::float8 as age, findings from upkeep order by at desc`;
    // A row per tenant. All are as old as the one that was checked the longest ago.
    const books = await sql<{ age: number | null; findings: number; off_by: number }[]>`
      select extract(epoch from now() - min(c.finished_at))::float8 as age,
        coalesce(sum(c.differences), 0)::bigint as findings, coalesce(sum(c.off_by), 0)::float8 as off_by
      from book_checks c where c.finished_at is not null`.one();
    const { failing } = await sql<{ failing: number }[]>`
      select count(*)::int as failing from book_checks where failures >= ${FAILING}`.one();
    const { behind } = await sql<{ behind: number }[]>`
      select coalesce(extract(epoch from now() - min(coalesce(f.until, t.created_at))), 0)::float8 as behind
      from tenants t left join facts_until f on f.tenant_id = t.id where t.id <> ${PLATFORM_TENANT_ID}`.one();
    return {
      sessions: await countSessions(sql),
      /** All entries of the audit log. */
      entries,
      /** Seconds since the last backup; Infinity if there is none. */
      backupAge: done.find(({ task }) => task === 'backup')?.age ?? Infinity,
      /** Seconds since the whole ledger was checked, by whatever; Infinity if it never was. */
      checkAge: Math.min(done[0]?.age ?? Infinity, books.age ?? Infinity),
      /** How many differences the last of each found. */
      findings: {
        ...Object.fromEntries(done.map(({ task, findings }) => [task, findings])),
        ...(books.age !== null && { background: books.findings }),
      } as Readonly<Partial<Record<Check, number>>>,
      /** By how many USD the last checks in the background found the books of all tenants off. */
      booksOffBy: books.age === null ? NaN : books.off_by,
      /** Of how many tenants the check in the background keeps failing. */
      checksFailing: failing,
      /** Seconds since the oldest change was noted that is not in the totals of the overview yet; 0 if none waits. */
      totalsBehind: Math.max(0, behind),
    };
  });
export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** By how many USD the wallets moved last differ from their transfers: found within a minute, not by a whole check. */
export const readDrift = (db: Database): Promise<number> =>
  inTime(db, async (sql) => {
    const { drift } = await sql<{ drift: number }[]>`
      with moved as materialized (
        select tenant_id, array_agg(distinct player_id) as ids from (
          select latest.* from (select distinct tenant_id from player_counts) t cross join lateral (
            select tenant_id, player_id, created_at from transfers
            where tenant_id = t.tenant_id order by id desc limit ${LAST_TRANSFERS}
          ) latest
        ) newest
        where created_at > now() - interval '10 minutes' group by tenant_id
      ), summed as materialized (
        select t.tenant_id, t.player_id, ${['credit', 'bonus', 'vip', 'loyalty', 'held']
          .map(
            (account) => sql`
              coalesce(sum(t.amount) filter (where t.to_account = ${account}), 0)
                - coalesce(sum(t.amount) filter (where t.from_account = ${account}), 0) as ${sql(account)}`,
          )
          .reduce((all, one) => sql`${all}, ${one}`)}
        from moved m join transfers t on t.tenant_id = any (array[m.tenant_id]) and t.player_id = any (m.ids)
        group by t.tenant_id, t.player_id
      )
      select coalesce(sum(abs(w.credit_balance - credit) + abs(w.bonus_balance - bonus) + abs(w.vip_balance - vip)
        + abs(w.loyalty_balance - loyalty) + abs(w.held_balance - held)), 0)::float8 as drift
      from summed
        ${lookUp(sql, null, { table: 'wallets', as: 'w', page: 'summed', id: 'player_id', key: 'player_id' })}`.one();
    return drift;
  });

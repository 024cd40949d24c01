/**
 * A large world made in SQL, tenant by tenant. It agrees with the ledger and the totals to the cent, and is the same
 * each time but for the day.
 */
import type { Database, TransactionSql } from '../../../src/server/db/open';
import { countFacts, forgetFacts } from '../../../src/server/totals/countFacts';
import { countShifts, hasAccounts, METHODS, openAccounts, PLATFORMS, place } from './accounts';

export const TENANTS = 100;
export const FIRST_TENANT = 2;
/** Of these each player has seven purchases, two deposits and a redeem. */
export const MONEY_PER_PLAYER = 10;
const DAYS = 90;

type Progress = (done: number, of: number, what: string) => void;

/** Fills a database that has no more than a server's first start left there. */
export async function generate(db: Database, playersPerTenant: number, progress: Progress): Promise<void> {
  const work = <T>(each: (sql: TransactionSql) => Promise<T>) =>
    db.tx(async (sql) => {
      await sql.unsafe(`
        set local statement_timeout = 0;
        set local lock_timeout = 0;
        set local idle_in_transaction_session_timeout = 0;
        set local synchronous_commit = off;
        set local work_mem = '128MB';
        set local maintenance_work_mem = '512MB';
        set local max_parallel_maintenance_workers = 1`);
      return each(sql);
    });
  const { sql } = db;
  const [moment] = await sql<{ now: Date }[]>`select now()`;
  const kept = await work(setAside);
  const steps = TENANTS + kept.length + 4;
  let step = 0;
  await work(
    (tx) => tx`
    insert into tenants (id, name, time_zone)
    select id, 'Tenant ' || id, (array['UTC', 'America/New_York', 'America/Los_Angeles', 'UTC'])[1 + id % 4]
    from generate_series(${FIRST_TENANT}::int, ${FIRST_TENANT + TENANTS - 1}::int) id`,
  );
  for (let tenant = FIRST_TENANT; tenant < FIRST_TENANT + TENANTS; tenant++) {
    await work((tx) => fillTenant(tx, tenant, playersPerTenant, moment!.now));
    progress(++step, steps, `tenant ${tenant}`);
  }
  await work(
    (tx) => tx`
    select setval(pg_get_serial_sequence('tenants', 'id'), (select max(id) from tenants)),
      setval(pg_get_serial_sequence('players', 'id'), (select max(id) from players)),
      setval('money_ids', ${TENANTS * playersPerTenant * MONEY_PER_PLAYER}::bigint)`,
  );
  progress(++step, steps, 'counters');
  for (const { name, statement } of kept) {
    await work((tx) => tx.unsafe(statement));
    progress(++step, steps, name);
  }
  await work(async (tx) => {
    await tx`analyze`; // else the facts are counted by bad plans, and the server ends a statement of ten seconds
    for (let tenant = FIRST_TENANT; tenant < FIRST_TENANT + TENANTS; tenant++)
      if (hasAccounts(tenant)) await countShifts(tx, tenant, moment!.now); // by an index
    for (const [table, trigger] of triggers) await tx`alter table ${tx(table)} enable trigger ${tx(trigger)}`;
  });
  progress(++step, steps, 'shifts');
  // The server counts each minute: of a tenant that was filled later it has counted nothing.
  for (let tenant = FIRST_TENANT; tenant < FIRST_TENANT + TENANTS; tenant++)
    await work((tx) => forgetFacts(tx, tenant));
  await countFacts(db);
  progress(++step, steps, 'facts');
  await sql.reserve(async (alone) => {
    await alone`set statement_timeout = 0`;
    await alone`vacuum analyze`; // runs in no transaction
    await alone`reset statement_timeout`;
  });
  progress(++step, steps, 'statistics');
}

/**
 * The triggers that look for what no row here is: in a closed month, with another's reference or address. They would
 * look in tables without indexes.
 */
const triggers = [
  ['transactions', 'transactions_closed'],
  ['transactions', 'transactions_reference_twice'],
  ['redeems', 'redeems_closed'],
  ['redeems', 'redeems_foreign_address'],
  ['transfers', 'transfers_closed'],
  ['shift_counts', 'shift_counts_in_time'],
] as const;

/**
 * Drops foreign keys and further indexes of the large tables, and returns the statements that create them: to do so
 * once at the end is many times faster.
 */
async function setAside(sql: TransactionSql): Promise<{ name: string; statement: string }[]> {
  const large = ['players', 'wallets', 'transactions', 'redeems', 'transfers'];
  const indexes = await sql<{ name: string; statement: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as statement
    from pg_index i
    where i.indrelid::regclass::text = any (${large})
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
    order by 1`;
  const keys = await sql<{ name: string; of: string; statement: string }[]>`
    select conname as name, conrelid::regclass::text as of,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement
    from pg_constraint where contype = 'f' and conrelid::regclass::text = any (${large}) order by 1`;
  for (const { name, of } of keys) await sql`alter table ${sql(of)} drop constraint ${sql(name)}`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  for (const [table, trigger] of triggers) await sql`alter table ${sql(table)} disable trigger ${sql(trigger)}`;
  return [...indexes, ...keys.map(({ name, statement }) => ({ name, statement }))];
}

const FIRST_NAMES =
  'Maria James Olga Wei Fatima Liam Noah Emma Ava Mia Lucas Elena Ivan Yuki Chen Aisha Omar Nina Pedro Rosa ' +
  'Hugo Ines Karl Lena Marta Nils Paula Quentin Rita Sven Tara Uma Vera Walter Xenia Yara Zoe Adam Bella Carlos ' +
  'Dina Erik Flora Georg Hanna Igor Jana Kofi Lina Milan Nora Oscar Petra Rafael Sara Theo Ursula Viktor Wanda Zara';

async function fillTenant(sql: TransactionSql, tenant: number, players: number, now: Date): Promise<void> {
  const before = (tenant - FIRST_TENANT) * players;
  if (hasAccounts(tenant)) await openAccounts(sql, tenant, DAYS, now);
  await sql`
    insert into players
      (tenant_id, id, email, first_name, last_name, phone_number, referral_id, affiliate_id, created_at, updated_at)
    select ${tenant}, id, lower(first || '.' || last || '.' || id || '@mail.test'), first, last,
      '+1 555 ' || lpad((h % 10000000)::text, 7, '0'),
      case when h % 5 = 0 then 'REF' || h % 1000 end,
      case when h % 3 > 0 then 'AFF' || h % 50 end,
      created, least(${now}, created + h % 700 * interval '2 hours')
    from (
      select id, h, (string_to_array(${FIRST_NAMES}, ' '))[1 + h % 60] as first,
        (array['Ves', 'Bor', 'Kal', 'Dun', 'Mor', 'Sel', 'Tar', 'Win', 'Har', 'Lin'])[1 + h / 60 % 10]
          || (array['a', 'e', 'i', 'o', 'u'])[1 + h / 600 % 5]
          || (array['ton', 'berg', 'ley', 'field', 'man', 'wood', 'stein', 'ford', 'by', 'gard'])[1 + h / 3000 % 10]
          as last,
        ${now}::timestamptz
          - (${before + players + 1}::bigint - id) * (interval '900 days' / ${players}::int) as created
      from (
        select id, hashint8(id) & 2147483647 as h
        from generate_series(${before + 1}::bigint, ${before + players}::bigint) id) n) named`;

  // The n-th payment of the tenant in order of time. Each player has one in each tenth of the time. Over all players
  // each kind comes as often as it should.
  const payments = players * MONEY_PER_PLAYER;
  await sql`
    create temp table made on commit drop as
    select *,
      case when status <> 'pending' then least(${now}, initiated_at + h % 600 * interval '1 second') end
        as completed_at,
      case kind
        when 'TOP_UP' then 1000 + h % 49000
        when 'DEPOSIT' then 500 + h % 4500
        else 10000 + h % 10000
      end * 0.01::numeric(14,2) as amount,
      (${PLATFORMS}::text[])[1 + h / 7 % 11] as platform, (${METHODS}::text[])[1 + h / 77 % 4] as method
    from (
      select ${before * MONEY_PER_PLAYER}::bigint + n as id, ${before}::bigint + k + 1 as player_id, h, initiated_at,
        case when (j + k) % 10 < 7 then 'TOP_UP' when (j + k) % 10 < 9 then 'DEPOSIT' else 'REDEEM' end as kind,
        case
          when initiated_at > ${now}::timestamptz - interval '6 hours' and h % 3 = 0 then 'pending'
          when h % 20 = 7 then 'failed'
          else 'success'
        end as status
      from (
        select n, (n - 1) / ${players}::int as j,
          ((n - 1) % ${players}::int * 7 + (n - 1) / ${players}::int * 13) % ${players}::int as k,
          hashint8(${before * MONEY_PER_PLAYER}::bigint + n) & 2147483647 as h,
          ${now}::timestamptz
            - (${payments}::int - n) * (interval '1 day' * ${DAYS}::int / ${payments}::int)
            - ${tenant} * interval '0.37 seconds' as initiated_at
        from generate_series(1, ${payments}::int) n) placed) given order by id`;
  await sql`
    insert into transactions
      (tenant_id, id, player_id, transaction_type, status, amount, net_amount, payment_method,
      payment_metadata, platform, initiated_at, completed_at, payment_reference)
    select ${tenant}, id, player_id, kind, status, amount,
      case kind when 'TOP_UP' then round(amount * 0.97, 2) end,
      case kind when 'TOP_UP' then method end,
      case kind when 'DEPOSIT' then '{"type": "CREDIT"}'::jsonb end,
      case kind when 'DEPOSIT' then platform end,
      initiated_at, completed_at, case when h % 10 = 3 then 'R-' || h end
    from made where kind <> 'REDEEM' order by id`;
  await sql`
    insert into redeems
      (tenant_id, id, player_id, platform, amount, payout_method, payout_address,
      status, is_manual, business_day, initiated_at, completed_at)
    select ${tenant}, m.id, player_id, platform, amount, method, case when h % 10 = 3 then '$tag' || player_id end,
      status, h % 2 = 0, (initiated_at at time zone t.time_zone)::date, initiated_at, completed_at
    from made m join tenants t on t.id = ${tenant} where kind = 'REDEEM' order by m.id`;

  // Everybody brought 300 along, more than all that one deposits and redeems.
  await sql`
    insert into transfers (tenant_id, player_id, from_account, to_account, amount, money_id, created_at)
    select ${tenant}, id, 'opening', 'credit', 300, null, created_at from players where tenant_id = ${tenant}`;
  await sql`
    insert into transfers
      (tenant_id, player_id, from_account, to_account, amount, money_id, created_at, admin_id, account_id, shift_id)
    select ${tenant}, player_id, step.from_account, step.to_account, amount, id,
      case when step.is_end then completed_at else initiated_at end, ${place(sql, tenant, now)}
    from made cross join lateral (
      select 'cash_in' as from_account, 'credit' as to_account, true as is_end, true as is_moved
        where kind = 'TOP_UP' and status = 'success'
      union all select 'credit', 'held', false, false where kind <> 'TOP_UP'
      union all select 'held',
        case when status = 'failed' then 'credit' when kind = 'DEPOSIT' then 'platform' else 'cash_out' end, true,
        status = 'success'
        where kind <> 'TOP_UP' and status <> 'pending') step
    order by id`;
  await sql`
    insert into wallets
      (tenant_id, player_id, credit_balance, held_balance, individual_ggr, first_purchase_id, first_purchase_at,
        last_purchase_at)
    select ${tenant}, player_id,
      300 + coalesce(sum(amount) filter (where kind = 'TOP_UP' and status = 'success'), 0)
        - coalesce(sum(amount) filter (where kind <> 'TOP_UP' and status <> 'failed'), 0),
      coalesce(sum(amount) filter (where kind <> 'TOP_UP' and status = 'pending'), 0),
      coalesce(
        sum(case kind when 'TOP_UP' then amount when 'REDEEM' then -amount end) filter (where status = 'success'), 0),
      min(id) filter (where kind = 'TOP_UP' and status <> 'failed'),
      min(initiated_at) filter (where kind = 'TOP_UP' and status <> 'failed'),
      max(completed_at) filter (where kind = 'TOP_UP' and status = 'success')
    from made group by player_id order by player_id`;
}

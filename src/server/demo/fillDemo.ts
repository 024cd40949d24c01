import { DEMO_PASSWORD } from '../../contract/demoAccounts';
import { hashPassword } from '../auth/passwords';
import type { Secrets } from '../auth/secrets';
import type { Database, TransactionSql } from '../db/open';
import { type Book, openAccount } from './account';
import { accounts, tenants } from './cast';
import { simulatePlayer } from './history';
import { insertAdmins, insertLog, insertMoney, insertPlayers, insertRows, insertTenants } from './insert';
import { insertAccounts, placeIn } from './insertAccounts';
import { insertIntegrations } from './insertIntegrations';
import { insertLogins } from './insertLogins';
import { type Clock, createPlayers, HISTORY_DAYS, OLDEST_SIGN_UP } from './players';
import { createRandom } from './random';

const SEED = 20_220_501;

/** Fills an empty database, else refuses: 5 tenants, thousands of players, 90 days to now. Same time, same data. */
export async function fillDemo(db: Database, { secrets }: { secrets: Secrets }, at?: Date): Promise<void> {
  const passwordHashes: string[] = [];
  for (const _ of accounts) passwordHashes.push(await hashPassword(DEMO_PASSWORD));
  await db.tx(async (sql) => {
    await sql`set local statement_timeout = 0`;
    await sql`set local idle_in_transaction_session_timeout = 0`;
    await refuseUsed(sql);
    const random = createRandom(SEED);
    const now = at ?? (await sql<{ now: Date }[]>`select now()`.one()).now;
    await insertTenants(sql, now);
    const adminIds = await insertAdmins(sql, passwordHashes);
    const clocks = await readClocks(sql, now);
    const getClock = (tenantId: number) => required(clocks.get(tenantId));

    const players = tenants.flatMap((tenant) => createPlayers(tenant, getClock(tenant.id), random));
    [...players]
      .sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
      .forEach((player, n) => {
        player.id = n + 1;
      });
    const book: Book = { money: [], transfers: [] };
    // Not by sign-up, whose order depends on the time of day, and each with numbers of their own, because less happens
    // early in a day: every start has the same history.
    const wallets = players.map((player, n) => {
      const clock = getClock(player.tenant_id);
      const openedAt = Math.max(player.created_at.getTime(), clock(HISTORY_DAYS, 0));
      const account = openAccount(book, player, required(adminIds.get(player.tenant_id)), openedAt);
      simulatePlayer(player, account, clock, createRandom(SEED + n + 1));
      return account;
    });

    await insertPlayers(sql, players);
    const acme = { clock: getClock(2), adminId: required(adminIds.get(2)) };
    await insertMoney(sql, book, placeIn(acme));
    await insertAccounts(sql, acme);
    await insertLog(sql, secrets, book, adminIds);
    const rows = wallets.map(({ wallet }) => wallet());
    await insertRows(sql, 'wallets', rows);
    await insertLogins(sql, { players, secrets, random, now });
    await insertIntegrations(sql, { adminIds, random, now });
    await sql`analyze`;
  });
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a tenant of the sample data is missing');
  return value;
}

async function refuseUsed(sql: TransactionSql): Promise<void> {
  const [used] = await sql`
      select 1 from tenants where id <> 1 union all select 1 from players union all select 1 from admins limit 1`;
  if (used) throw new Error('The sample data needs a database without tenants, players and admins.');
}

/** When each business day of each tenant started in its time zone; today lasts until now. */
async function readClocks(sql: TransactionSql, now: Date): Promise<Map<number, Clock>> {
  const rows = await sql<{ tenant_id: number; starts: Date[] }[]>`
    select id as tenant_id, array_agg(
      ((${now}::timestamptz at time zone time_zone)::date - ago)::timestamp at time zone time_zone order by ago
    ) as starts
    from tenants, generate_series(0, ${OLDEST_SIGN_UP}::int) as ago group by id`;
  return new Map(
    rows.map(({ tenant_id, starts }) => {
      const edges = [now, ...starts].map((edge) => edge.getTime());
      const clock: Clock = (daysAgo, fraction) => {
        const [end, start] = [edges[daysAgo], edges[daysAgo + 1]];
        if (start === undefined || end === undefined) throw new RangeError(`${daysAgo} days ago is too long ago`);
        return start + (end - start) * fraction;
      };
      return [tenant_id, clock];
    }),
  );
}

/** What each statement of a read costs the database: its processor time, the least of many short turns. */
import { readFileSync } from 'node:fs';
import type { Caller } from '../../../src/server/auth/caller';
import { Sessions } from '../../../src/server/auth/sessions';
import type { Ctx } from '../../../src/server/core/context';
import { createSql, type Sent, type Sql, type Value } from '../../../src/server/db/sql';
import { handlers } from '../../../src/server/handlers';
import { ask } from './client';
import { FIRST_TENANT } from './generate';
import type { World } from './serverProcess';

/** Other work on the machine slows some turns, but hardly all of them. */
const TURNS = 40,
  EACH = 50;
const superAdmin: Caller = {
  admin_id: 1,
  email: '',
  permissions: [],
  must_set_up: false,
  tenant_id: null,
  role: { name: 'super_admin', is_super_admin: true },
};

/** The reads of the traffic, as their handlers send them. */
function readsOf(sql: Sql, { token, playersPerTenant }: World): Record<string, () => Promise<unknown>> {
  const tenant_id = FIRST_TENANT + 48,
    id = 48 * playersPerTenant + 17;
  const call = <N extends keyof typeof handlers>(name: N, given: Partial<Pick<Ctx<N>, 'query' | 'params'>>) => {
    const handler = handlers[name] as (ctx: object) => Promise<unknown>;
    return () => handler({ sql, caller: superAdmin, ...given });
  };
  return {
    session: () => new Sessions({ idleMinutes: 30, hours: 12 }).findCaller(sql, token, { isActivity: false }),
    users: call('listPlayers', { query: { tenant_id } }),
    search: call('listPlayers', { query: { tenant_id, search: `.${id}@` } }),
    purchases: call('listPurchases', { query: { tenant_id, transaction_type: 'TOP_UP', limit: 25 } }),
    history: call('listPlayerTransactions', { params: { id }, query: {} }),
    dashboard: call('getDashboardMetrics', { query: { tenant_id } }),
  };
}

export async function measureStatements(world: World, say: (line: string) => void): Promise<void> {
  await ask(world, { path: '/api/v1/admin/roles/' }); // the first use of a session is written
  await world.db.sql.reserve(async (sql) => {
    const { pid } = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`.one();
    /** In microseconds, as Linux counts it. */
    const used = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
    const run = ({ text, values = [] }: Sent) => sql.unsafe(text, values as Value[]);
    const statements: { name: string; sent: Sent; least: number }[] = [];
    let name = '';
    const noting = createSql((sent) => {
      statements.push({ name, sent: { text: sent.text, values: sent.values }, least: Infinity });
      return run(sent);
    });
    for (const [read, send] of Object.entries(readsOf(noting, world))) {
      name = read;
      await send();
    }
    for (let turn = 0; turn < TURNS; turn++)
      for (const statement of statements) {
        const before = used();
        for (let n = 0; n < EACH; n++) await run(statement.sent);
        statement.least = Math.min(statement.least, (used() - before) / EACH);
      }
    for (const { name: read, least } of statements) say(`${read.padEnd(12)}${least.toFixed(0).padStart(6)} µs`);
  });
}

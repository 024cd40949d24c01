/** What the same calls cost on a plain PostgreSQL and on Citus: calls a second and processor time, in turns. */
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '../../../src/server/db/open';
import { DEMO_PASSWORD } from '../../../src/server/demo/cast';
import type { Asked, Place } from '../api/client';
import { type Counted, percentile, rate } from '../api/measure';
import { signIn, startServer } from '../api/serverProcess';

/** One of each tenant who may do everything there. */
const PEOPLE = ['ann@acme.test', 'ben@bravo.test'];
const CONNECTIONS = 16,
  TURNS = 6;
/** Of both sides, which are thrown away after the run. */
const KEY = Buffer.alloc(32, 7).toString('base64');
const GOALS = { reads: 0.7, writes: 0.6 };

interface Side {
  counted: Counted;
  places: Place[];
  db: Database;
  stop(): Promise<void>;
}
type Next = (n: number) => Asked | undefined;
interface Kind {
  name: string;
  goal: number;
  prepare(side: Side): Promise<Next>;
}

/** Requests come two by two from each person, so `n >> 1` counts the turns of both. */
const personOf = (n: number) => (n >> 1) % PEOPLE.length;

/** Money rows or players of each person's tenant, read past the server. */
const idsOf = (read: (tenant: number) => PromiseLike<{ id: number }[]>): Promise<number[][]> =>
  Promise.all(PEOPLE.map(async (_, n) => (await read(n + 2)).map(({ id }) => id)));
const playersOf = (side: Side) =>
  idsOf(
    (tenant) => side.db.sql`
    select player_id as id from wallets where tenant_id = ${tenant} and closed_at is null order by 1`,
  );

const at = (ids: readonly number[][], n: number): number => {
  const own = ids[personOf(n)] ?? [];
  return own[((n >> 2) * 2 + (n % 2)) % own.length] ?? 0;
};

const read = (name: string, path: (id: number) => string): Kind => ({
  name,
  goal: GOALS.reads,
  async prepare(side) {
    const players = await playersOf(side);
    return (n) => ({ path: path(at(players, n)) });
  },
});

const kinds: readonly Kind[] = [
  read('Users', () => '/api/v1/admin/user-management/users'),
  read('search', (id) => `/api/v1/admin/user-management/users?search=.${id}@`),
  read('purchases', () => '/api/v1/admin/purchases?transaction_type=TOP_UP&limit=25'),
  read('history', (id) => `/api/v1/admin/user/${id}/transaction-history`),
  read('dashboard', () => '/api/v1/admin/dashboard-metrics'),
  {
    name: 'balance by hand',
    goal: GOALS.writes,
    async prepare(side) {
      const players = await playersOf(side);
      return (n) => ({
        method: 'POST',
        path: `/api/v1/admin/user/${at(players, n)}/update-balances`,
        body: { credit: '1.00', credit_op: 'add' },
      });
    },
  },
  {
    name: 'settlement',
    goal: GOALS.writes,
    async prepare(side) {
      const pending = await idsOf(
        (tenant) => side.db.sql`
        insert into transactions (tenant_id, player_id, transaction_type, amount, payment_method)
        select ${tenant}, player_id, 'TOP_UP', 20, 'Card' from wallets
        where tenant_id = ${tenant} and closed_at is null and first_purchase_id is not null
        limit 1500 returning id`,
      );
      const left = pending.map((ids) => [...ids]);
      return (n) => {
        const id = left[personOf(n)]?.pop();
        return id === undefined
          ? undefined
          : { method: 'POST', path: `/api/v1/admin/purchases/${id}/status`, body: { status: 'success' } };
      };
    },
  },
];

/** Starts the server on a database, and fills that with the sample data when it is empty. */
async function openSide(program: string, url: string): Promise<Side> {
  const started = await startServer(program, { DATABASE_URL: url, SECRET_KEY: KEY }, ['--demo']);
  const places: Place[] = [];
  for (const email of PEOPLE) places.push({ url: started.url, token: await signIn(started.url, DEMO_PASSWORD, email) });
  const db = await openDatabase(url, { poolSize: 2 });
  return {
    counted: { ...(places[0] as Place), pid: started.pid, postmasters: await findPostmasters(db) },
    places,
    db,
    stop: async () => {
      await db.close();
      await started.stop();
    },
  };
}

/** The first process of PostgreSQL on each node, if the nodes are on this machine; the roles are superusers. */
async function findPostmasters({ sql }: Database): Promise<number[]> {
  const statement = `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)`;
  const [citus] = await sql`select 1 from pg_extension where extname = 'citus'`;
  const found = citus
    ? await sql<{ pid: string }[]>`select result as pid from run_command_on_all_nodes(${statement})`
    : await sql<{ pid: string }[]>`select pid from (${sql.unsafe(statement)}) as file (pid)`;
  return found.map(({ pid }) => Number(pid));
}

const median = (values: readonly number[]) => percentile(values, 0.5);

/** Asks both in turns, now the one first and now the other; says the medians and their ratio. */
async function measure(kind: Kind, sides: readonly [Side, Side], seconds: number): Promise<boolean> {
  const perSecond: [number[], number[]] = [[], []],
    cost: [number[], number[]] = [[], []];
  for (let n = -1; n < TURNS; n++) {
    for (const which of n % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = sides[which];
      const measured = await rate(side.counted, await kind.prepare(side), seconds, CONNECTIONS, side.places);
      if (measured.refused) console.log(`${kind.name}: ${measured.refused} failed on ${which ? 'Citus' : 'plain'}`);
      if (n < 0) continue; // to warm up
      perSecond[which].push(measured.perSecond);
      cost[which].push(measured.node + measured.database);
    }
  }
  const [plain, citus] = perSecond.map(median) as [number, number];
  const [plainCost, citusCost] = cost.map(median) as [number, number];
  const ratio = citus / plain,
    isMet = ratio >= kind.goal;
  console.log(
    kind.name.padEnd(18) +
      `${plain.toFixed(0).padStart(8)}${citus.toFixed(0).padStart(8)}${ratio.toFixed(2).padStart(8)} ` +
      `${plainCost.toFixed(2).padStart(10)}${citusCost.toFixed(2).padStart(8)}` +
      `${(plainCost / citusCost).toFixed(2).padStart(8)}  ${isMet ? 'met' : `MISSED: ${kind.goal}`}`,
  );
  return isMet;
}

export async function main(args: string[], program: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '2' }, only: { type: 'string', default: '' } },
    allowPositionals: true,
  });
  const [plainUrl, citusUrl] = positionals;
  if (!plainUrl || !citusUrl) {
    console.error('npm run bench:spread -- PLAIN_URL CITUS_URL [--seconds N] [--only PATTERN]');
    return 1;
  }
  const only = new RegExp(values.only);
  const sides: [Side, Side] = [await openSide(program, plainUrl), await openSide(program, citusUrl)];
  try {
    console.log(
      `${''.padEnd(18)} a second: plain, Citus, ratio   ms of processor time: plain, Citus, ratio; ` +
        `${CONNECTIONS} connections`,
    );
    let missed = 0;
    for (const kind of kinds.filter(({ name }) => only.test(name)))
      if (!(await measure(kind, sides, Number(values.seconds)))) missed++;
    return missed ? 1 : 0;
  } finally {
    for (const side of sides) await side.stop();
  }
}

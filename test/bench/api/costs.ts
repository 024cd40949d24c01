/** What calls cost in processor time, and two servers beside one. */
import { percentile, type Rate, rate } from './measure';
import { startBeside, type World } from './serverProcess';
import { pendingPurchases, reads, settling, writes } from './traffic';

const CONNECTIONS = 16;
const READS = ['users', 'search', 'purchases', 'history', 'dashboard'];
const WRITES = ['settle', 'balance'];
/** Until the server's code is compiled, also on a busy machine. */
const WARM_SECONDS = 5;
type Say = (line: string) => void;

export const processorTimes = ({ node, database, client }: Rate) =>
  `processor time of one: ${node.toFixed(2)} ms server, ${database.toFixed(2)} ms database, ` +
  `${client.toFixed(2)} ms this client`;

const line = (name: string, rate: Rate) =>
  `${name.padEnd(28)} ${rate.perSecond.toFixed(0).padStart(6)} a second, 95 of 100 within ` +
  `${rate.p95.toFixed(1)} ms, ${rate.refused} failed; ${processorTimes(rate)}`;

/** Each call of the traffic by itself. */
export async function measureEach(world: World, seconds: number, say: Say): Promise<void> {
  const read = reads(world),
    write = await writes(world, 10_000);
  await rate(world, read, WARM_SECONDS, CONNECTIONS);
  for (const [at, name] of READS.entries()) {
    const next = (n: number) => read(n * READS.length + at);
    say(line(name, await rate(world, next, seconds, CONNECTIONS)));
  }
  for (const [at, name] of WRITES.entries())
    say(line(name, await rate(world, (n) => write(n * WRITES.length + at), seconds, CONNECTIONS)));
}

const SLICES = 6,
  SLICE_SECONDS = 2;

/** The same traffic through one server and through two of them on one database, in turns. */
export async function measureTwo(world: World, program: string, say: Say): Promise<void> {
  const other = await startBeside(world, program);
  const both = [world, { ...world, pid: other.pid, url: other.url }];
  try {
    for (const [name, next] of [
      ['reads', reads(world)],
      ['money writes', await writes(world, 10_000)],
    ] as const) {
      let asked = 0;
      const sums = { one: 0, two: 0 };
      await rate(world, () => next(asked++), 1, CONNECTIONS, both);
      for (let n = 0; n < SLICES; n++)
        for (const which of n % 2 ? (['one', 'two'] as const) : (['two', 'one'] as const)) {
          const servers = which === 'one' ? [world] : both;
          const { perSecond } = await rate(world, () => next(asked++), SLICE_SECONDS, CONNECTIONS, servers);
          sums[which] += perSecond / SLICES;
        }
      say(
        `${name}: ${sums.one.toFixed(0)} a second through one server, ${sums.two.toFixed(0)} through two: ` +
          `${(sums.two / sums.one).toFixed(2)} times`,
      );
    }
  } finally {
    await other.stop();
  }
}

/** A settlement in tenants with accounts, in an open shift, and in tenants without, in turns. */
export async function measureAccounts(world: World, say: Say): Promise<void> {
  const { sql } = world.db;
  await sql`
    insert into shifts (tenant_id, admin_id)
    select t.id, a.id from tenants t, admins a
    where a.email = 'bench@platform.test' and exists (select 1 from value_accounts v where v.tenant_id = t.id)
    on conflict do nothing`;
  const kinds = { without: 1, with: 0 };
  const settle = async (rest: number) => settling(await pendingPurchases(world, 20_000, rest));
  const times: Record<keyof typeof kinds, { node: number[]; database: number[] }> = {
    without: { node: [], database: [] },
    with: { node: [], database: [] },
  };
  for (const rest of [0, 1]) await rate(world, await settle(rest), WARM_SECONDS, CONNECTIONS);
  for (let n = 0; n < 2 * SLICES; n++)
    for (const which of n % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const { node, database, refused } = await rate(world, await settle(kinds[which]), SLICE_SECONDS, CONNECTIONS);
      if (refused) throw new Error(`${refused} settlements failed`);
      times[which].node.push(node);
      times[which].database.push(database);
    }
  for (const place of ['node', 'database'] as const) {
    const [ours, bare] = [percentile(times.with[place], 0.5), percentile(times.without[place], 0.5)];
    say(
      `a settlement in an account and a shift: ${ours.toFixed(2)} ms of the ${place}'s processor time, ` +
        `${bare.toFixed(2)} ms without: ${(ours / bare).toFixed(2)} times`,
    );
  }
}

/** Times of calls and bare queries, in turns. */
import type { Case } from './cases';
import { type Asked, ask } from './client';
import { processorTime } from './processorTime';
import type { World } from './serverProcess';

export interface Measured {
  name: string;
  ours: number[];
  bare: number[];
  isAside: boolean;
  most: Case['most'];
  bytes: number;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export const WARM = 3;
/** What takes this long by hand is done by hand no more than so many times; ours goes on. */
const SLOW_MS = 400,
  SLOW_TURNS = 4;

/** Each turn one of both, now the one first and now the other. */
export async function measure(
  world: World,
  { name, turn, isAside = false, most, least = 0 }: Case,
  rounds: number,
): Promise<Measured> {
  const measured: Measured = { name, ours: [], bare: [], isAside, most, bytes: 0 };
  const warm = Math.max(WARM, least);
  let isSlow = false;
  for (let n = 0; n < Math.max(rounds, least) + warm; n++) {
    const { path, bare } = turn(n);
    const isKept = n >= warm;
    const ours = async () => {
      const time = await timed(async () => {
        measured.bytes = await ask(world, { path });
      });
      if (isKept) measured.ours.push(time);
    };
    const theirs = async () => {
      if (isSlow && (!isKept || measured.bare.length >= SLOW_TURNS)) return;
      await world.db.tx(async (sql) => {
        // the driver and a pool as the server has them, with time enough
        await sql`set local statement_timeout = 0`;
        const time = await timed(() => bare(sql));
        isSlow = time > SLOW_MS;
        if (isKept) measured.bare.push(time);
      });
    };
    for (const either of n % 2 ? [theirs, ours] : [ours, theirs]) await either();
  }
  return measured;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** What `workers` connections get done in `seconds`. `next` gives the next request, undefined when there is none. */
export async function rate(world: World, next: (n: number) => Asked | undefined, seconds: number, workers = 16) {
  const times: number[] = [];
  let n = 0,
    refused = 0;
  const before = processorTime(world.pid),
    ownBefore = process.cpuUsage();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() - started < seconds * 1000) {
        const asked = next(n++);
        if (!asked) return;
        try {
          times.push(await timed(() => ask(world, asked)));
        } catch {
          refused += 1;
        }
      }
    }),
  );
  const after = processorTime(world.pid),
    own = process.cpuUsage(ownBefore);
  const each = (which: 'node' | 'database') => (before && after ? (after[which] - before[which]) / times.length : NaN);
  return {
    /** Processor time of one, in milliseconds; `client` is what asking took on the same machine. */
    node: each('node'),
    database: each('database'),
    client: (own.user + own.system) / 1000 / times.length,
    answered: times.length,
    perSecond: times.length / ((performance.now() - started) / 1000),
    p95: percentile(times, 0.95),
    refused,
  };
}
export type Rate = Awaited<ReturnType<typeof rate>>;

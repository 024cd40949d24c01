/** What calls cost in processor time, and two servers beside one. */
import { type Rate, rate } from './measure';
import { startBeside, type World } from './serverProcess';
import { reads, writes } from './traffic';

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

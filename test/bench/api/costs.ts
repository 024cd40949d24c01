/** What calls cost in processor time. */
import { type Rate, rate } from './measure';
import type { World } from './serverProcess';
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

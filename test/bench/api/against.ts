/** Two builds of the server on the same database, asked in turns: whatever else the machine does slows both. */
import { casesOf } from './cases';
import { ask } from './client';
import { percentile, rate, WARM } from './measure';
import { processorTime } from './processorTime';
import { startBeside, type World } from './serverProcess';
import { reads, writes } from './traffic';

const SLICES = 6,
  SLICE_SECONDS = 2;

interface Options {
  rounds: number;
  only: RegExp;
  say: (line: string) => void;
}

const ratio = (ours: number, theirs: number) => `${(ours / theirs).toFixed(2).padStart(8)} times`;
const p50 = (values: readonly number[]) => percentile(values, 0.5);
const figure = (value: number) => value.toFixed(2).padStart(9);

export async function compare(world: World, program: string, { rounds, only, say }: Options): Promise<void> {
  const other = await startBeside(world, program);
  const both = [world, { ...world, pid: other.pid, url: other.url }] as const; // a session is good at both
  try {
    say(`${''.padEnd(52)}  median:  ours  theirs   ratio  fastest tenth:  ours  theirs   ratio, in ms`);
    for (const { name, turn, least = 0 } of casesOf(world).filter((each) => only.test(each.name))) {
      const times: [number[], number[]] = [[], []];
      const warm = Math.max(WARM, least);
      for (let n = -warm; n < Math.max(rounds, least); n++) {
        for (const which of n % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
          const started = performance.now();
          await ask(both[which], { path: turn(n + warm).path });
          if (n >= 0) times[which].push(performance.now() - started);
        }
      }
      const line = [0.5, 0.1].map((share) => {
        const [ours, theirs] = [percentile(times[0], share), percentile(times[1], share)];
        return `${figure(ours)}${figure(theirs)}${ratio(ours, theirs)}`;
      });
      say(name.padEnd(52) + line.join('   '));
    }
    if (only.test('reads')) await compareTraffic('reads', both, async () => reads(world), say);
    if (only.test('money writes')) await compareTraffic('money writes', both, () => writes(world, 5_000), say);
  } finally {
    await other.stop();
  }
}

/** Calls a second and processor time of one call; each slice now the one first and now the other. */
async function compareTraffic(
  name: string,
  both: readonly [World, World],
  make: () => Promise<Parameters<typeof rate>[1]>,
  say: (line: string) => void,
): Promise<void> {
  const perSecond: [number[], number[]] = [[], []],
    node: [number[], number[]] = [[], []],
    database: [number[], number[]] = [[], []];
  const usedByDatabase = () => processorTime(both[0].pid)?.database ?? NaN; // it is the first server's
  for (const world of both) await rate(world, await make(), 1);
  for (let n = 0; n < SLICES; n++) {
    for (const which of n % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const before = usedByDatabase();
      const measured = await rate(both[which], await make(), SLICE_SECONDS);
      if (measured.refused) say(`${name}: ${measured.refused} failed at ${which ? 'theirs' : 'ours'}`);
      perSecond[which].push(measured.perSecond);
      node[which].push(measured.node);
      database[which].push((usedByDatabase() - before) / measured.answered);
    }
  }
  for (const [what, [ours, theirs]] of [
    ['a second, 16 connections', perSecond],
    ['ms of processor time in the server for one', node],
    ['ms of processor time in the database for one', database],
  ] as const)
    say(`${`${name}: ${what}`.padEnd(52)}${figure(p50(ours))}${figure(p50(theirs))}${ratio(p50(ours), p50(theirs))}`);
}

/** Measures the API in a large database and says which goals are missed; the exit code is 1 then. */
import { parseArgs } from 'node:util';
import { compare } from './against';
import { casesOf } from './cases';
import { ask } from './client';
import { measureEach, processorTimes } from './costs';
import { MONEY_PER_PLAYER, TENANTS } from './generate';
import { type Measured, measure, percentile } from './measure';
import { openWorld, verifyWorld, type World } from './serverProcess';
import { measureStatements } from './statements';
import { traffic } from './traffic';

const PLAYERS_PER_TENANT = 10_000;
/** Next to it a world of a thousandth, for the dashboard: 10,000 payments. */
const TINY = PLAYERS_PER_TENANT / 1000;
const MOST_MS = 150;
const MOST_TIMES = 2;
/** What is the same but for the noise of a busy machine. */
const SAME = 1.5;

const say = (line: string) => process.stdout.write(`${line}\n`);
const ms = (value: number) => value.toFixed(1).padStart(8);
function bar(done: number, of: number, what: string): void {
  const filled = Math.round((done / of) * 40),
    line = `[${'#'.repeat(filled)}${'.'.repeat(40 - filled)}] ${done}/${of} ${what}`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line.padEnd(100)}${done === of ? '\n' : ''}`);
  else if (done % 10 === 0 || done > TENANTS) say(line);
}

const p95 = (values: readonly number[]) => percentile(values, 0.95);
const p50 = (values: readonly number[]) => percentile(values, 0.5);

/** A line of the table, and whether it misses a goal. */
function formatLine({ name, ours, bare, isAside, most, bytes }: Measured): { line: string; isMissed: boolean } {
  const times = p95(ours) / p95(bare);
  const missed = most
    ? [
        ...(p50(ours) > most.p50 ? [`over ${most.p50} ms at 50`] : []),
        ...(p95(ours) > most.p95 ? [`over ${most.p95} ms at 95`] : []),
      ]
    : [
        ...(times > MOST_TIMES ? [`over ${MOST_TIMES} times`] : []),
        ...(p95(ours) > MOST_MS ? [`over ${MOST_MS} ms`] : []),
      ];
  const verdict = isAside ? '(no goal)' : missed.length ? `MISSED: ${missed.join(', ')}` : 'met';
  const columns = [p50(ours), p95(ours), p50(bare), p95(bare)].map((value) => ms(value)).join('');
  const size = `${(bytes / 1000).toFixed(0).padStart(5)} kB`;
  return {
    line: `${name.padEnd(52)}${columns}${times.toFixed(2).padStart(7)} ${size}  ${verdict}`,
    isMissed: !isAside && missed.length > 0,
  };
}

async function measureCases(world: World, rounds: number, only: RegExp): Promise<number> {
  let missed = 0;
  say(`${''.padEnd(52)}  our 50   our 95 bare 50  bare 95  times`);
  for (const each of casesOf(world).filter(({ name }) => only.test(name))) {
    try {
      const { line, isMissed } = formatLine(await measure(world, each, rounds));
      if (isMissed) missed += 1;
      say(line);
    } catch (error) {
      if (!each.isAside) missed += 1;
      const reason = error instanceof Error ? error.message : String(error);
      say(`${each.name.padEnd(52)} ${reason}  ${each.isAside ? '(no goal)' : 'MISSED'}`);
    }
  }
  return missed;
}

/** The dashboard with 10,000 payments and with all, in turns. */
async function measureSizes(large: World, small: World, rounds: number): Promise<number> {
  let missed = 0;
  for (const tenant of ['?tenant_id=50', '']) {
    const path = `/api/v1/admin/dashboard-metrics${tenant}`;
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let n = -3; n < rounds; n++) {
      for (const which of n % 2 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
        const started = performance.now();
        await ask(which === 'small' ? small : large, { path });
        if (n >= 0) times[which].push(performance.now() - started);
      }
    }
    const ratio = p50(times.large) / p50(times.small);
    if (ratio > SAME) missed += 1;
    const figures = (list: number[], world: World) =>
      `${p50(list).toFixed(1)} ms (95: ${p95(list).toFixed(1)}) with ${payments(world)}`;
    say(
      `dashboard, ${tenant ? 'a tenant' : 'all'}: ${figures(times.small, small)} payments, ` +
        `${figures(times.large, large)}: ${ratio.toFixed(2)} times  ${ratio > SAME ? `MISSED: over ${SAME}` : 'met'}`,
    );
  }
  return missed;
}
const payments = ({ playersPerTenant }: World) =>
  (playersPerTenant * TENANTS * MONEY_PER_PLAYER).toLocaleString('en-US');

async function measureTraffic(world: World, seconds: number): Promise<number> {
  let missed = 0;
  for (const { name, rate, least } of await traffic(world, seconds)) {
    const isMissed = rate.perSecond < least || rate.refused > 0;
    if (isMissed) missed += 1;
    const { perSecond, refused } = rate;
    say(
      `${name}: ${perSecond.toFixed(0)} a second, 95 of 100 within ${rate.p95.toFixed(1)} ms, ${refused} failed; ` +
        `${processorTimes(rate)}  ` +
        (isMissed ? `MISSED: ${least} a second` : 'met'),
    );
  }
  return missed;
}

export async function main(args: string[], program: string): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'boolean', default: false },
      verify: { type: 'boolean', default: false },
      each: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      part: text,
      data: { ...text, default: '.bench' },
      rounds: { ...text, default: '40' },
      only: { ...text, default: '' },
      against: text,
    },
  });
  const part = Number(values.part ?? (values.small ? 100 : 1)),
    rounds = Number(values.rounds);
  if (![1, 10, 100, 1000].includes(part) || !(Number.isInteger(rounds) && rounds > 0)) {
    say('--part must be 1, 10, 100 or 1000, and --rounds a whole number above 0');
    return 1;
  }
  const playersPerTenant = PLAYERS_PER_TENANT / part;
  const folder = `${values.data}/${playersPerTenant * TENANTS}`,
    isAlone = values.against === undefined;
  const world = await openWorld(program, folder, playersPerTenant, say, bar, { isAlone });
  const tiny = await openWorld(program, `${values.data}/${TINY * TENANTS}`, TINY, say, bar).catch(
    async (error: unknown) => {
      await world.stop();
      throw error;
    },
  );
  try {
    const players = (playersPerTenant * TENANTS).toLocaleString('en-US');
    say(`${players} players, ${payments(world)} payments, ${TENANTS} tenants; times in ms, ${rounds} rounds`);
    const { sentences: differences, seconds } = values.verify
      ? await verifyWorld(world)
      : { sentences: [], seconds: '' };
    if (values.verify) say(`${differences.join('\n') || 'Everything agrees.'} (${seconds})`);
    const only = new RegExp(values.only);
    if (values.each) {
      await measureEach(world, 8, say);
      await measureTraffic(world, 8);
      return 0;
    }
    if (values.statements) {
      await measureStatements(world, say);
      return 0;
    }
    if (values.against !== undefined) {
      await compare(world, values.against, { rounds, only, say });
      return 0;
    }
    const missed =
      differences.length +
      (await measureCases(world, rounds, only)) +
      (only.test('dashboard by size') ? await measureSizes(world, tiny, rounds) : 0) +
      (only.test('traffic') ? await measureTraffic(world, 8) : 0);
    say(missed ? `${missed} missed` : 'all goals met');
    return missed ? 1 : 0;
  } finally {
    await world.stop();
    await tiny.stop();
  }
}

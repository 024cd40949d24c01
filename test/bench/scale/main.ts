/** Prints the inputs, what the model says, how far a simulation agrees, and by how much it misses what was measured. */
import { parseArgs } from 'node:util';
import { type MixName, mixes, type Shape, sharesOf } from './calls';
import { type Carried, carried, percentile95 } from './carried';
import { describeInputs, type Inputs, inputNames, readInputs, standard, WrongOption } from './inputs';
import { calculate, install } from './network';
import { simulate } from './simulate';
import { allButRegions, nextSteps, stages } from './steps';
import { zipf } from './tenants';
import { compareCitus, compareLoads, compareTwo, missedBy } from './validation';

const say = (line = '') => process.stdout.write(`${line}\n`);
const SERVERS = [10, 100, 1_000];
const WORKERS = [16, 64, 256];

const help = () => `npm run bench:scale [-- options]
  --inputs FILE  a JSON object of inputs, such as {"settle-db": 1.6}
  --mix NAME     ${Object.keys(mixes).join(', ')} [day]
  --quick        only the main table
Any input, with its standard value:
${describeInputs(standard).join('\n')}`;

/** Rounded to what the model can say: two digits. */
function round(value: number): string {
  if (value < 10) return value.toFixed(1);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return (Math.round(value / unit) * unit).toLocaleString('en-US');
}
const percent = (part: number) => `${Math.round(part * 100)} %`;
const row = (name: string, { perSecond, bends, p95, allTenants }: Carried) =>
  `${name.padEnd(52)} ${round(perSecond).padStart(9)} ${round(p95).padStart(6)} ms ` +
  `${(allTenants === undefined ? '' : `${round(allTenants)} ms`).padStart(10)}   ${bends}`;
const head = (name: string) =>
  `${name.padEnd(52)}  a second    95 of    list of   what bends first\n${''.padEnd(52)}   carried      100   all ten.`;

function printMain(inputs: Inputs, mix: MixName): void {
  say(head('One PostgreSQL, no Citus'));
  const plain = { servers: 100, workers: 0 };
  say(row('  10 servers', carried(inputs, { ...plain, servers: 10 }, mixes[mix])));
  say(row('  100 servers', carried(inputs, plain, mixes[mix])));
  say(row('  the same, with totals kept for all tenants', carried(inputs, { ...plain, keptTotals: true }, mixes[mix])));
  for (const { name, change } of stages(inputs.regions)) {
    say();
    say(`Citus. ${name}: calls a second, and what bends first`);
    say(`${''.padEnd(14)}${WORKERS.map((workers) => `${workers} workers`.padEnd(46)).join('')}`);
    for (const servers of SERVERS) {
      const cells = WORKERS.map((workers) => {
        const { perSecond, bends } = carried(inputs, { servers, workers, ...change }, mixes[mix]);
        return `${round(perSecond)} ${bends}`.padEnd(46);
      });
      say(`${`${servers} servers`.padEnd(14)}${cells.join('')}`);
    }
  }
  say(
    `A server opens up to ${inputs.pool} connections, 1,000 servers ${round(1_000 * inputs.pool)}: ` +
      'for one coordinator more than PostgreSQL takes without a pooler. This is not modelled.',
  );
}

function printSteps(inputs: Inputs, mix: MixName): void {
  for (const [servers, workers] of [
    [100, 64],
    [1_000, 256],
  ] as const) {
    const start: Shape = { servers, workers };
    say();
    say(head(`${servers} servers, ${workers} workers: each step alone`));
    for (const { name, change } of nextSteps(inputs.regions))
      say(row(`  ${name}`, carried(inputs, { ...start, ...change }, mixes[mix])));
    say(`The steps one after the other`);
    let shape = start;
    say(row('  one coordinator', carried(inputs, shape, mixes[mix])));
    for (const { name, change } of nextSteps(inputs.regions)) {
      shape = { ...shape, ...change };
      say(row(`  + ${name}`, carried(inputs, shape, mixes[mix])));
    }
  }
}

function printExponents(inputs: Inputs, mix: MixName): void {
  say();
  say(head('1,000 servers, 256 workers, every step but regions, by Zipf'));
  for (const exponent of [0.6, 0.8, 1, 1.2]) {
    const own = { ...inputs, exponent };
    const largest = zipf(inputs.tenants, exponent)[0]!;
    const shape = { servers: 1_000, workers: 256, ...allButRegions(inputs.regions) };
    say(
      row(`  exponent ${exponent}: the largest has ${(largest * 100).toFixed(2)} %`, carried(own, shape, mixes[mix])),
    );
  }
}

/** The calculated figures beside a simulation of the same machines at the same rate. */
function printAgreement(inputs: Inputs, mix: MixName): void {
  say();
  say('The calculation beside a simulation event by event, at the rate that is carried');
  say(`${''.padEnd(44)} a second   95 of 100: calculated  simulated   off   busiest worker`);
  const shapes: [string, Shape][] = [
    ['one PostgreSQL, 100 servers', { servers: 100, workers: 0 }],
    ['one coordinator, 100 servers, 64 workers', { servers: 100, workers: 64 }],
    ['every step but regions, 100 and 64', { servers: 100, workers: 64, ...allButRegions(inputs.regions) }],
  ];
  for (const [name, shape] of shapes) {
    const installation = install(inputs, shape, mixes[mix])[0]!;
    const { perSecond } = carried(inputs, shape, mixes[mix]);
    const figures = calculate(installation, perSecond);
    const simulated = simulate({ installation, seed: inputs.seed, calls: 60_000, arrivals: { perSecond } });
    const ours = percentile95(figures);
    const busy = Math.max(...figures.stations.filter((each) => /worker/.test(each.name)).map((each) => each.busy), 0);
    say(
      `${name.padEnd(44)} ${round(perSecond).padStart(8)} ${ours.toFixed(1).padStart(19)} ms ` +
        `${simulated.p95.toFixed(1).padStart(7)} ms ${percent(ours / simulated.p95 - 1).padStart(6)}   ` +
        (shape.workers ? `${percent(busy)} and ${percent(simulated.busy['workers'] ?? 0)}` : ''),
    );
  }
}

function printValidation(inputs: Inputs): void {
  say();
  say('What was measured on two cores, and by how much the model misses it');
  say(`${''.padEnd(44)} measured  modelled  missed by`);
  for (const point of [
    ...compareLoads(inputs, 40_000),
    ...compareTwo(inputs, 20_000),
    ...compareCitus(inputs, 10_000),
  ]) {
    const { name, measured, modelled, source } = point;
    const figure = (value: number) =>
      (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US')).padStart(9);
    say(
      `${name.padEnd(44)}${figure(measured)} ${figure(modelled)} ${percent(missedBy(point)).padStart(9)}   ${source}`,
    );
  }
}

export function main(args: string[]): number {
  try {
    return run(args);
  } catch (error) {
    const isTheirs = error instanceof WrongOption || (error instanceof TypeError && 'code' in error);
    if (!isTheirs) throw error;
    say(error.message);
    return 1;
  }
}

function run(args: string[]): number {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean' },
      quick: { type: 'boolean' },
      inputs: text,
      mix: { ...text, default: 'day' },
      ...Object.fromEntries(inputNames.map((name) => [name, text])),
    },
  });
  if (values['help']) {
    say(help());
    return 0;
  }
  const { help: _, quick, inputs: file, mix, ...given } = values as Record<string, unknown>;
  if (typeof mix !== 'string' || !Object.hasOwn(mixes, mix))
    throw new WrongOption(`--mix must be one of ${Object.keys(mixes).join(', ')}`);
  const name = mix as MixName,
    inputs = readInputs(file as string | undefined, given);
  say('Inputs');
  for (const line of describeInputs(inputs)) say(line);
  say(
    `  --mix ${name}: ` +
      sharesOf(mixes[name])
        .map(([call, share]) => `${call} ${(share * 100).toFixed(share < 0.01 ? 2 : 0)} %`)
        .join(', '),
  );
  const shares = zipf(inputs.tenants, inputs.exponent);
  say(
    `  The largest tenant makes ${(shares[0]! * 100).toFixed(1)} % of all calls, ` +
      `the smallest ${(shares.at(-1)! * 100).toFixed(5)} %.`,
  );
  say();
  printMain(inputs, name);
  if (quick) return 0;
  printSteps(inputs, name);
  printExponents(inputs, name);
  printAgreement(inputs, name);
  printValidation(inputs);
  return 0;
}

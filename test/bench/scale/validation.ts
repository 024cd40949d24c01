/** What was measured on two cores, and by how much the model misses it. */
import { type Mix, mixes, type Shape } from './calls';
import type { Inputs } from './inputs';
import { install } from './network';
import { type Simulated, simulate } from './simulate';

const CALLERS = 16;
const CORES = 2;

export interface Point {
  name: string;
  unit: string;
  measured: number;
  modelled: number;
  source: string;
}
export const missedBy = ({ measured, modelled }: Point): number => modelled / measured - 1;

/** Processes of one machine: nothing in front of the server, no network between. */
const oneMachine = (inputs: Inputs): Inputs => ({ ...inputs, hop: 0, 'balancer-call': 0, tenants: 100, exponent: 0 });

function onOneMachine(inputs: Inputs, shape: Shape, mix: Mix, calls: number): Simulated {
  const installation = install(oneMachine(inputs), shape, mix)[0]!;
  return simulate({
    installation,
    seed: inputs.seed,
    calls,
    arrivals: {
      callers: CALLERS,
      clientMs: { read: inputs['client-read'], write: inputs['client-write'] },
    },
    sharedCores: CORES,
  });
}

/** A load of `npm run bench:api`: its processor times go in, its rate and 95th percentile come out. */
interface MeasuredLoad {
  name: string;
  mix: Mix;
  servers: number;
  server: number;
  database: number;
  client?: number;
  perSecond: number;
  p95: number;
  source: string;
}

const { reads, writes } = mixes;
const calls = Object.keys(mixes.bench) as (keyof typeof mixes.bench)[];
const quiet = 'docs/performance.md, quiet machine';
export const loads: MeasuredLoad[] = [
  { name: 'reads', mix: reads, servers: 1, server: 0.48, database: 0.56, perSecond: 1474, p95: 19, source: quiet },
  {
    name: 'money writes',
    mix: writes,
    servers: 1,
    server: 0.83,
    database: 1.1,
    perSecond: 809,
    p95: 32,
    source: quiet,
  },
];

export function compareLoads(inputs: Inputs, count: number): Point[] {
  return loads.flatMap(({ name, mix, servers, server, database, client, perSecond, p95, source }) => {
    const own = { ...inputs };
    for (const call of calls) {
      own[`${call}-server`] = server;
      own[`${call}-db`] = database;
    }
    if (client !== undefined) own['client-read'] = own['client-write'] = client;
    const modelled = onOneMachine(own, { servers, workers: 0 }, mix, count);
    return [
      { name: `${name}, a second`, unit: '', measured: perSecond, modelled: modelled.perSecond, source },
      { name: `${name}, 95 of 100`, unit: 'ms', measured: p95, modelled: modelled.p95, source },
    ];
  });
}

/** Two servers on one database, each with half of the connections that it takes, to one of them. */
export function compareTwo(inputs: Inputs, count: number): Point[] {
  const own = { ...inputs, pool: 5 };
  const on = (servers: number, mix: Mix) => onOneMachine(own, { servers, workers: 0 }, mix, count).perSecond;
  return twoServers.map(({ name, mix, measured }) => ({
    name: `${name}, two servers to one`,
    unit: '',
    measured,
    modelled: on(2, mix) / on(1, mix),
    source: 'npm run bench:api -- --small --two, mean of two runs, busy machine',
  }));
}
export const twoServers: { name: string; mix: Mix; measured: number }[] = [
  { name: 'reads', mix: reads, measured: 0.93 },
  { name: 'money writes', mix: writes, measured: 1.03 },
];

interface CitusRatio {
  name: string;
  mix: Mix;
  singleShard?: true;
  /** The most a second on Citus and on plain PostgreSQL, of several runs each. */
  citus: number;
  plain: number;
}
export const citusRatios: CitusRatio[] = [
  { name: 'settlement', mix: { settle: 1 }, citus: 91, plain: 584 },
  { name: 'balance edit', mix: { balance: 1 }, citus: 126, plain: 557 },
  { name: 'both in turns', mix: writes, citus: 96, plain: 372 },
  { name: 'settlement, single-shard', mix: { settle: 1 }, singleShard: true, citus: 209, plain: 584 },
  {
    name: 'balance edit, single-shard',
    mix: { balance: 1 },
    singleShard: true,
    citus: 182,
    plain: 557,
  },
  { name: 'both, single-shard', mix: writes, singleShard: true, citus: 171, plain: 372 },
  { name: 'Users', mix: { users: 1 }, citus: 237, plain: 458 },
  { name: 'purchases', mix: { purchases: 1 }, citus: 249, plain: 384 },
  { name: 'search', mix: { search: 1 }, citus: 333, plain: 670 },
  { name: 'dashboard', mix: { dashboard: 1 }, citus: 241, plain: 764 },
];

/** A coordinator and two workers on the same two cores: the calls a second as a part of those of one PostgreSQL. */
export function compareCitus(inputs: Inputs, count: number): Point[] {
  return citusRatios.map(({ name, mix, singleShard = false, citus, plain }) => {
    const on = (workers: number) => onOneMachine(inputs, { servers: 1, workers, singleShard }, mix, count).perSecond;
    return {
      name: `${name}, Citus to plain`,
      unit: '',
      measured: citus / plain,
      modelled: on(2) / on(0),
      source: 'docs/scaling.md; two inputs are fitted to these ten',
    };
  });
}

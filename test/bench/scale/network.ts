/** The machines as a network of queues, calculated: how busy each station is, and how long the calls take. */
import {
  type CallName,
  type Counted,
  isWrite,
  type Lock,
  type Mix,
  type Place,
  type Shape,
  type Step,
  sectionsOf,
  sharesOf,
  stepsOf,
} from './calls';
import type { Inputs } from './inputs';
import { addLoad, groupCommit, idle, type Load, none, plus, shareOver, type Time, waitAt } from './queues';
import { placeInRegions, placeTenants, sumByPlace, zipf } from './tenants';

/** One installation: its machines, and its part of all calls. */
export interface Installation {
  inputs: Inputs;
  shape: Shape;
  calls: { name: CallName; share: number; steps: Step[]; sections: ReturnType<typeof sectionsOf> }[];
  /** The shares of its tenants of all calls everywhere, the largest first, and the worker of each. */
  tenants: Float64Array;
  workerOf: Int32Array;
  /** The share of its own calls that each worker has, and its cores. */
  workerShares: Float64Array;
  workerCores: number[];
  share: number;
}

/** The installations of a shape: one, or one in each region. */
export function install(inputs: Inputs, shape: Shape, mix: Mix): Installation[] {
  const all = zipf(inputs.tenants, inputs.exponent),
    regions = shape.regions ?? 1,
    regionOf = placeInRegions(all, regions);
  return Array.from({ length: regions }, (_, region) => {
    const own: Shape = {
      ...shape,
      servers: Math.max(1, Math.floor(shape.servers / regions)),
      workers: shape.workers && Math.max(1, Math.floor(shape.workers / regions)),
    };
    return installOne(inputs, own, mix, regions === 1 ? all : all.filter((_, tenant) => regionOf[tenant] === region));
  });
}

function installOne(inputs: Inputs, shape: Shape, mix: Mix, tenants: Float64Array): Installation {
  const workers = Math.max(1, shape.workers);
  const { worker, own } = placeTenants(tenants, {
    workers,
    shards: inputs.shards,
    seed: inputs.seed,
    ownWorkers: shape.ownWorkers ?? false,
  });
  const share = tenants.reduce((sum, each) => sum + each, 0);
  return {
    inputs,
    shape,
    calls: sharesOf(mix).map(([name, part]) => {
      const steps = stepsOf(name, inputs, shape);
      return { name, share: part, steps, sections: sectionsOf(steps) };
    }),
    tenants,
    workerOf: worker,
    workerShares: sumByPlace(tenants, worker, workers).map((sum) => sum / share),
    workerCores: Array.from({ length: workers }, (_, n) =>
      shape.bigWorkers && n < own ? inputs['big-worker-cores'] : inputs['worker-cores'],
    ),
    share,
  };
}

export interface Station {
  name: string;
  /** The part of its time that it is busy. */
  busy: number;
  /** Most of it is for lists of all tenants. */
  isForLists?: boolean;
}
export interface Figures {
  stations: Station[];
  /** The share of calls that take longer. */
  shareOver(ms: number): number;
  /** A list of all tenants, to the last of its tasks; undefined without such calls. */
  allTenants: number | undefined;
}

/** An installation with so many calls a second of its own. */
export function calculate(installation: Installation, perSecond: number): Figures {
  const { inputs, shape, calls, tenants, workerShares, workerCores, share: all } = installation;
  const rate = perSecond / 1000,
    workers = shape.workers ? workerShares.length : 0,
    planner: Place = shape.anyNode && workers ? 'worker' : 'coordinator';
  const load = loadOf(installation, rate, planner);
  const writeRate = rate * calls.reduce((sum, { name, share }) => sum + (isWrite(name) ? share : 0), 0);

  const waits = {
    balancer: waitAt(load.balancer, inputs['balancer-cores']),
    server: waitAt(load.server, inputs['server-cores']),
    coordinator: waitAt(load.coordinator, inputs['coordinator-cores']),
  };
  const workerWaits = load.worker.map((each, n) => waitAt(each, workerCores[n]!)),
    anyWorker = workerWaits.reduce((sum, each) => plus(sum, each), none),
    averageWait = { mean: anyWorker.mean / load.worker.length, variance: anyWorker.variance / load.worker.length },
    workerFlushes = Array.from(workerShares, (share) => groupCommit(writeRate * share, inputs.flush)),
    flush = groupCommit(writeRate, inputs.flush);
  const lockWaits: Partial<Record<Lock, Time>> = {};

  const waitFor = (place: Place, worker: number): Time =>
    place === 'planner'
      ? planner === 'worker'
        ? averageWait
        : waits.coordinator
      : place === 'worker'
        ? (workerWaits[worker] ?? none)
        : place === 'client'
          ? none
          : waits[place];
  const timeOf = (step: Step, worker: number): Time => {
    if (step.do === 'travel') return { mean: step.ms, variance: 0 };
    if (step.do === 'work') return workTime(waitFor(step.at, worker), step.ms, inputs);
    if (step.do === 'flush') return step.at === 'worker' ? (workerFlushes[worker] ?? none) : flush;
    if (step.do === 'take') return lockWaits[step.lock] ?? none;
    if (step.do === 'give') return none;
    return fans.get(step) ?? none;
  };

  const fans = new Map<Step, Time>();
  for (const [step] of calls.flatMap(({ sections }) => sections.all))
    if (step.do === 'fan') fans.set(step, slowestTask(step, workerWaits, workerCores, inputs));

  const sumOf = (steps: Counted, worker: number): Time => {
    const sum = { ...none };
    for (const [step, times] of steps) {
      const time = timeOf(step, worker);
      sum.mean += times * time.mean;
      sum.variance += times * time.variance;
    }
    return sum;
  };
  /** How long a lock is held, over the calls and workers; then what waits for it. Inner locks come first. */
  const hold = (lock: 'pool' | 'wallet' | 'lane', workersWith: readonly number[]): Load => {
    const held = idle();
    let lists = 0;
    for (const { name, share, sections } of calls) {
      if (sections[lock].length === 0) continue;
      for (const worker of workersWith) {
        const part = workersWith.length === 1 ? 1 : workerShares[worker]!;
        const time = sumOf(sections[lock], worker);
        if (name === 'allTenants') lists += rate * share * part * time.mean;
        else addLoad(held, rate * share * part, time.mean, time.variance / time.mean ** 2);
      }
    }
    // Lists of all tenants are few and long: they take places away, and hardly anybody waits just behind one.
    return scaled(held, 1 + lists / held.work);
  };
  const everyWorker = Array.from(workerShares.keys()),
    largest = installation.workerOf[0]!,
    // Lanes of each tenant: those of the largest bend first.
    lane = shape.auditByTenant
      ? scaled(hold('lane', [largest]), tenants[0]! / all / inputs.lanes)
      : scaled(hold('lane', everyWorker), 1 / inputs.lanes);
  lockWaits.lane = waitAt(lane, 1);
  const wallet = scaled(hold('wallet', [largest]), (tenants[0]! / all) * inputs['busiest-player']);
  const pool = scaled(hold('pool', everyWorker), 1 / shape.servers);
  lockWaits.pool = waitAt(pool, inputs.pool);

  const times = calls.flatMap(({ share, sections }) =>
    everyWorker.map((worker) => ({ part: share * workerShares[worker]!, time: sumOf(sections.all, worker) })),
  );
  const list = calls.find(({ name }) => name === 'allTenants');
  const busyWorkers = load.worker.map(({ work }, n) => work / workerCores[n]!),
    others = everyWorker.filter((n) => n !== largest),
    other = others.reduce((most, n) => (busyWorkers[n]! > busyWorkers[most]! ? n : most), others[0] ?? largest),
    isForLists = (n: number) => load.workerLists > load.worker[n]!.work / 2;
  const workerStations = [
    { name: 'worker of the largest tenant', busy: busyWorkers[largest]!, isForLists: isForLists(largest) },
    { name: 'another worker', busy: busyWorkers[other]!, isForLists: isForLists(other) },
  ];
  return {
    stations: [
      { name: 'load balancer', busy: load.balancer.work / inputs['balancer-cores'] },
      { name: 'servers', busy: load.server.work / inputs['server-cores'] },
      { name: 'connections of a server', busy: pool.work / inputs.pool },
      {
        name: workers ? 'coordinator' : 'database',
        busy: load.coordinator.work / inputs['coordinator-cores'],
        isForLists: load.coordinatorLists > load.coordinator.work / 2,
      },
      ...(workers ? workerStations : []),
      { name: shape.auditByTenant ? 'audit lanes of the largest tenant' : 'audit lanes', busy: lane.work },
      { name: 'wallet of the busiest player', busy: wallet.work },
    ],
    shareOver: (ms) => times.reduce((sum, { part, time }) => sum + part * shareOver(time, ms), 0),
    allTenants: list && sumOf(list.sections.all, 0).mean,
  };
}

const scaled = ({ rate, work, squares }: Load, by: number): Load => ({
  rate: rate * by,
  work: work * by,
  squares: squares * by,
});

/** The work that arrives at each station. */
function loadOf({ inputs, shape, calls, workerShares }: Installation, rate: number, planner: Place) {
  const load = { balancer: idle(), server: idle(), coordinator: idle() },
    worker = Array.from(workerShares, idle);
  const add = (to: Load, often: number, ms: number) => {
    const slices = slicesOf(ms, inputs);
    addLoad(to, often * slices, ms / slices, inputs.variation);
  };
  let workerLists = 0,
    coordinatorLists = 0;
  for (const { name, share, sections } of calls)
    for (const [step, times] of sections.all) {
      const often = rate * share * times;
      if (step.do === 'fan') {
        workerLists += often * step.tasks * step.ms;
        for (const each of worker) add(each, often * step.tasks, step.ms);
      }
      if (step.do !== 'work' || step.at === 'client') continue;
      const at = step.at === 'planner' ? planner : step.at;
      if (name === 'allTenants' && at === 'coordinator') coordinatorLists += often * step.ms;
      if (at === 'balancer' || at === 'coordinator') add(load[at], often, step.ms);
      else if (at === 'server') add(load.server, often / shape.servers, step.ms);
      else
        for (const [n, each] of worker.entries())
          add(each, often * (step.at === 'planner' ? 1 / worker.length : workerShares[n]!), step.ms);
    }
  return { ...load, worker, workerLists, coordinatorLists };
}

/** Long work waits again before each slice of the processor's time. */
const slicesOf = (ms: number, { slice }: Inputs): number => Math.max(1, ms / slice);

function workTime(wait: Time, ms: number, inputs: Inputs): Time {
  const slices = slicesOf(ms, inputs);
  return { mean: wait.mean * slices + ms, variance: wait.variance * slices + ms ** 2 * inputs.variation };
}

/** The last of the tasks on all workers: they start together, so many at once as there are cores. */
function slowestTask(
  { tasks, ms }: { tasks: number; ms: number },
  waits: readonly Time[],
  cores: readonly number[],
  inputs: Inputs,
): Time {
  let mean = 0;
  for (const [n, wait] of waits.entries())
    mean = Math.max(mean, wait.mean * slicesOf(ms, inputs) + ms * Math.max(1, tasks / cores[n]!));
  // The largest of so many uneven times.
  const more = ms * Math.sqrt(inputs.variation) * Math.log(tasks * waits.length);
  return { mean: mean + more, variance: ms ** 2 * inputs.variation };
}

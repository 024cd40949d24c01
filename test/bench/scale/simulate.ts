/** The machines event by event: each call waits in real queues. Slower than calculating, with fewer assumptions. */
import { isWrite, type Lock, type Place, type Step } from './calls';
import { Events, Line } from './events';
import type { Installation } from './network';
import { createRandom, exponential, lognormal } from './random';

interface Options {
  installation: Installation;
  seed: number;
  /** How many calls are counted, after a tenth as many that are not. */
  calls: number;
  /** Open: so many calls a second, whatever is still running. Closed: so many callers, each with one call at a time. */
  arrivals: { perSecond: number } | { callers: number; clientMs: { read: number; write: number } };
  /** Everything runs on one machine with so many cores, as on a developer's. */
  sharedCores?: number;
}
export interface Simulated {
  perSecond: number;
  mean: number;
  p95: number;
  /** The part of its time that the busiest of each kind of station was busy. */
  busy: Record<string, number>;
}

interface Call {
  steps: readonly Step[];
  at: number;
  started: number;
  worker: number;
  server: number;
  planner: number;
  lane: number;
  isBusiest: boolean;
  /** Of the work it is at. */
  leftMs: number;
  /** Tasks of a list that are still running. */
  tasks: number;
  isTaskOf?: Call;
}
/** Places for work or of a lock, and who waits for one; `ms` is how long the work of a waiting call takes. */
interface Queue {
  free: number;
  places: number;
  line: Line<{ call: Call; ms: number }>;
  busyMs: number;
}
interface Flushes {
  isRunning: boolean;
  waiting: Call[];
}
type Event =
  | { kind: 'arrive' }
  | { kind: 'go'; call: Call; from?: Queue }
  | { kind: 'flushed'; flushes: Flushes; calls: Call[] };

const queue = (places: number): Queue => ({ free: places, places, line: new Line(), busyMs: 0 });

export function simulate({ installation, seed, calls: wanted, arrivals, sharedCores }: Options): Simulated {
  const { inputs, shape, calls, tenants, workerOf, workerCores, share } = installation;
  const random = createRandom(seed),
    events = new Events<Event>(),
    isOpen = 'perSecond' in arrivals;
  const shared = sharedCores === undefined ? undefined : queue(sharedCores);
  const stations = {
    balancer: shared ?? queue(inputs['balancer-cores']),
    coordinator: shared ?? queue(inputs['coordinator-cores']),
    servers: Array.from({ length: shape.servers }, () => shared ?? queue(inputs['server-cores'])),
    workers: workerCores.map((cores) => shared ?? queue(cores)),
  };
  const locks = {
    clientThread: queue(1),
    threads: Array.from({ length: shape.servers }, () => queue(inputs['server-cores'])),
    pools: Array.from({ length: shape.servers }, () => queue(inputs.pool)),
    lanes: Array.from({ length: inputs.lanes }, () => queue(1)),
    lanesOfTenants: new Map<number, Queue[]>(),
    wallet: queue(1),
  };
  const flushes = {
    coordinator: { isRunning: false, waiting: [] } as Flushes,
    workers: workerCores.map((): Flushes => ({ isRunning: false, waiting: [] })),
  };
  const tenantAt = cumulative(tenants, share),
    chosen = cumulative(
      calls.map((call) => call.share),
      1,
    );
  const clientSteps = calls.map(({ name, steps }): readonly Step[] => {
    if (isOpen) return steps;
    const ms = arrivals.clientMs[isWrite(name) ? 'write' : 'read'];
    const client: Step[] = [
      { do: 'take', lock: 'clientThread' },
      { do: 'work', at: 'client', ms },
      { do: 'give', lock: 'clientThread' },
    ];
    return [...client, ...steps];
  });

  let now = 0,
    done = 0,
    countedFrom = 0;
  const times: number[] = [],
    skipped = Math.ceil(wanted / 10);

  function start(): void {
    const kind = find(chosen, random()),
      tenant = find(tenantAt, random()),
      server = Math.floor(random() * shape.servers);
    const call: Call = {
      steps: clientSteps[kind]!,
      at: 0,
      started: now,
      worker: workerOf[tenant]!,
      server,
      planner: Math.floor(random() * workerCores.length),
      lane: shape.auditByTenant ? tenant * inputs.lanes : 0,
      isBusiest: tenant === 0 && random() < inputs['busiest-player'],
      leftMs: 0,
      tasks: 0,
    };
    call.lane += Math.floor(random() * inputs.lanes);
    go(call);
  }

  function stationOf(call: Call, place: Place): Queue {
    if (shared) return shared;
    if (place === 'planner')
      return shape.anyNode && shape.workers ? stations.workers[call.planner]! : stations.coordinator;
    if (place === 'worker') return stations.workers[call.worker]!;
    if (place === 'server') return stations.servers[call.server]!;
    return place === 'client' ? stations.balancer : stations[place];
  }
  function lockOf(call: Call, lock: Lock): Queue | undefined {
    if (lock === 'clientThread') return locks.clientThread;
    if (lock === 'serverThread') return shared ? locks.threads[call.server]! : undefined;
    if (lock === 'pool') return locks.pools[call.server]!;
    if (lock === 'wallet') return call.isBusiest ? locks.wallet : undefined;
    if (!shape.auditByTenant) return locks.lanes[call.lane]!;
    const tenant = Math.floor(call.lane / inputs.lanes);
    let own = locks.lanesOfTenants.get(tenant);
    if (!own) {
      own = Array.from({ length: inputs.lanes }, () => queue(1));
      locks.lanesOfTenants.set(tenant, own);
    }
    return own[call.lane % inputs.lanes]!;
  }

  function work(call: Call, at: Queue, ms: number): void {
    if (at.free === 0) return at.line.add({ call, ms });
    at.free -= 1;
    begin(call, at, ms);
  }
  /** Works for one slice; then the place is free for others, and what is left waits again. */
  function begin(call: Call, at: Queue, ms: number): void {
    const slice = Math.min(ms, inputs.slice);
    call.leftMs = ms - slice;
    at.busyMs += slice;
    events.add(now + slice, { kind: 'go', call, from: at });
  }
  function leave(from: Queue): void {
    const next = from.line.next();
    if (next) begin(next.call, from, next.ms);
    else from.free += 1;
  }
  function release(lock: Queue): void {
    const next = lock.line.next();
    if (next) events.add(now, { kind: 'go', call: next.call });
    else lock.free += 1;
  }
  function flush(at: Flushes): void {
    at.isRunning = at.waiting.length > 0;
    if (!at.isRunning) return;
    events.add(now + inputs.flush, { kind: 'flushed', flushes: at, calls: at.waiting });
    at.waiting = [];
  }

  /** Takes a call on until it has to wait. */
  function go(call: Call): void {
    for (;;) {
      const step = call.steps[call.at++];
      if (!step) return finish(call);
      if (step.do === 'travel') {
        if (step.ms > 0) return events.add(now + step.ms, { kind: 'go', call });
      } else if (step.do === 'work') {
        return work(call, stationOf(call, step.at), lognormal(random, step.ms, inputs.variation));
      } else if (step.do === 'flush') {
        const at = step.at === 'worker' ? flushes.workers[call.worker]! : flushes.coordinator;
        at.waiting.push(call);
        if (!at.isRunning) flush(at);
        return;
      } else if (step.do === 'fan') {
        call.tasks = step.tasks * workerCores.length;
        for (let n = 0; n < call.tasks; n++) {
          const worker = n % workerCores.length;
          const task: Call = { ...call, steps: [], isTaskOf: call, worker };
          work(task, shared ?? stations.workers[worker]!, lognormal(random, step.ms, inputs.variation));
        }
        return;
      } else {
        const lock = lockOf(call, step.lock);
        if (!lock) continue;
        if (step.do === 'take') {
          if (lock.free === 0) return lock.line.add({ call, ms: 0 });
          lock.free -= 1;
        } else release(lock);
      }
    }
  }

  function finish(call: Call): void {
    if (call.isTaskOf) {
      call.isTaskOf.tasks -= 1;
      if (call.isTaskOf.tasks === 0) go(call.isTaskOf);
      return;
    }
    done += 1;
    if (done === skipped) {
      countedFrom = now;
      for (const each of everyStation()) each.busyMs = 0;
    }
    if (done > skipped) times.push(now - call.started);
    if (!isOpen) start();
  }
  const everyStation = () => [stations.balancer, stations.coordinator, ...stations.servers, ...stations.workers];

  if (isOpen) events.add(0, { kind: 'arrive' });
  else for (let n = 0; n < arrivals.callers; n++) start();
  while (times.length < wanted) {
    const next = events.next();
    if (!next) break;
    now = next.time;
    const { item } = next;
    if (item.kind === 'arrive') {
      if (isOpen) events.add(now + exponential(random, 1000 / arrivals.perSecond), { kind: 'arrive' });
      start();
    } else if (item.kind === 'flushed') {
      for (const call of item.calls) go(call);
      flush(item.flushes);
    } else {
      const { call, from } = item;
      if (from) leave(from);
      if (from && call.leftMs > 0) work(call, from, call.leftMs);
      else go(call);
    }
  }
  const sorted = times.sort((a, b) => a - b),
    span = now - countedFrom;
  const busiest = (all: readonly Queue[]) => Math.max(...all.map(({ busyMs, places }) => busyMs / span / places));
  return {
    perSecond: (times.length / span) * 1000,
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN,
    busy: {
      servers: busiest(stations.servers),
      coordinator: busiest([stations.coordinator]),
      workers: busiest(stations.workers),
    },
  };
}

function cumulative(shares: ArrayLike<number>, total: number): Float64Array {
  const sums = new Float64Array(shares.length);
  let sum = 0;
  for (let n = 0; n < shares.length; n++) sums[n] = sum += shares[n]! / total;
  return sums;
}

/** The first whose sum is above `at`. */
function find(sums: Float64Array, at: number): number {
  let low = 0,
    high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

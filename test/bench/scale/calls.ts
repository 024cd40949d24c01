/** The calls, how often each is made, and the way each takes through the machines. */
import type { InputName, Inputs } from './inputs';

/** How the machines are arranged. */
export interface Shape {
  servers: number;
  /** 0: one PostgreSQL, without Citus. */
  workers: number;
  /** A settlement or balance edit is one message for each statement of one shard, not 22. */
  singleShard?: boolean;
  /** The audit log is distributed by tenant, so a write stays on one machine. */
  auditByTenant?: boolean;
  /** Servers connect to any worker, which plans. The sessions are then on every worker. */
  anyNode?: boolean;
  /** Each tenant larger than an even share has a worker of its own. */
  ownWorkers?: boolean;
  /** These workers are larger machines. */
  bigWorkers?: boolean;
  /** Payments are kept by month, and old months elsewhere. */
  archive?: boolean;
  /** Lists of all tenants read totals that are kept for them, so their cost does not grow with the tenants. */
  keptTotals?: boolean;
  /** Installations side by side, each with a part of the servers, workers and tenants. */
  regions?: number;
}

/** 'planner' is the machine that a server is connected to: the coordinator, or any worker. */
export type Place = 'client' | 'balancer' | 'server' | 'coordinator' | 'planner' | 'worker';
export type Lock = 'clientThread' | 'serverThread' | 'pool' | 'wallet' | 'lane';
export type Step =
  | { do: 'work'; at: Place; ms: number }
  | { do: 'travel'; ms: number }
  | { do: 'flush'; at: 'coordinator' | 'worker' }
  | { do: 'take' | 'give'; lock: Lock }
  /** Tasks on all workers, so many on each; it ends with the last. */
  | { do: 'fan'; tasks: number; ms: number };

const reads = ['users', 'search', 'purchases', 'history', 'dashboard'] as const,
  writes = ['settle', 'balance'] as const;
export type CallName = (typeof reads)[number] | (typeof writes)[number] | 'allTenants';
export const isWrite = (call: CallName): boolean => call === 'settle' || call === 'balance';

export type Mix = Partial<Record<CallName, number>>;
/** The share of each call. */
export const mixes = {
  /** Of a day. Nobody has counted one yet: these shares are assumed. */
  day: { users: 22, search: 15, purchases: 18, history: 15, dashboard: 20, settle: 6, balance: 4, allTenants: 0.02 },
  /** The seven calls of test/bench/api/traffic.ts, each as often as another. */
  bench: { users: 1, search: 1, purchases: 1, history: 1, dashboard: 1, settle: 1, balance: 1 },
  reads: { users: 1, search: 1, purchases: 1, history: 1, dashboard: 1 },
  writes: { settle: 1, balance: 1 },
} satisfies Record<string, Mix>;
export type MixName = keyof typeof mixes;

/** The calls of a mix with their shares of 1. */
export function sharesOf(mix: Mix): [CallName, number][] {
  const entries = Object.entries(mix).filter(([, share]) => share > 0) as [CallName, number][],
    sum = entries.reduce((all, [, share]) => all + share, 0);
  return entries.map(([call, share]) => [call, share / sum]);
}

/** Statements that Citus sends to a worker for a page of a list: its ids and then its rows. */
const LIST_MESSAGES = 2;

/** The share of database work that more or fewer rows make of it: `growth` for each tenfold. */
export const sizeFactor = (inputs: Inputs, { archive }: Shape): number =>
  archive ? Math.max(0.1, 1 + inputs.growth * Math.log10(inputs['live-months'] / inputs.months)) : 1;

const travel = (ms: number): Step => ({ do: 'travel', ms });
const work = (at: Place, ms: number): Step => ({ do: 'work', at, ms });
const take = (lock: Lock): Step => ({ do: 'take', lock });
const give = (lock: Lock): Step => ({ do: 'give', lock });

/** What a call does from the load balancer to the answer. */
export function stepsOf(call: CallName, inputs: Inputs, shape: Shape): Step[] {
  const of = (part: 'server' | 'db') =>
    inputs[(call === 'allTenants' ? `users-${part}` : `${call}-${part}`) as InputName];
  const half = travel(inputs.hop / 2),
    database = Math.max(0, of('db') - inputs['session-db']) * sizeFactor(inputs, shape);
  const inside =
    call === 'allTenants'
      ? listOfAll(inputs, shape, database)
      : isWrite(call)
        ? write(inputs, shape, database)
        : read(inputs, shape, database, call === 'dashboard' ? inputs['dashboard-messages'] : LIST_MESSAGES);
  return [
    half,
    work('balancer', inputs['balancer-call']),
    half,
    take('serverThread'),
    work('server', of('server')),
    give('serverThread'),
    take('pool'),
    travel(inputs.hop),
    work('planner', inputs['session-db']),
    ...inside,
    give('pool'),
    travel(inputs.hop),
  ];
}

/** One statement that Citus passes on to the tenant's worker. */
const message = (inputs: Inputs, ms: number): Step[] => [
  travel(inputs.hop), // between the server and the planner
  work('planner', inputs['message-coordinator']),
  travel(inputs.hop),
  work('worker', inputs['message-worker'] + ms),
];
const repeat = (times: number, steps: Step[]): Step[] => Array.from({ length: times }, () => steps).flat();

function read(inputs: Inputs, { workers }: Shape, database: number, messages: number): Step[] {
  if (!workers) return [travel(inputs.hop), work('planner', database)];
  return repeat(messages, message(inputs, database / messages));
}

/** The audit lane is locked from its entry to the end of the commit; the wallet from the settlement on. */
function write(inputs: Inputs, shape: Shape, database: number): Step[] {
  const audit = Math.min(database, inputs['audit-db']),
    money = database - audit,
    hop = travel(inputs.hop);
  const release = [give('lane'), give('wallet')];
  if (!shape.workers)
    return [
      hop, // begin
      take('wallet'),
      hop,
      work('planner', money),
      hop,
      take('lane'),
      work('planner', audit / 2),
      hop,
      work('planner', audit / 2),
      hop,
      { do: 'flush', at: 'coordinator' },
      ...release,
    ];
  const messages = inputs[shape.singleShard ? 'single-shard-messages' : 'settle-messages'];
  const statements = Math.max(1, messages - 2); // the other two prepare and commit
  const settle = [take('wallet'), ...repeat(statements, message(inputs, money / statements))];
  if (shape.auditByTenant)
    return [
      ...settle,
      take('lane'),
      ...repeat(2, message(inputs, audit / 2)),
      ...message(inputs, 0), // commit
      { do: 'flush', at: 'worker' },
      ...release,
    ];
  // From a worker the entry takes a message of its own to the coordinator, which then prepares too.
  const away: Step[] = shape.anyNode
    ? [work('planner', inputs['message-coordinator']), hop, work('coordinator', inputs['message-worker'])]
    : [];
  return [
    ...settle,
    hop,
    take('lane'),
    ...repeat(2, [...away, work('coordinator', audit / 2), hop]),
    ...message(inputs, 0), // prepare
    { do: 'flush', at: 'worker' },
    { do: 'flush', at: 'coordinator' },
    ...message(inputs, 0), // commit prepared
    { do: 'flush', at: 'worker' },
    ...release,
  ];
}

/** A page of all tenants: its cost grows with the tenants and is divided between the workers. */
function listOfAll(inputs: Inputs, shape: Shape, database: number): Step[] {
  const tenants = shape.keptTotals ? 0 : (inputs['list-per-tenant'] * inputs.tenants) / (shape.regions ?? 1),
    hop = travel(inputs.hop);
  if (!shape.workers) return [hop, work('planner', database + tenants)];
  const tasks = Math.max(1, Math.ceil(inputs.shards / shape.workers)),
    all = tasks * shape.workers;
  return [
    hop,
    work('planner', inputs['message-coordinator'] + inputs['task-coordinator'] * all),
    hop,
    { do: 'fan', tasks, ms: inputs['message-worker'] + (database + tenants) / all },
  ];
}

/** Steps that repeat, with how often they do. */
export type Counted = readonly (readonly [step: Step, times: number])[];

function count(steps: readonly Step[]): Counted {
  const times = new Map<Step, number>();
  for (const step of steps) times.set(step, (times.get(step) ?? 0) + 1);
  return [...times];
}

/** All steps of a call, and those during which it holds each lock that others wait for. */
export function sectionsOf(steps: readonly Step[]): Record<'all' | 'pool' | 'wallet' | 'lane', Counted> {
  const during = (lock: Lock) => {
    const at = (what: 'take' | 'give') => steps.findIndex((step) => step.do === what && step.lock === lock);
    return at('take') < 0 ? [] : count(steps.slice(at('take') + 1, at('give')));
  };
  return { all: count(steps), pool: during('pool'), wallet: during('wallet'), lane: during('lane') };
}

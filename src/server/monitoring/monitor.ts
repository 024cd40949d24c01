/** Counts what happens in this server, for Prometheus. No label names a tenant, a person or an address. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Sessions } from '../auth/sessions';
import type { Limits } from '../core/limits';
import { unless } from '../db/attempt';
import type { Database } from '../db/open';
import type { Replica } from '../db/replica/replica';
import type { Answered } from '../http/requestLog';
import { checks, type Figures, type Pending, pendingKinds, readDrift, readFigures, readPending } from './figures';
import { remembered } from './remembered';
import { nameCall, signInRefusals, webhookRefusals, whySignInFailed, whyWebhookRefused } from './requests';

interface MonitorOptions {
  version: string;
  db: Database;
  replica?: Pick<Replica, 'figures'> | undefined;
  sessions: Pick<Sessions, 'count'>;
  /** For how long figures from the database are repeated, in milliseconds. */
  figuresMs?: number;
  driftMs?: number;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Prometheus waits 10 seconds by default; a database that is away must not make the other metrics late. */
const MOST_WAIT_MS = 4_000;

/** Each shows one of the figures. */
const figureGauges: readonly (readonly [name: string, help: string, figure: Exclude<keyof Figures, 'findings'>])[] = [
  ['sessions', 'Active sessions', 'sessions'],
  ['books_off_usd', 'By how much the last checks in the background found the books off', 'booksOffBy'],
  ['ledger_check_age_seconds', 'Time since the whole ledger was checked; +Inf if it never was', 'checkAge'],
  ['ledger_checks_failing', 'Tenants whose check in the background keeps failing', 'checksFailing'],
  [
    'totals_behind_seconds',
    'How far the facts of a tenant are behind, of the one that is furthest behind',
    'totalsBehind',
  ],
  ['backup_age_seconds', 'Time since the last backup; +Inf if there was none', 'backupAge'],
];

function createMetrics(registers: Registry[]) {
  const named = (name: string, help: string) => ({ name: `backoffice_${name}`, help, registers });
  return {
    gauge: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
      new Gauge<L>({ ...named(name, help), labelNames }),
    counter: <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
      new Counter<L>({ ...named(name, help), labelNames }),
    histogram: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
      new Histogram<L>({ ...named(name, help), labelNames, buckets: SECONDS }),
  };
}
type Metrics = ReturnType<typeof createMetrics>;

export function createMonitor({
  version,
  db,
  replica,
  sessions,
  figuresMs = 10_000,
  driftMs = 60_000,
}: MonitorOptions) {
  const registry = new Registry(),
    metrics = createMetrics([registry]);
  collectDefaultMetrics({ register: registry });
  metrics.gauge('info', 'The version of this server; always 1', ['version']).set({ version }, 1);
  const answered = countRequests(metrics);
  const wait = metrics.histogram('database_wait_seconds', 'Time that calls waited for a connection of the pool');
  const showDatabase = watchDatabase(metrics, db);
  const showFigures = watchFigures(metrics);
  const showReplica = watchReplica(metrics, replica);
  let limits: Limits | undefined,
    heads = { entries: 0, at: -Infinity };
  const figuresNow = remembered(figuresMs, () => readFigures(db, (sql) => sessions.count(sql)));
  const pendingNow = remembered(figuresMs, () => readPending(db));
  const driftNow = remembered(driftMs, () => readDrift(db));

  return {
    contentType: registry.contentType,
    answered,
    /** Told how many milliseconds a call waited for a connection to the database. */
    waited: (ms: number) => wait.observe(ms / 1000),
    watch(given: Limits): void {
      limits = given;
    },
    /** The heads of the audit log have left with the logs. */
    headsLogged(text: string): void {
      heads = { entries: countEntries(text), at: performance.now() };
    },
    async read(): Promise<string> {
      showDatabase(limits);
      showReplica();
      // What cannot be read in time is NaN, which no alert takes for a good or a bad figure.
      showFigures(heads, ...(await Promise.all([inTime(figuresNow()), inTime(pendingNow()), inTime(driftNow())])));
      return registry.metrics();
    },
  };
}

export type Monitor = ReturnType<typeof createMonitor>;

function countRequests({ counter, histogram }: Metrics) {
  const requests = counter('requests_total', 'Answered requests', ['call', 'status']);
  const duration = histogram('request_duration_seconds', 'Time to the head of the answer', ['call']);
  const signIns = counter('sign_in_failures_total', 'Sign-ins that were refused', ['reason']);
  for (const reason of signInRefusals) signIns.inc({ reason }, 0);
  const webhooks = counter('webhooks_refused_total', 'Webhooks that were refused', ['reason']);
  for (const reason of webhookRefusals) webhooks.inc({ reason }, 0);
  return (request: Answered): void => {
    const call = nameCall(request);
    requests.inc({ call, status: request.status });
    duration.observe({ call }, request.ms / 1000);
    const refused = whySignInFailed(call, request),
      refusedWebhook = whyWebhookRefused(call, request);
    if (refused) signIns.inc({ reason: refused });
    if (refusedWebhook) webhooks.inc({ reason: refusedWebhook });
  };
}

function watchDatabase({ gauge }: Metrics, db: Database) {
  const queued = gauge('database_calls', 'Calls that use a connection of the pool, or wait for one', ['state']);
  const connections = gauge('database_connections', 'Connections to the database, and who waits for one', ['state']);
  gauge('database_connections_max', 'POOL_SIZE').set(db.poolSize);
  return (limits: Limits | undefined) => {
    const { running, waiting } = limits?.connections.count() ?? { running: 0, waiting: 0 };
    queued.set({ state: 'running' }, running);
    queued.set({ state: 'waiting' }, waiting);
    for (const [state, count] of Object.entries(db.sql.connections())) connections.set({ state }, count);
  };
}

function watchReplica({ gauge, counter }: Metrics, replica: MonitorOptions['replica']) {
  const isUsed = gauge('replica_used', 'Whether the replica answers reads (1) or the primary does (0)');
  const lag = gauge('replica_lag_seconds', 'For how long the replica is behind; NaN without one');
  const reads = counter('replica_reads_total', 'Reads that may be a moment old, by who answered them', ['by']);
  return () => {
    const standby = replica?.figures();
    isUsed.set(standby?.isUsed ? 1 : 0);
    lag.set(standby ? standby.lagMs / 1000 : NaN);
    reads.reset();
    for (const by of ['replica', 'primary'] as const) reads.inc({ by }, standby?.reads[by] ?? 0);
  };
}

function watchFigures({ gauge }: Metrics) {
  const isUp = gauge('database_up', 'Whether the database answered the last questions (1) or not (0)');
  const single = figureGauges.map(([name, help, figure]) => ({ metric: gauge(name, help), figure }));
  const pendingCount = gauge('pending', 'Pending purchases, deposits and redeems', ['kind']);
  const pendingUsd = gauge('pending_usd', 'The money of what is pending, in USD', ['kind']);
  const pendingLate = gauge('pending_late', 'Those that are late, as their tenants say', ['kind']);
  const pendingAge = gauge('pending_oldest_seconds', 'Age of the oldest pending one; 0 if there is none', ['kind']);
  const drift = gauge('ledger_drift_usd', 'Difference of wallets moved in the last minutes and their transfers');
  const findings = gauge('check_findings', 'Differences found by the last check of each kind', ['by']);
  const unlogged = gauge('audit_unlogged_entries', 'Entries of the audit log since its heads were last logged');
  const headsAge = gauge('audit_heads_age_seconds', 'Time since this server logged the heads of the audit log');
  return (heads: { entries: number; at: number }, figures?: Figures, pending?: readonly Pending[], usd = NaN) => {
    isUp.set(figures ? 1 : 0);
    for (const { metric, figure } of single) metric.set(figures?.[figure] ?? NaN);
    for (const kind of pendingKinds) {
      const found = pending?.find((one) => one.kind === kind);
      pendingCount.set({ kind }, found?.count ?? NaN);
      pendingUsd.set({ kind }, found?.usd ?? NaN);
      pendingLate.set({ kind }, found?.late ?? NaN);
      pendingAge.set({ kind }, found?.oldest ?? NaN);
    }
    drift.set(usd);
    for (const by of checks) findings.set({ by }, figures?.findings[by] ?? NaN);
    unlogged.set(figures ? Math.max(0, figures.entries - heads.entries) : NaN);
    headsAge.set((performance.now() - heads.at) / 1000);
  };
}

/** How many entries the log has up to its heads, 'shard:position:MAC' each. */
const countEntries = (heads: string): number =>
  heads.split(' ').reduce((sum, head) => sum + Number(head.split(':')[1] ?? 0), 0);

const inTime = <T>(value: Promise<T>): Promise<T | undefined> =>
  unless(AbortSignal.timeout(MOST_WAIT_MS), value).catch(() => undefined);

/** Every number the model begins with, and where it comes from. Each is also an option, such as `--settle-db 1.6`. */
import { readFileSync } from 'node:fs';

interface Input {
  value: number;
  unit: string;
  /** Where it was measured, or why it is assumed. */
  source: string;
}
const each = 'npm run bench:api: the mean on a quiet machine (docs/performance.md), divided as by --each';
const citus = 'Citus 13.2.2 by hand (docs/scaling.md)';
const measured = (value: number, unit: string, source: string): Input => ({ value, unit, source });
const assumed = (value: number, unit: string, why = ''): Input => ({
  value,
  unit,
  source: why ? `assumed: ${why}` : 'assumed',
});

const described = {
  'users-server': measured(0.83, 'ms', each),
  'users-db': measured(0.74, 'ms', each),
  'search-server': measured(0.36, 'ms', each),
  'search-db': measured(0.39, 'ms', each),
  'purchases-server': measured(0.4, 'ms', each),
  'purchases-db': measured(0.39, 'ms', each),
  'history-server': measured(0.44, 'ms', each),
  'history-db': measured(0.52, 'ms', each),
  'dashboard-server': measured(0.37, 'ms', each),
  'dashboard-db': measured(0.76, 'ms', each),
  'settle-server': measured(0.83, 'ms', each),
  'settle-db': measured(1.31, 'ms', each),
  'balance-server': measured(0.83, 'ms', each),
  'balance-db': measured(0.89, 'ms', each),
  'client-read': measured(0.15, 'ms', 'the client of node:http: 0.3 of the server in npm run bench:api -- --each'),
  'client-write': measured(0.17, 'ms', 'the same: 0.2 of the server'),
  'session-db': measured(0.1, 'ms', 'the bare query of the smallest call, npm run bench:api (docs/performance.md)'),
  'audit-db': assumed(0.3, 'ms', 'the part of a write that is the audit entry'),
  flush: measured(0.5, 'ms', 'pg_test_fsync -s 1 on a busy machine: fdatasync 0.4 to 1.2 ms'),
  growth: measured(
    0.22,
    'per ten times the rows',
    'npm run bench:api: a read 0.38 ms of the database, with 100 times 0.56',
  ),
  'list-per-tenant': assumed(
    0.05,
    'ms',
    'lists of all tenants, 1 to 7 ms more than of one with 100 tenants; in proportion',
  ),

  'message-coordinator': measured(0.33, 'ms', `${citus}: 0.55 together is fitted, how it divides assumed`),
  'message-worker': measured(0.22, 'ms', `${citus}: 0.55 together is fitted, how it divides assumed`),
  'task-coordinator': assumed(0.05, 'ms', 'a list of all tenants is one task for each shard'),
  'settle-messages': measured(22, 'messages', `${citus}: citus.log_remote_commands`),
  'dashboard-messages': measured(5, 'messages', `${citus}: it is one long statement; fitted`),
  'single-shard-messages': measured(8, 'messages', `${citus}: six statements, PREPARE, COMMIT PREPARED`),

  'server-cores': assumed(1, 'cores', 'a Node.js process uses about one'),
  'balancer-cores': assumed(16, 'cores'),
  'coordinator-cores': assumed(16, 'cores'),
  'worker-cores': assumed(16, 'cores'),
  'big-worker-cores': assumed(64, 'cores', 'the workers of the largest tenants, in that step'),
  'balancer-call': assumed(0.02, 'ms', 'nginx, TLS kept open'),
  hop: assumed(0.25, 'ms', 'there and back within a data centre'),
  pool: measured(10, 'connections', 'POOL_SIZE (docs/configuration.md)'),
  lanes: measured(16, 'lanes', 'shards of the audit log (src/server/audit/auditLog.ts)'),
  slice: assumed(4, 'ms', 'longer work lets other work in between, as the operating system does'),
  variation: assumed(1, 'squared', 'work varies as an exponential time'),

  tenants: assumed(100_000, 'tenants'),
  exponent: assumed(1, 'of Zipf', 'the second tenant is half as large as the first, the third a third'),
  shards: assumed(1_024, 'shards', 'citus.shard_count'),
  'busiest-player': assumed(0.001, 'of the writes', "of the largest tenant's money writes on one player"),
  months: assumed(60, 'months', 'kept in one table'),
  'live-months': assumed(13, 'months', 'kept after the older ones are archived, in that step'),
  regions: assumed(4, 'installations', 'in that step'),

  'most-ms': measured(150, 'ms', '95 of 100 calls within it: the goal of docs/performance.md'),
  busiest: assumed(0.8, 'of its time', 'no station may be busier'),
  seed: assumed(1, '', 'any whole number'),
} satisfies Record<string, Input>;

export type InputName = keyof typeof described;
export type Inputs = Record<InputName, number>;
export const inputNames = Object.keys(described) as InputName[];
const isName = (name: string): name is InputName => Object.hasOwn(described, name);

export const standard: Inputs = Object.fromEntries(
  Object.entries(described).map(([name, { value }]) => [name, value]),
) as Inputs;

export class WrongOption extends Error {}

/** The standard inputs with those of a JSON file, then with those of `options`, each as text. */
export function readInputs(file: string | undefined, options: Record<string, unknown>): Inputs {
  const inputs = { ...standard };
  const given = file === undefined ? {} : readObject(file);
  for (const [name, text] of [...Object.entries(given), ...Object.entries(options)]) {
    const value = Number(text);
    if (!isName(name)) throw new WrongOption(`There is no input '${name}'; --help lists them`);
    if (text === '' || !Number.isFinite(value) || value < 0)
      throw new WrongOption(`--${name} must be a number of 0 or more`);
    if (mustBeWhole.has(name) && !(Number.isInteger(value) && value > 0))
      throw new WrongOption(`--${name} must be a whole number above 0`);
    inputs[name] = value;
  }
  return inputs;
}

function readObject(file: string): object {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found === 'object' && found !== null) return found;
  } catch (error) {
    throw new WrongOption(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw new WrongOption(`${file} must contain one JSON object`);
}

const mustBeWhole: ReadonlySet<InputName> = new Set<InputName>([
  'server-cores',
  'balancer-cores',
  'coordinator-cores',
  'worker-cores',
  'big-worker-cores',
  'pool',
  'lanes',
  'tenants',
  'shards',
  'regions',
  'settle-messages',
  'dashboard-messages',
  'single-shard-messages',
]);

/** A line for each input: name, value, unit and source. */
export const describeInputs = (inputs: Inputs): string[] =>
  inputNames.map((name) => {
    const { value, unit, source } = described[name];
    const from = inputs[name] === value ? source : 'given';
    return `  --${name.padEnd(22)} ${String(inputs[name]).padStart(7)} ${unit.padEnd(23)} ${from}`;
  });

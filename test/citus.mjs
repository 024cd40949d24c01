// npm run test:citus -- URL [pattern ...]: runs the server tests and the main journey on a database with Citus: a
// coordinator and its workers. Each of the two workers of the tests has a database of its own there (test/spread.mjs).
import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { spreadDatabase } from './spread.mjs';

const HOW = `npm run test:citus -- postgres://user@coordinator:5432/postgres [pattern ...]
The URL is that of a coordinator of Citus with at least one worker, as a superuser. How to get one: the packages
postgresql-N-citus of its makers with shared_preload_libraries = citus, max_prepared_transactions = 200 and
timezone = UTC on each node; or a container of the image citusdata/citus for each; or a managed service that has
Citus.`;

const [url, ...patterns] = process.argv.slice(2);
if (!url || !URL.canParse(url)) {
  console.error(HOW);
  process.exit(1);
}
const client = new pg.Client(url);
const refuse = (why) => {
  console.error(`${why}\n${HOW}`);
  process.exit(1);
};
await client.connect().catch((error) => refuse(`The database does not answer: ${error.message}.`));
const { rows } = await client.query(
  `select current_setting('shared_preload_libraries') as libraries, version() as version,
    (select extversion from pg_extension where extname = 'citus') as citus`,
);
const workers = rows[0].citus
  ? (await client.query('select count(*)::int as count from citus_get_active_worker_nodes()')).rows[0].count
  : 0;
await client.end();
if (!rows[0].libraries.includes('citus')) refuse('The database has no Citus.');
if (workers === 0) refuse('The coordinator has no workers in this database.');
console.log(`${rows[0].version}\nCitus ${rows[0].citus} with ${workers} workers\n`);

const target = new URL(url);
target.pathname = 'back_office_test';
await spreadDatabase(url, 'back_office_test');
const env = { ...process.env, DATABASE_URL: target.href, TEST_WORKERS: process.env['TEST_WORKERS'] ?? '2' };
const run = (...args) => spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1;
const server = run('test/run.mjs', '--world', ...(patterns.length ? patterns : ['test/server']));
const journey = patterns.length ? 0 : run('test/browser/run.mjs', 'mainJourney');
process.exit(server || journey);

// npm run test:citus -- [URL] [pattern ...]: runs the server tests and the main journey on a database with Citus: a
// coordinator and its workers. Each of the workers of the tests has a database of its own there (test/spread.mjs).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { bundle } from './bundle.mjs';
import { spreadDatabase } from './spread.mjs';

const HOW = `npm run test:citus -- postgres://user@coordinator:5432/postgres [pattern ...]
The URL is that of a coordinator of Citus with at least one worker, as a superuser. The server runs as the role
back_office_test, which is made with the password of the URL: the nodes must accept it from one another. How to get one:
the packages
postgresql-N-citus of its makers with shared_preload_libraries = citus, max_prepared_transactions = 200 and
timezone = UTC on each node; or a container of the image citusdata/citus for each; or a managed service that has Citus.
Without a URL the tests start a cluster of their own, if Debian's PostgreSQL 15 is installed with Citus.`;
const refuse = (why) => {
  console.error(`${why}\n${HOW}`);
  process.exit(1);
};

const args = process.argv.slice(2);
const given = URL.canParse(args[0]) ? args.shift() : undefined;
const own = given ? undefined : await startOwn();
const status = await runTests(given ?? own.url, args).finally(() => own?.stop());
process.exit(status);

async function startOwn() {
  const outdir = await bundle('citus', ['test/prove/nodes.ts', 'test/prove/citusCluster.ts']);
  const { hasCitus } = await import(`${outdir}/prove/nodes.js`);
  if (!hasCitus) refuse('Citus is not installed here.');
  const { startCitus } = await import(`${outdir}/prove/citusCluster.js`);
  const folder = mkdtempSync(join(tmpdir(), 'citus-'));
  const { superuserUrl, stop } = await startCitus(folder, 'fsync = off');
  return {
    url: superuserUrl,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runTests(url, patterns) {
  const client = new pg.Client(url);
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

  const made = await spreadDatabase(url, 'back_office_test');
  const env = { ...process.env, ...made, TEST_WORKERS: process.env['TEST_WORKERS'] ?? '2' };
  const run = (...given) => spawnSync(process.execPath, given, { env, stdio: 'inherit' }).status ?? 1;
  const server = run('test/run.mjs', '--world', ...(patterns.length ? patterns : ['test/server']));
  if (patterns.length) return server;
  const demo = await spreadDatabase(url, 'back_office_demo');
  env.DEMO_DATABASE_URL = demo.DATABASE_URL;
  return run('test/browser/run.mjs', 'mainJourney') || server;
}

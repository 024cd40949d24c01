import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import postgres from 'postgres';
import { parse } from 'uvu/parse';

/**
 * Runs the test files that are bundled in a folder and ends the process. As many processes as there are processors, two at most (or TEST_LANES),
 * take one file after the other, the largest first; each has a test world and a database of its own.
 */
export async function runFolder(outdir, { preload = [] } = {}) {
  const { suites } = await parse(outdir, /\.test\.js$/);
  const waiting = suites.map((suite) => ({ ...suite, size: statSync(suite.file).size })).sort((a, b) => b.size - a.size);
  const lanes = Math.min(waiting.length, Number(process.env['TEST_LANES']) || Math.min(2, availableParallelism()));
  const begun = performance.now();
  const sums = { passed: 0, skipped: 0, total: 0 };
  let isGreen = true;

  await Promise.all(Array.from({ length: lanes }, async (_, lane) => {
    const env = { ...process.env, FORCE_COLOR: process.env['FORCE_COLOR'] ?? (process.stdout.isTTY ? '1' : '0'), ...await databaseOf(lane) };
    const child = fork(new URL('lane.mjs', import.meta.url), [outdir, ...preload], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let current;
    const next = () => {
      current = waiting.shift();
      child.send(current ?? null);
    };
    child.on('message', ({ output, ...counts }) => {
      process.stdout.write(output);
      for (const name of Object.keys(sums)) sums[name] += counts[name];
      next();
    });
    next();
    const code = await new Promise((ended) => child.once('exit', (code, signal) => ended(code ?? signal)));
    if (code === 0) return;
    isGreen = false;
    if (current) console.error(`${current.name}: the process that ran it ended with ${code}`);
  }));

  console.log(`\n  Total:     ${sums.total}\n  Passed:    ${sums.passed}\n  Skipped:   ${sums.skipped}\n  Duration:  ${(performance.now() - begun).toFixed(0)}ms\n`);
  process.exit(isGreen && sums.passed === sums.total ? 0 : 1);
}

/** The first lane works in the database of DATABASE_URL itself, a further one in a new one beside it. */
async function databaseOf(lane) {
  const given = process.env['DATABASE_URL'];
  if (!given || lane === 0) return {};
  const url = new URL(given), name = `${url.pathname.slice(1)}_lane_${lane}`;
  const sql = postgres(given, { max: 1, onnotice: () => undefined });
  await sql`drop database if exists ${sql(name)}`;
  await sql`create database ${sql(name)}`;
  await sql.end();
  url.pathname = name;
  return { DATABASE_URL: url.href };
}

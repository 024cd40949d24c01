import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import postgres from 'postgres';
import { parse } from 'uvu/parse';

/**
 * Runs the test files that are bundled in a folder and ends the process. Some workers (or TEST_WORKERS) take one file
 * after the other, the largest first. Each worker is a process with a test world and a database of its own.
 */
export async function runFolder(outdir, { preload = [], workers = Math.min(2, availableParallelism()) } = {}) {
  const { suites } = await parse(outdir, /\.test\.js$/);
  const waiting = suites
    .map((suite) => ({ ...suite, size: statSync(suite.file).size }))
    .sort((a, b) => b.size - a.size);
  const most = Number(process.env['TEST_WORKERS']) || workers;
  const begun = performance.now();
  const sums = { passed: 0, skipped: 0, total: 0 };
  const times = [];
  let isGreen = true;

  async function work(_, worker) {
    const color = process.env['FORCE_COLOR'] ?? (process.stdout.isTTY ? '1' : '0');
    const env = { ...process.env, FORCE_COLOR: color, ...(await databaseOf(worker)) };
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = fork(new URL('worker.mjs', import.meta.url), [outdir, ...preload], { env, stdio });
    let current, startedAt;
    const next = () => {
      current = waiting.shift();
      startedAt = performance.now();
      child.send(current ?? null);
    };
    child.on('message', ({ output, ...counts }) => {
      process.stdout.write(output);
      times.push({ name: current.name, seconds: (performance.now() - startedAt) / 1000 });
      for (const name of Object.keys(sums)) sums[name] += counts[name];
      next();
    });
    next();
    const code = await new Promise((ended) => child.once('exit', (code, signal) => ended(code ?? signal)));
    if (code === 0) return;
    isGreen = false;
    if (current) console.error(`${current.name}: the process that ran it ended with ${code}`);
  }
  await Promise.all(Array.from({ length: Math.min(waiting.length, most) }, work));

  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 8);
  if (times.length > 8)
    console.log(`\nSlowest: ${slowest.map((one) => `${one.name} ${one.seconds.toFixed(0)} s`).join(', ')}`);
  console.log(`\n  Total:     ${sums.total}`);
  console.log(`  Passed:    ${sums.passed}`);
  console.log(`  Skipped:   ${sums.skipped}`);
  console.log(`  Duration:  ${Math.round(performance.now() - begun)}ms\n`);
  process.exit(isGreen && sums.passed === sums.total ? 0 : 1);
}

/** The first worker uses the database of DATABASE_URL itself, every other one a new database beside it. */
async function databaseOf(worker) {
  const given = process.env['DATABASE_URL'];
  if (!given || worker === 0) return {};
  const url = new URL(given);
  const name = `${url.pathname.slice(1)}_worker_${worker}`;
  const sql = postgres(given, { max: 1, onnotice: () => undefined });
  await sql`drop database if exists ${sql(name)}`;
  await sql`create database ${sql(name)}`;
  await sql.end();
  url.pathname = name;
  return { DATABASE_URL: url.href };
}

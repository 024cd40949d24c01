import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import pg from 'pg';
import { parse } from 'uvu/parse';
import { isSpread, spreadDatabase } from './spread.mjs';

/**
 * Runs the test files that are bundled in a folder and ends the process. Some workers (or TEST_WORKERS) take one file
 * after the other, those that `first` matches and then the largest. Each worker is a process with a test world and a
 * database of its own.
 */
export async function runFolder(outdir, { preload = [], first = /^$/ } = {}) {
  // One more than there are processors: a test waits for its database or its browser part of the time.
  const workers = Math.min(4, availableParallelism() + 1);
  const { suites } = await parse(outdir, /\.test\.js$/);
  const sized = suites
    .map((suite) => ({ ...suite, isFirst: first.test(suite.name), size: statSync(suite.file).size }))
    .sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || b.size - a.size);
  const begun = performance.now();
  const results = await runFiles(outdir, sized, preload, Number(process.env['TEST_WORKERS']) || workers);
  const slowest = [...results.values()].sort((a, b) => b.seconds - a.seconds).slice(0, 8);
  if (results.size > 8)
    console.log(
      `\nSlowest: ${slowest.map(({ suite, seconds }) => `${suite.name} ${seconds.toFixed(0)} s`).join(', ')}`,
    );

  const sum = (count) => [...results.values()].reduce((all, result) => all + result[count], 0);
  console.log(`\n  Total:     ${sum('total')}`);
  console.log(`  Passed:    ${sum('passed')}`);
  console.log(`  Skipped:   ${sum('skipped')}`);
  console.log(`  Duration:  ${Math.round(performance.now() - begun)}ms`);
  for (const { suite, failures } of results.values())
    for (const failure of failures) console.log(`  Failed:    ${suite.name}: ${failure}`);
  console.log();
  process.exit([...results.values()].every(isGreen) ? 0 : 1);
}

/** Each failed test in one line, from what uvu printed: its name, what it says first, what it waited for, and where. */
function failuresIn(output) {
  const [, ...found] = stripVTControlCharacters(output).split(/^ +FAIL +/m);
  return found.map((told) => {
    const [test, said = ''] = told.split('\n').map((line) => line.trim());
    const more = [/- waiting for .+/, /\w+\.test\.js:\d+/].map((pattern) => pattern.exec(told)?.[0]);
    return [`${test}: ${said}`, ...more.filter(Boolean)].join(' ');
  });
}

const isGreen = ({ passed, total, isBroken }) => !isBroken && passed === total;

/** Each file's counts by its name. A file whose process ends before its result counts as one failed test. */
async function runFiles(outdir, suites, preload, workers) {
  const waiting = [...suites];
  const results = new Map();

  async function work(_, worker) {
    const color = process.env['FORCE_COLOR'] ?? (process.stdout.isTTY ? '1' : '0');
    const env = { ...process.env, FORCE_COLOR: color, ...(await databaseOf(worker)) };
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const child = fork(new URL('worker.mjs', import.meta.url), [outdir, ...preload], { env, stdio });
    let current, last, startedAt, why;
    const next = () => {
      last = current;
      current = waiting.shift();
      startedAt = performance.now();
      child.send(current ?? null);
    };
    child.on('message', ({ crash, output, ...counts }) => {
      if (crash) return void (why = crash);
      process.stdout.write(output);
      const seconds = (performance.now() - startedAt) / 1000;
      results.set(current.name, { suite: current, seconds, failures: failuresIn(output), ...counts });
      next();
    });
    next();
    const code = await new Promise((ended) => child.once('exit', (code, signal) => ended(code ?? signal)));
    if (code === 0) return;
    const suite = current ?? last;
    const told = `the process that ran it ended with ${code}${why ? `: ${why}` : ''}`;
    console.error(`${suite.name}: ${told}`);
    const counts = results.get(suite.name) ?? notRun(suite);
    const line = told
      .split('\n', 3)
      .map((part) => part.trim())
      .join(' '); // the error, and where
    results.set(suite.name, { ...counts, failures: [...counts.failures, line], isBroken: true });
  }
  await Promise.all(Array.from({ length: Math.min(waiting.length, workers) }, work));
  for (const suite of waiting) results.set(suite.name, { ...notRun(suite), failures: ['was not run'] });
  return results;
}

const notRun = (suite) => ({ suite, seconds: 0, passed: 0, skipped: 0, total: 1, failures: [] });

/** The first worker uses the database of DATABASE_URL itself, every other one a new database beside it. */
export async function databaseOf(worker) {
  const given = process.env['DATABASE_URL'];
  if (!given || worker === 0) return {};
  const url = new URL(given);
  const name = `${url.pathname.slice(1)}_worker_${worker}`;
  if (await isSpread(given)) return spreadDatabase(process.env['SUPERUSER_URL'], name);
  const client = new pg.Client(given);
  await client.connect();
  await client.query(`drop database if exists ${pg.escapeIdentifier(name)}`);
  await client.query(`create database ${pg.escapeIdentifier(name)}`);
  await client.end();
  url.pathname = name;
  return { DATABASE_URL: url.href };
}

// Runs the proofs, which take longer than tests:
// node test/prove/run.mjs [name ...] [--long] [--seed N] [--rounds N] [--ops N] [--workers N],
// for citus [--kills N], and for fuzz [--from ROUND] [--minutes N] [--calls a,b].
// Each file in this folder that exports `prove(options)` is a proof. It fails by throwing. If it
// cannot run on this machine it returns the reason, and is not counted.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { databaseOf } from '../runTests.mjs';
import { quickHashes } from './quickHashes.mjs';

const all = readdirSync('test/prove')
  .filter(
    (file) =>
      /export (async function|const) prove\b/.test(readFileSync(`test/prove/${file}`, 'utf8')) && file.endsWith('.ts'),
  )
  .map((file) => file.slice(0, -3));
const texts = ['seed', 'rounds', 'ops', 'workers', 'kills', 'from', 'minutes', 'calls'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    ...Object.fromEntries(texts.map((name) => [name, { type: 'string' }])),
  },
});
const unknown = positionals.filter((name) => !all.includes(name));
const wrong = Object.entries(values)
  .filter(([key, value]) => !['long', 'calls'].includes(key) && !/^[1-9]\d{0,8}$/.test(value))
  .map(([key]) => `--${key}`);
if (unknown.length || wrong.length) {
  console.error(
    unknown.length
      ? `Unknown proof ${unknown.join(', ')}. The proofs are ${all.join(', ')}.`
      : `${wrong.join(', ')}: expected a whole number above 0`,
  );
  process.exit(1);
}

const names = positionals.length ? positionals : all;
const outdir = await bundle(
  'prove',
  [...names.map((name) => `test/prove/${name}.ts`), 'test/closing.ts'],
  [quickHashes],
);

const { long, calls, ...given } = values;
const numbers = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, Number(value)]));
const options = {
  long,
  ...numbers,
  ...(calls && { calls: calls.split(',') }),
  seed: numbers.seed ?? 1 + Math.floor(Math.random() * 999_999),
};
console.log(`seed ${options.seed}${long ? ', long form' : ''}`);

const failed = new Map();
const notRun = new Map();
/** Proves one after the other in a process with a world of its own; in another one when that has ended. */
async function work(queue, worker) {
  let child, ended, name;
  while (queue.length) {
    name = queue.shift();
    if (!child?.connected) {
      const env = { ...process.env, ...(await databaseOf(worker)) };
      child = fork(new URL('worker.mjs', import.meta.url), [outdir], { env });
      ended = once(child, 'exit').then((how) => ({
        failure: `its process ended with ${how.find((one) => one !== null)}`,
      }));
    }
    child.send({ name, options });
    const { why, failure } = await Promise.race([once(child, 'message').then(([told]) => told), ended]);
    if (failure) failed.set(name, failure);
    else if (why) notRun.set(name, why);
  }
  if (!child?.connected) return;
  child.send(null);
  await ended;
  if (child.exitCode !== 0) failed.set(name, `its process ended with ${child.exitCode ?? child.signalCode}`);
}
// What takes longest is begun first, and what waits most of the time; what measures time runs last, alone.
const first = ['answers', 'revoked', 'fuzz', 'package', 'limits', 'ledger', 'cut', 'servers', 'payments', 'kill'];
const timed = names.filter((name) => name === 'crowd');
const sorted = [...new Set([...first, ...names])].filter((name) => names.includes(name) && !timed.includes(name));
await Promise.all(Array.from({ length: 3 }, (_, worker) => work(sorted, worker)));
await work(timed, 3);
const total = names.length - notRun.size;
console.log(`\n  Total:     ${total}\n  Passed:    ${total - failed.size}`);
for (const [name, why] of failed) console.log(`  Failed:    ${name}: ${why}`);
for (const [name, why] of notRun) console.log(`  Not run:   ${name}: ${why}`);
process.exit(failed.size ? 1 : 0);

// Runs the proofs, which take longer than tests:
// node test/prove/run.mjs [name ...] [--long] [--seed N] [--rounds N] [--ops N] [--workers N],
// for citus [--kills N], and for fuzz [--from ROUND] [--minutes N] [--calls a,b].
// Each file in this folder that exports `prove(options)` is a proof. It fails by throwing. If it
// cannot run on this machine it returns the reason, and is not counted.
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { quickHashes } from './quickHashes.mjs';

const all = readdirSync('test/prove')
  .filter(
    (file) =>
      /export (async function|const) prove\b/.test(readFileSync(`test/prove/${file}`, 'utf8')) && file.endsWith('.ts'),
  )
  .map((file) => file.slice(0, -3));
const number = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    seed: number,
    rounds: number,
    ops: number,
    workers: number,
    kills: number,
    from: number,
    minutes: number,
    calls: number,
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

const { closeAll } = await import(`${outdir}/closing.js`);
const failed = new Map();
const notRun = new Map();
async function run(name) {
  const started = performance.now();
  try {
    const { prove } = await import(`${outdir}/prove/${name}.js`);
    const why = await prove({ ...options, say: (line) => console.log(`${name}: ${line}`) });
    if (why) {
      notRun.set(name, why);
      return;
    }
    console.log(`${name}: proved in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed.set(name, String(error?.message ?? error).split('\n')[0]);
    console.error(
      `${name}: FAILED. To repeat it: npm run prove -- ${name} --seed ${options.seed}${long ? ' --long' : ''}\n`,
      error,
    );
  }
}
// Proofs that share the test world run one after another, beside two lines of those with a server of their own. What
// measures time runs last, alone.
const inWorld = names.filter((name) => /from '\.\.\/world'/.test(readFileSync(`test/prove/${name}.ts`, 'utf8')));
const timed = names.filter((name) => name === 'crowd');
const others = names.filter((name) => !inWorld.includes(name) && !timed.includes(name));
const inTurn = async (some) => {
  for (let name = some.shift(); name; name = some.shift()) await run(name);
};
await Promise.all([inWorld, others, others].map(inTurn));
await inTurn(timed);
await closeAll();
const total = names.length - notRun.size;
console.log(`\n  Total:     ${total}\n  Passed:    ${total - failed.size}`);
for (const [name, why] of failed) console.log(`  Failed:    ${name}: ${why}`);
for (const [name, why] of notRun) console.log(`  Not run:   ${name}: ${why}`);
process.exit(failed.size ? 1 : 0);

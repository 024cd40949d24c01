// node test/run.mjs [--world] [--changed] [--since COMMIT] [pattern ...]: bundles and runs the test files whose path
// matches one of the patterns, or all of them except test/browser and test/engines. A pattern is a regular expression
// that ignores case. With --changed only those that an edit since the last commit touches, with --since main those that
// this branch touches (test/changed.mjs). With --world only those that use the database of test/world.ts, which
// DATABASE_URL can name; the others start their own.
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';
import { findTouched } from './changed.mjs';
import { runFolder } from './runTests.mjs';

const { values, positionals } = parseArgs({
  options: { world: { type: 'boolean' }, changed: { type: 'boolean' }, since: { type: 'string' } },
  allowPositionals: true,
});
const { world, changed, since = changed && 'HEAD' } = values;
const patterns = positionals.map((pattern) => new RegExp(pattern, 'i'));
const all = readdirSync('test', { recursive: true })
  .map((file) => `test/${file}`)
  .filter((file) => /\.test\.tsx?$/.test(file) && !/^test\/(browser|engines)\//.test(file))
  .sort();
const tests = (since ? await findTouched(all, since) : all)
  .filter((file) => !patterns.length || patterns.some((pattern) => pattern.test(file)))
  .filter((file) => !world || /from '[./]+\/world'/.test(readFileSync(file, 'utf8')));
if (!tests.length) {
  console.error(since ? `Nothing differs from ${since}` : `No test file matches ${patterns.join(' or ')}`);
  process.exit(since ? 0 : 1);
}
if (tests.length < all.length) console.log(`${tests.join('\n')}\n`);

// What is small but takes long would run alone at the end.
const first = /^(app\/features|server\/(demo|ledger\/shiftKilled|lifecycle|installation|queries\/plans))/;
await runFolder(await bundle('run', [...tests, 'test/closing.ts']), { preload: ['./dom.mjs'], first });

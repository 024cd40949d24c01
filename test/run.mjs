// node test/run.mjs [pattern ...]: bundles and runs the test files whose path matches one of the patterns, or all of
// them except test/browser and test/engines. A pattern is a regular expression that ignores case.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { bundle } from './bundle.mjs';
import { runFolder } from './runTests.mjs';

const patterns = process.argv.slice(2).map((pattern) => new RegExp(pattern, 'i'));
const tests = readdirSync('test', { recursive: true })
  .map((file) => `test/${file}`)
  .filter((file) => /\.test\.tsx?$/.test(file) && !/^test\/(browser|engines)\//.test(file))
  .filter((file) => !patterns.length || patterns.some((pattern) => pattern.test(file)));
if (!tests.length) {
  console.error(`No test file matches ${patterns.join(' or ')}`);
  process.exit(1);
}
if (patterns.length) console.log(`${tests.sort().join('\n')}\n`);

// One more than there are processors: a test waits for its database part of the time.
const workers = Math.min(4, availableParallelism() + 1);
await runFolder(await bundle('run', [...tests, 'test/closing.ts']), { preload: ['./dom.mjs'], workers });

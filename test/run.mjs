// node test/run.mjs [--world] [pattern ...]: bundles and runs the test files whose path matches one of the patterns, or
// all of them except test/browser and test/engines. A pattern is a regular expression that ignores case. With --world
// only those that use the database of test/world.ts, which DATABASE_URL can name; the others start their own.
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';
import { runFolder } from './runTests.mjs';

const {
  values: { world },
  positionals,
} = parseArgs({ options: { world: { type: 'boolean' } }, allowPositionals: true });
const patterns = positionals.map((pattern) => new RegExp(pattern, 'i'));
const tests = readdirSync('test', { recursive: true })
  .map((file) => `test/${file}`)
  .filter((file) => /\.test\.tsx?$/.test(file) && !/^test\/(browser|engines)\//.test(file))
  .filter((file) => !patterns.length || patterns.some((pattern) => pattern.test(file)))
  .filter((file) => !world || /from '[./]+\/world'/.test(readFileSync(file, 'utf8')));
if (!tests.length) {
  console.error(`No test file matches ${patterns.join(' or ')}`);
  process.exit(1);
}
if (patterns.length) console.log(`${tests.sort().join('\n')}\n`);

await runFolder(await bundle('run', [...tests, 'test/closing.ts']), { preload: ['./dom.mjs'] });

// node test/run.mjs [pattern]: bundles test/**/*.test.ts(x) into a folder of its own, then runs those whose path matches.
import { readdirSync } from 'node:fs';
import { bundle } from './bundle.mjs';
import { runFolder } from './runSuites.mjs';

const pattern = new RegExp(`${process.argv[2] ?? ''}.*\\.test\\.tsx?$`);
const tests = readdirSync('test', { recursive: true })
  .map((file) => `test/${file}`)
  .filter((file) => pattern.test(file) && !/^test\/(browser|engines)\//.test(file));
if (!tests.length) {
  console.error(`No test file matches ${pattern}`);
  process.exit(1);
}

await runFolder(await bundle('run', [...tests, 'test/closing.ts']), { preload: ['./dom.mjs'] });

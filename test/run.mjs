// node test/run.mjs [pattern]: bundles test/**/*.test.ts(x) into a folder of its own, then runs those whose path matches.
import './dom.mjs';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { parse } from 'uvu/parse';
import { runSuites } from './runSuites.mjs';
import { mendDriver } from '../src/build/mendDriver.mjs';

const pattern = new RegExp(`${process.argv[2] ?? ''}.*\\.test\\.tsx?$`);
const tests = readdirSync('test', { recursive: true })
  .map((file) => `test/${file}`)
  .filter((file) => pattern.test(file) && !file.startsWith('test/browser/'));
if (!tests.length) {
  console.error(`No test file matches ${pattern}`);
  process.exit(1);
}

mkdirSync('.test', { recursive: true });
const outdir = mkdtempSync('.test/run-'); // two runs at once must not meet
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
await build({
  entryPoints: [...tests, 'test/closing.ts'], outdir, outbase: 'test', bundle: true, splitting: true, packages: 'external', plugins: [mendDriver],
  platform: 'node', format: 'esm', jsx: 'automatic', sourcemap: 'inline', logLevel: 'error', loader: { '.sql': 'text' },
});

// The bundle's own copy: what the tests opened is closed by it.
const { closeAll } = await import(`../${outdir}/closing.js`);
let failure;
try {
  const { suites } = await parse(outdir, /\.test\.js$/);
  await runSuites(suites);
} catch (error) {
  failure = error;
  console.error(error);
} finally {
  await closeAll();
}
if (failure) process.exitCode = 1;
process.exit(); // with no argument: an undefined one would forget the exit code that uvu has set

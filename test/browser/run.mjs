// node test/browser/run.mjs [pattern]: the journeys of test/browser in a real Chromium, against the built app and server.
import { build } from 'esbuild';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { parse } from 'uvu/parse';
import { runSuites } from '../runSuites.mjs';
import { mendDriver } from '../../src/build/mendDriver.mjs';

const pattern = new RegExp(`${process.argv[2] ?? ''}.*\\.test\\.ts$`);
const tests = readdirSync('test/browser').filter((file) => pattern.test(file)).map((file) => `test/browser/${file}`);
if (!tests.length) stop(`No test file matches ${pattern}`);
if (!existsSync('build/server/main.mjs') || !existsSync('dist/index.html')) stop('Build first: npm run build');

mkdirSync('.test', { recursive: true });
const outdir = mkdtempSync('.test/browser-');
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
await build({
  entryPoints: [...tests, 'test/closing.ts', 'test/browser/harness.ts'], outdir, outbase: 'test', bundle: true, splitting: true, packages: 'external', plugins: [mendDriver],
  platform: 'node', format: 'esm', jsx: 'automatic', sourcemap: 'inline', logLevel: 'error', loader: { '.sql': 'text' },
});
const { chromiumPath } = await import(`../../${outdir}/browser/harness.js`);
if (!chromiumPath()) stop('No Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.');

const { closeAll } = await import(`../../${outdir}/closing.js`);
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
process.exit();

function stop(words) {
  console.error(words);
  process.exit(1);
}

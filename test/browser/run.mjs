// node test/browser/run.mjs [pattern]: the journeys of test/browser in a real Chromium, against the built app and server.
import { existsSync, readdirSync } from 'node:fs';
import { bundle } from '../bundle.mjs';
import { runFolder } from '../runSuites.mjs';

const pattern = new RegExp(`${process.argv[2] ?? ''}.*\\.test\\.ts$`);
const tests = readdirSync('test/browser').filter((file) => pattern.test(file)).map((file) => `test/browser/${file}`);
if (!tests.length) stop(`No test file matches ${pattern}`);
if (!existsSync('build/server/main.mjs') || !existsSync('dist/index.html')) stop('Build first: npm run build');

const outdir = await bundle('browser', [...tests, 'test/closing.ts', 'test/browser/harness.ts']);
const { chromiumPath } = await import(`${outdir}/browser/harness.js`);
if (!chromiumPath()) stop('No Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.');
await runFolder(outdir);

function stop(words) {
  console.error(words);
  process.exit(1);
}

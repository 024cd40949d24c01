// node test/browser/run.mjs [--light] [--engines] [pattern ...]: builds, then runs the journeys of test/browser whose
// name matches one of the patterns, or all of them, in a real Chromium; with --engines those of test/engines too, in
// Firefox and WebKit.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { runFolder } from '../runTests.mjs';

const {
  values: { light, engines },
  positionals,
} = parseArgs({ options: { light: { type: 'boolean' }, engines: { type: 'boolean' } }, allowPositionals: true });
const pattern = new RegExp(`(${positionals.join('|')}).*\\.test\\.ts$`);
const tests = ['test/browser', ...(engines ? ['test/engines'] : [])]
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .filter((file) => pattern.test(basename(file)));
if (!tests.length) stop(`No test file matches ${pattern}`);
const built = spawnSync(process.execPath, ['build.mjs', '--warn', ...(light ? ['--light'] : [])], { stdio: 'inherit' });
if (built.status !== 0) stop('The build failed.');

const outdir = await bundle('browser', [...tests, 'test/closing.ts', 'test/browser/harness.ts']);
const { chromiumPath, writeDemoData } = await import(`${outdir}/browser/harness.js`);
if (!chromiumPath())
  stop('No Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.');
const demoData = await writeDemoData();
process.on('exit', () => rmSync(dirname(demoData), { recursive: true, force: true }));
process.env.DEMO_DATA = demoData;
// The engines wait most of their time, which others can use; axe takes the longest.
await runFolder(outdir, { first: /^(engines|browser\/axe)/ });

function stop(words) {
  console.error(words);
  process.exit(1);
}

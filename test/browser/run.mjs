// node test/browser/run.mjs [--light | --if-stale] [--engines] [pattern ...]: builds, as build.mjs does with these,
// then runs the journeys of test/browser whose name matches one of the patterns, or all of them, in a real Chromium;
// with --engines those of test/engines too, in Firefox and WebKit.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';
import { runFolder } from '../runTests.mjs';

const flag = { type: 'boolean' };
const options = { light: flag, 'if-stale': flag, engines: flag };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const pattern = new RegExp(`(${positionals.join('|')}).*\\.test\\.ts$`);
const tests = ['test/browser', ...(values.engines ? ['test/engines'] : [])]
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .filter((file) => pattern.test(basename(file)));
if (!tests.length) stop(`No test file matches ${pattern}`);
const how = values['if-stale'] ? ['--if-stale'] : ['--warn', ...(values.light ? ['--light'] : [])];
const built = spawnSync(process.execPath, ['build.mjs', ...how], { stdio: 'inherit' });
if (built.status !== 0) stop('The build failed.');

const outdir = await bundle('browser', [...tests, 'test/closing.ts', 'test/browser/harness.ts']);
const { chromiumPath, writeDemoData } = await import(`${outdir}/browser/harness.js`);
if (!chromiumPath())
  stop('No Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.');
// Where DEMO_DATA says, another run finds them again.
if (!process.env.DEMO_DATA) {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.DEMO_DATA = join(folder, 'data');
}
if (!existsSync(process.env.DEMO_DATA)) await writeDemoData(process.env.DEMO_DATA);
// The engines wait most of their time, which others can use; axe takes the longest.
await runFolder(outdir, { first: /^(engines|browser\/axe)/ });

function stop(words) {
  console.error(words);
  process.exit(1);
}

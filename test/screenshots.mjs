// node test/screenshots.mjs: takes the pictures of docs/screenshots/ in an installed Chromium, from the built app.
import { existsSync } from 'node:fs';
import { bundle } from './bundle.mjs';

if (!existsSync('build/server/main.mjs') || !existsSync('dist/index.html')) stop('Build first: npm run build');
const outdir = await bundle('screenshots', ['test/screenshots.ts', 'test/closing.ts', 'test/browser/harness.ts']);
const { chromiumPath } = await import(`${outdir}/browser/harness.js`);
if (!chromiumPath()) stop('No Chromium found: install it (apt-get install chromium) or set CHROMIUM_PATH to one.');

const { takeScreenshots } = await import(`${outdir}/screenshots.js`);
const { closeAll } = await import(`${outdir}/closing.js`);
try {
  await takeScreenshots('docs/screenshots');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
await closeAll();
process.exit();

function stop(words) {
  console.error(words);
  process.exit(1);
}

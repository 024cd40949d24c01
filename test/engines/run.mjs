// node test/engines/run.mjs: the main job in Firefox and in WebKit, against the built app and server.
import { existsSync, readdirSync } from 'node:fs';
import { bundle } from '../bundle.mjs';
import { runFolder } from '../runTests.mjs';

if (!existsSync('build/server/main.mjs') || !existsSync('dist/index.html')) stop('Build first: npm run build');
const pattern = new RegExp(`${process.argv[2] ?? ''}.*\\.test\\.ts$`);
const tests = readdirSync('test/engines')
  .filter((file) => pattern.test(file))
  .map((file) => `test/engines/${file}`);
const outdir = await bundle('engines', [...tests, 'test/closing.ts', 'test/engines/driver.ts']);
const { missing } = await import(`${outdir}/engines/driver.js`);
if (missing().length) stop(`Not installed: ${missing().join(', ')} (Debian: apt-get install ${missing().join(' ')})`);
await runFolder(outdir);

function stop(words) {
  console.error(words);
  process.exit(1);
}

// npm run bench:api [-- --small | --part N] [--data FOLDER] [--rounds N]: speed of the API over HTTP, against the bare queries, in a large database.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mendDriver } from '../../src/build/mendDriver.mjs';

mkdirSync('.test', { recursive: true });
const outdir = realpathSync(mkdtempSync('.test/bench-'));
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
const common = { bundle: true, packages: 'external', plugins: [mendDriver], loader: { '.sql': 'text' }, platform: 'node', format: 'esm', logLevel: 'error' };
await build({ ...common, entryPoints: ['src/server/main.ts'], outfile: `${outdir}/build/server/main.mjs` }); // the server as it is delivered, in a process of its own
await build({ ...common, entryPoints: ['test/bench/api/main.ts'], outfile: `${outdir}/bench.mjs`, sourcemap: 'inline' });
const { main } = await import(`${outdir}/bench.mjs`);
process.exit(await main(process.argv.slice(2), `${outdir}/build/server/main.mjs`));

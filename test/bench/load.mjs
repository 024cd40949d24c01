// npm run bench:load [-- --runs 5] [--quick] [--app dist]: bytes, requests and times of the app against a bare React page, on a slow line.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';

mkdirSync('.test', { recursive: true });
const outdir = mkdtempSync('.test/bench-');
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
await build({
  entryPoints: ['test/bench/load/main.ts'], outdir, bundle: true, packages: 'external',
  loader: { '.sql': 'text' }, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' }, sourcemap: 'inline', logLevel: 'error',
});
const { main } = await import(`../../${outdir}/main.mjs`);
process.exit(await main(process.argv.slice(2)));

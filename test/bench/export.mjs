// npm run bench:export [-- --rows 100000]: CSV of that many purchases and players over HTTP, its time and memory, and the lists at that size.
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';

mkdirSync('.test', { recursive: true });
const outdir = mkdtempSync('.test/bench-');
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
await build({
  entryPoints: ['test/bench/export/main.ts'], outdir, bundle: true, packages: 'external',
  loader: { '.sql': 'text' }, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' }, sourcemap: 'inline', logLevel: 'error',
});
const { main } = await import(`../../${outdir}/main.mjs`);
process.exit(await main(process.argv.slice(2)));

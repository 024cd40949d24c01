// npm run bench:api [-- --small | --part N] [--data FOLDER] [--rounds N] [--only PATTERN] [--verify]
//   [--each | --statements] [--against PROGRAM]
// Measures the speed of the API over HTTP, against the bare queries, in a large database.
import { build } from 'esbuild';
import { bundle } from '../bundle.mjs';

const folder = await bundle('bench', ['test/bench/api/main.ts']);
const server = `${folder}/build/server/main.mjs`; // as it is delivered, in a process of its own
await build({
  entryPoints: ['src/server/main.ts'],
  outfile: server,
  bundle: true,
  packages: 'external',
  loader: { '.sql': 'text' },
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
const { main } = await import(`${folder}/bench/api/main.js`);
process.exit(await main(process.argv.slice(2), server));

// npm run bench:spread -- PLAIN_URL CITUS_URL [--seconds N] [--only PATTERN]
// The same server and the same calls on a plain PostgreSQL and on a coordinator of Citus, in turns. Both URLs name
// databases that are empty, or were filled by an earlier run. The plain one should be of the same version.
import { build } from 'esbuild';
import { bundle } from '../bundle.mjs';

const folder = await bundle('bench', ['test/bench/spread/main.ts']);
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
const { main } = await import(`${folder}/bench/spread/main.js`);
process.exit(await main(process.argv.slice(2), server));

// npm run bench:load [-- --runs 5] [--quick]
// Measures bytes, requests and times of both builds of the app against a bare React page, on a slow connection.
import { bundle } from '../bundle.mjs';

const { main } = await import(`${await bundle('bench', ['test/bench/load/main.ts'])}/bench/load/main.js`);
process.exit(await main(process.argv.slice(2)));

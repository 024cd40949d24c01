// npm run bench:import [-- --rows 100000]
// Imports that many players and transactions as CSV over HTTP: rows per second, memory of the server.
import { bundle } from '../bundle.mjs';

const { main } = await import(`${await bundle('bench', ['test/bench/import/main.ts'])}/bench/import/main.js`);
process.exit(await main(process.argv.slice(2)));

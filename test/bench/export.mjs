// npm run bench:export [-- --rows 100000]
// Exports that many purchases and players as CSV over HTTP: time and memory, and the lists at that size.
import { bundle } from '../bundle.mjs';

const { main } = await import(`${await bundle('bench', ['test/bench/export/main.ts'])}/bench/export/main.js`);
process.exit(await main(process.argv.slice(2)));

// npm run bench:export [-- --rows 100000]: CSV of that many purchases and players over HTTP, its time and memory, and the lists at that size.
import { bundle } from '../bundle.mjs';

const { main } = await import(`${await bundle('bench', ['test/bench/export/main.ts'])}/bench/export/main.js`);
process.exit(await main(process.argv.slice(2)));

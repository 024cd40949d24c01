// npm run bench:scale [-- --help] [--tables] [--inputs FILE] [--settle-db 1.6 …]
// Simulates from measured service times what the product carries on many machines.
import { bundle } from '../bundle.mjs';

const { main } = await import(`${await bundle('bench', ['test/bench/scale/main.ts'])}/bench/scale/main.js`);
process.exit(main(process.argv.slice(2)));

// npm run bench:events [-- --rounds N]
// Measures what events cost a settlement and how fast they leave, and tells whether they came in order.
import { bundle } from '../bundle.mjs';

const folder = await bundle('bench', ['test/bench/events/main.ts', 'test/closing.ts']);
const { main } = await import(`${folder}/bench/events/main.js`);
const { closeAll } = await import(`${folder}/closing.js`);
const code = await main(process.argv.slice(2));
await closeAll();
process.exit(code);

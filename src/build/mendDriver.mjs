/**
 * Mends the PostgreSQL driver while it is bundled. When a connection is lost in the middle of a transaction, version 3.4.9 writes to a socket
 * that is gone, which ends the process; or keeps the unsent bytes and never sends anything again; or lets the rest of the transaction run on
 * the connection after it has been opened anew, among somebody else's statements. See porsager/postgres#1154 and #1208.
 * A text that is not found fails the build, so that a newer driver is looked at again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const mends = {
  'connection.js': [
    // What was not sent dies with the connection, and everybody who waits for an answer is told, whatever closed it.
    ['    incomings = null\n    clearImmediate(nextWriteTimer)\n', '    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n'],
    ["!hadError && (query || sent.length) && error(", 'if (query || sent.length) error('],
    ['    closedTime = performance.now()\n', '    query = null\n    closedTime = performance.now()\n'],
    ['    if (stream)\n      return queryError(q, Errors.generic(', "    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n\n    if (stream)\n      return queryError(q, Errors.generic("],
    // The driver's own question for the types has nobody who waits for it, and so nobody who would catch its failure.
    ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n'],
    ['    if (initial)\n      return reconnect()\n', '    if (initial)\n      return query = null, reconnect()\n'],
  ],
  'index.js': [
    // A transaction ends with its connection: what it still asks for is refused.
    ['new Promise((_, reject) => connection.onclose = reject)', 'new Promise((_, reject) => connection.onclose = (error) => { lost = error; while (queries.length) queries.shift().reject(error); reject(error) })'],
    ['      , connection\n      , prepare = null\n', '      , connection\n      , lost = null\n      , prepare = null\n'],
    ['q.catch(e => uncaughtError || (uncaughtError = e))\n', 'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n'],
  ],
};

/** An esbuild plugin that bundles the driver, mended, even where packages stay outside. */
export const mendDriver = {
  name: 'mend-driver',
  setup(build) {
    build.onResolve({ filter: /^postgres$/ }, () => ({ path: fileURLToPath(import.meta.resolve('postgres')) }));
    build.onLoad({ filter: /[\\/]postgres[\\/]src[\\/](connection|index)\.js$/ }, ({ path }) => {
      const name = path.endsWith('index.js') ? 'index.js' : 'connection.js';
      const contents = mends[name].reduce((text, [from, to]) => {
        if (text.split(from).length !== 2) throw new Error(`${name} of the PostgreSQL driver is not as expected: see src/build/mendDriver.mjs`);
        return text.replace(from, () => to);
      }, readFileSync(path, 'utf8'));
      return { contents, loader: 'js' };
    });
  },
};

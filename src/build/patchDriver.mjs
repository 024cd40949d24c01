/**
 * Patches the PostgreSQL driver while it is bundled. Version 3.4.9 has these faults when a connection is lost during a
 * transaction (porsager/postgres#1154, #1189 and #1208):
 * - It writes to a closed socket, which ends the process.
 * - It keeps the unsent bytes and never sends anything again.
 * - It runs the rest of the transaction on the reopened connection, among the statements of another caller.
 * - It answers the first query on the new connection with the result of the old one.
 *
 * Two more patches make it faster: a connection no longer keeps every statement it ever prepared, and a query gets the
 * connection that was used last, not the one that was idle longest.
 *
 * The build fails if a text to replace is not found, so a newer driver must be reviewed again.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const MOST_STATEMENTS = 400;
const patches = {
  'connection.js': [
    // Unsent bytes are dropped with the connection. Every waiting query fails, however the connection was closed.
    [
      '    incomings = null\n    clearImmediate(nextWriteTimer)\n',
      '    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
    ],
    ['!hadError && (query || sent.length) && error(', 'if (query || sent.length) error('],
    // The next connection starts without a query or an error; its first query would fail with the old error.
    [
      '    closedTime = performance.now()\n',
      '    query = results = errorResponse = null\n' +
        '    result = new Result()\n    closedTime = performance.now()\n',
    ],
    // A transaction reserves its connection once 'begin' is written, even if the socket is still busy (#1189).
    [
      '      return write(toBuffer(q))\n        && !q.describeFirst',
      '      const isRoom = write(toBuffer(q))\n' +
        '      q.options.onexecute && q.options.onexecute(connection)\n' +
        '      return isRoom\n        && !q.options.onexecute\n        && !q.describeFirst',
    ],
    [
      '        && sent.length < max_pipeline\n        && (!q.options.onexecute || q.options.onexecute(connection))\n',
      '        && sent.length < max_pipeline\n',
    ],
    ['    !query && onopen(connection)\n', '    !query && !connection.reserved && onopen(connection)\n'],
    [
      '    if (stream)\n      return queryError(q, Errors.generic(',
      "    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n\n" +
        '    if (stream)\n      return queryError(q, Errors.generic(',
    ],
    // Nobody awaits the driver's own query for the array types, so its error would be an unhandled rejection.
    ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n'],
    ['    if (initial)\n      return reconnect()\n', '    if (initial)\n      return query = null, reconnect()\n'],
    // Each combination of filters of a list is a statement of its own, and a prepared statement takes memory here and
    // in the database. After the first few hundred, statements are not prepared.
    [
      '    q.signature = q.prepare && types + string\n',
      '    q.signature = q.prepare && types + string\n' +
        '    if (q.prepare && !(q.signature in statements) &&\n' +
        `      Object.keys(statements).length >= ${MOST_STATEMENTS})\n` +
        '      q.prepare = q.signature = false\n',
    ],
  ],
  // A query takes the connection that was used last: its statements are prepared, its caches warm.
  'queue.js': [
    ['    push: (x) => (xs.push(x), x),\n', '    push: (x) => (xs.push(x), x),\n    pop: () => xs.pop(),\n'],
  ],
  'index.js': [
    ['      return go(open.shift(), query)\n', '      return go(open.pop(), query)\n'],
    // A transaction ends with its connection: its later statements fail.
    [
      'new Promise((_, reject) => connection.onclose = reject)',
      'new Promise((_, reject) => connection.onclose = (error) => {\n' +
        '        lost = error\n' +
        '        while (queries.length) queries.shift().reject(error)\n' +
        '        reject(error)\n      })',
    ],
    [
      '      , connection\n      , prepare = null\n',
      '      , connection\n      , lost = null\n      , prepare = null\n',
    ],
    [
      'q.catch(e => uncaughtError || (uncaughtError = e))\n',
      'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n',
    ],
  ],
};

/** An esbuild plugin that bundles the patched driver, even if other packages stay external. */
export const patchDriver = {
  name: 'mend-driver',
  setup(build) {
    build.onResolve({ filter: /^postgres$/ }, () => ({ path: fileURLToPath(import.meta.resolve('postgres')) }));
    build.onLoad({ filter: /[\\/]postgres[\\/]src[\\/](connection|index|queue)\.js$/ }, ({ path }) => {
      const name = basename(path);
      const contents = patches[name].reduce(
        (text, [from, to]) => {
          if (text.split(from).length !== 2)
            throw new Error(`${name} of the PostgreSQL driver is not as expected: see src/build/patchDriver.mjs`);
          return text.replace(from, () => to);
        },
        readFileSync(path, 'utf8'),
      );
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Mends the PostgreSQL driver while it is bundled. When a connection is lost in the middle of a transaction, version 3.4.9 writes to a socket
 * that is gone, which ends the process; or keeps the unsent bytes and never sends anything again; or lets the rest of the transaction run on
 * the connection after it has been opened anew, among somebody else's statements; or answers the first question on the new connection with
 * the old one's answer. See porsager/postgres#1154, #1189 and #1208.
 * A connection keeps every statement it ever prepared.
 * And its pool gives each call the connection that has rested longest, so that of ten none is ever warm.
 * A text that is not found fails the build, so that a newer driver is looked at again.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const MOST_STATEMENTS = 400;
const mends = {
  'connection.js': [
    // What was not sent dies with the connection, and everybody who waits for an answer is told, whatever closed it.
    [
      '    incomings = null\n    clearImmediate(nextWriteTimer)\n',
      '    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
    ],
    ['!hadError && (query || sent.length) && error(', 'if (query || sent.length) error('],
    // Neither a question nor an error is carried over to the next connection, whose first question would get that error as its answer.
    [
      '    closedTime = performance.now()\n',
      '    query = results = errorResponse = null\n    result = new Result()\n    closedTime = performance.now()\n',
    ],
    // A transaction has its connection to itself once 'begin' is written, however much else is still to be written (#1189).
    [
      '      return write(toBuffer(q))\n        && !q.describeFirst',
      '      const isRoom = write(toBuffer(q))\n      q.options.onexecute && q.options.onexecute(connection)\n      return isRoom\n        && !q.options.onexecute\n        && !q.describeFirst',
    ],
    [
      '        && sent.length < max_pipeline\n        && (!q.options.onexecute || q.options.onexecute(connection))\n',
      '        && sent.length < max_pipeline\n',
    ],
    ['    !query && onopen(connection)\n', '    !query && !connection.reserved && onopen(connection)\n'],
    [
      '    if (stream)\n      return queryError(q, Errors.generic(',
      "    if (!socket)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n\n    if (stream)\n      return queryError(q, Errors.generic(",
    ],
    // The driver's own question for the types has nobody who waits for it, and so nobody who would catch its failure.
    ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n'],
    ['    if (initial)\n      return reconnect()\n', '    if (initial)\n      return query = null, reconnect()\n'],
    // Lists ask in thousands of forms, each combination of filters its own: what comes after the first hundreds is not kept, here and in the database, for as long as the connection lasts.
    [
      '    q.signature = q.prepare && types + string\n',
      `    q.signature = q.prepare && types + string\n    if (q.prepare && !(q.signature in statements) && Object.keys(statements).length >= ${MOST_STATEMENTS})\n      q.prepare = q.signature = false\n`,
    ],
  ],
  // A call takes the connection that was used last: its statements are prepared, its caches warm.
  'queue.js': [
    ['    push: (x) => (xs.push(x), x),\n', '    push: (x) => (xs.push(x), x),\n    pop: () => xs.pop(),\n'],
  ],
  'index.js': [
    ['      return go(open.shift(), query)\n', '      return go(open.pop(), query)\n'],
    // A transaction ends with its connection: what it still asks for is refused.
    [
      'new Promise((_, reject) => connection.onclose = reject)',
      'new Promise((_, reject) => connection.onclose = (error) => { lost = error; while (queries.length) queries.shift().reject(error); reject(error) })',
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

/** An esbuild plugin that bundles the driver, mended, even where packages stay outside. */
export const mendDriver = {
  name: 'mend-driver',
  setup(build) {
    build.onResolve({ filter: /^postgres$/ }, () => ({ path: fileURLToPath(import.meta.resolve('postgres')) }));
    build.onLoad({ filter: /[\\/]postgres[\\/]src[\\/](connection|index|queue)\.js$/ }, ({ path }) => {
      const name = basename(path);
      const contents = mends[name].reduce(
        (text, [from, to]) => {
          if (text.split(from).length !== 2)
            throw new Error(`${name} of the PostgreSQL driver is not as expected: see src/build/mendDriver.mjs`);
          return text.replace(from, () => to);
        },
        readFileSync(path, 'utf8'),
      );
      return { contents, loader: 'js' };
    });
  },
};

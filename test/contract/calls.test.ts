/** The table of calls says what the app and the server rely on. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallSpec } from '../../src/contract/calls';

const all = Object.entries<CallSpec>(calls);
const names = (isWanted: (call: CallSpec) => boolean) => all.filter(([, call]) => isWanted(call)).map(([name]) => name);

test('every read says how its answer is read, and nothing else does', () => {
  assert.ok(all.length > 50);
  assert.equal(
    names(({ answer }) => answer !== undefined),
    names(({ method }) => method === 'GET'),
  );
});

test('a call that is named for a list answers one, or a page of one', () => {
  const lists = names(({ answer }) => answer === 'list' || answer === 'platforms' || answer === 'playerPage');
  assert.equal(
    lists.filter((name) => !/^(list|search[A-Z])/.test(name)),
    [],
  );
  assert.equal(
    all.map(([name]) => name).filter((name) => /^(list|search[A-Z])/.test(name) && !lists.includes(name)),
    [],
  );
});

test('no two calls share a method and a path', () => {
  const lines = all.map(([, { method, path }]) => `${method} ${path}`);
  assert.is(new Set(lines).size, lines.length);
});

test.run();

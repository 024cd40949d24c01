/** What every call, and every screen, beyond the specified contract (docs/product.md, "Calls") must have. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type CallSpec, calls } from '../../src/contract/calls';
import { additionRows } from '../browser/additionFaultRows';
import { adminAdditions, adminViews, superAdditions, superViews } from '../browser/axeViews';

const all = Object.entries<CallSpec>(calls);

test('a call beyond the contract that somebody waits for has its row in test/browser/additionFaultRows.ts', () => {
  const additions = all
    .filter(([, call]) => call.feature && call.who !== 'key' && !call.isSigned)
    .map(([name]) => name);
  assert.equal(
    additions.filter((name) => name !== 'logout' && !additionRows.some(({ call }) => call === name)),
    [],
  );
});

test('every route of App.tsx is looked at in test/browser/axeViews.ts', () => {
  const routes = [...readFileSync('src/app/App.tsx', 'utf8').matchAll(/<Route path="([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  assert.ok(routes.length > 5);
  const views = [...superViews, ...superAdditions, ...adminViews, ...adminAdditions].map(({ path }) =>
    path.replace(/\?.*/, ''),
  );
  assert.equal(
    routes.filter((route) => !views.includes(route)),
    [],
  );
});

test.run();

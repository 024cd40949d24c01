/** `node test/run.mjs --changed` finds the tests that tell what was left out. */
import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const tests = ['server/db/migrate', 'contract/product', 'contract/axeViews'].map((name) => `test/${name}.test.ts`);
const testsOf = (file: string): string[] => {
  const script = `import { testsOf } from './test/changed.mjs';
    console.log(JSON.stringify(await testsOf(${JSON.stringify(tests)}, ['${file}'])));`;
  return JSON.parse(execFileSync('node', ['--input-type=module', '-e', script], { encoding: 'utf8' }));
};

test('a new migration asks whether it is on the list; any change, whether docs and axe know of it', () => {
  assert.equal(testsOf('src/server/db/migrations/9999_new.sql'), tests);
  assert.equal(testsOf('src/contract/call.ts').slice(-2), tests.slice(1));
});

test.run();

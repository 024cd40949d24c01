/** docs/security.md names proofs that exist, and docs/asvs.csv is what the titles of tests say. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

test('docs/asvs.csv has the tests that are tagged with a requirement', () => {
  const made = execFileSync(process.execPath, ['test/asvs.mjs'], { encoding: 'utf8' });
  assert.is(readFileSync('docs/asvs.csv', 'utf8'), made, 'run npm run asvs: a tagged test has come, gone or changed');
});

test('every proof that docs/security.md names exists', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const proofs = [...page.matchAll(/`npm run prove -- (\w+)`/g)].map(([, name]) => name);
  assert.ok(proofs.length > 3);
  assert.equal(
    proofs.filter((name) => !existsSync(`test/prove/${name}.ts`)),
    [],
  );
});

test.run();

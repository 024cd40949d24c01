/** docs/security.md names tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const page = readFileSync('docs/security.md', 'utf8');
/** Each file that is named, and the names of tests that follow it up to the next file. */
const named = [...page.matchAll(/`(test\/[\w/.]+\.ts)`((?:(?!`test\/)[^|\n])*)/g)].map(([, file = '', rest = '']) => ({
  file,
  tests: [...rest.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name),
}));

test('every test that docs/security.md names exists, word for word', () => {
  assert.ok(named.length > 40 && named.flatMap(({ tests }) => tests).length > 50, String(named.length));
  const missing = named.flatMap(({ file, tests }) => {
    if (!existsSync(file)) return [file];
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    return tests
      .filter((name) => !["'", '"', '`'].some((quote) => source.includes(`(${quote}${name}${quote},`)))
      .map((name) => `${file}: ${name}`);
  });
  assert.equal(missing, []);
});

test('every proof that it names exists', () => {
  const proofs = [...page.matchAll(/`npm run prove -- (\w+)`/g)].map(([, name]) => name);
  assert.ok(proofs.length > 3);
  assert.equal(
    proofs.filter((name) => !existsSync(`test/prove/${name}.ts`)),
    [],
  );
});

test.run();

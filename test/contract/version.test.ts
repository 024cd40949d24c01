import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fits, VERSION } from '../../src/contract/version';

test('the version is the same wherever it is written', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const lock = read('package-lock.json');
  assert.is(read('package.json').version, VERSION);
  assert.equal([lock.version, lock.packages[''].version], [VERSION, VERSION]);
  const [, newest] = /^## \[(\d[^\]]*)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  assert.is(newest, VERSION);
});

test('an app fits servers whose version differs in the last number alone', () => {
  const [major, minor] = VERSION.split('.').map(Number) as [number, number];
  assert.ok(fits(VERSION));
  assert.ok(fits(`${major}.${minor}.123`));
  for (const other of [`${major}.${minor + 1}.0`, `${major}.${minor}0.0`, `${major + 1}.${minor}.0`, '', 'x'])
    assert.not.ok(fits(other), other);
});

test.run();

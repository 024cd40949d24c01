import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readKeyFile } from '../../../src/server/auth/keyFile';

let folder: string;
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

test('a key is made once, for its owner alone, and is the same ever after', () => {
  const key = readKeyFile(folder, { mayCreate: true });
  assert.is(key.length, 32);
  assert.equal(readKeyFile(folder, { mayCreate: true }), key);
  assert.equal(readKeyFile(folder), key);
  assert.equal(readdirSync(folder), ['secret.key']);
  assert.is(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600);
});

test("a key whose writing was cut off stands in nobody's way", () => {
  writeFileSync(join(folder, 'secret.key.new'), 'ha');
  assert.is(readKeyFile(folder, { mayCreate: true }).length, 32);
});

test('a missing or damaged key of a database in use is never replaced', () => {
  assert.throws(() => readKeyFile(folder), /is missing; put it back/);
  writeFileSync(join(folder, 'secret.key'), 'half a k', { mode: 0o600 });
  for (const mayCreate of [true, false])
    assert.throws(() => readKeyFile(folder, { mayCreate }), /is damaged; put it back/);
  assert.is(readFileSync(join(folder, 'secret.key'), 'utf8'), 'half a k');
});

test('a key file that others can read or change is refused, and so is one that another user owns', () => {
  const key = readKeyFile(folder, { mayCreate: true });
  const file = join(folder, 'secret.key');
  for (const mode of [0o644, 0o640, 0o660, 0o604, 0o620, 0o602, 0o610]) {
    chmodSync(file, mode);
    assert.throws(() => readKeyFile(folder), /chmod 600 '.*secret\.key', and replace the key/, mode.toString(8));
    assert.throws(() => readKeyFile(folder, { mayCreate: true }), /Other users can read or change/, mode.toString(8));
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(file, mode);
    assert.equal(readKeyFile(folder), key);
  }
  if (process.getuid?.() !== 0) return;
  chownSync(file, 65_534, 65_534);
  assert.throws(() => readKeyFile(folder), /belongs to another user \(uid 65534\)/);
});

test.run();

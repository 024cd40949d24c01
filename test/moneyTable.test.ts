/** The table of every way money moves (docs/permissions.md) has every verb of the ledger, with its calls and a test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../src/contract/allCalls';
import type { CallName } from '../src/contract/calls';

const root = process.cwd();
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const LEDGER = 'src/server/ledger';

/** What every verb ends in, and the seals, which move nothing. */
const parts = ['post', 'postMovement', 'sealPendingRedeems', 'resealRedeems'];
const WRITES =
  /\bpost(Movement)?\(|saveSeals\(|\b(insert into|update|delete from) (wallets|transfers|transactions|redeems)\b/;

/** The exported functions that write money, each with the text up to the next one. */
const verbs = readdirSync(`${root}/${LEDGER}`)
  .flatMap((file) => read(`${LEDGER}/${file}`).split(/^(?=export )/m))
  .flatMap((text) => {
    const name = /^export (?:async function|const) (\w+)/.exec(text)?.[1];
    return name && WRITES.test(text) && !parts.includes(name) ? [name] : [];
  })
  .sort();

const rows = read('docs/permissions.md')
  .split('\n## Every way money moves\n')[1]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const names = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);

test('every verb of the ledger that writes money has its row', () => {
  assert.equal(rows.map(([, verb]) => names(verb)[0]!).sort(), verbs);
});

test('every row names calls, the permissions that the table of calls says, and a test that makes one of them', () => {
  const files = ['resources', 'imports', 'ledger'].map((folder) => `test/server/${folder}`);
  for (const [, verb, cell, permission, , testName] of rows) {
    const used = names(cell);
    assert.ok(used.length > 0, verb);
    for (const name of used) {
      assert.ok(Object.hasOwn(calls, name), `${verb}: ${name}`);
      const { who, needs } = calls[name as CallName] as { who: string; needs?: string };
      if (who === 'admin' && needs) assert.ok(names(permission).includes(needs), `${verb}: ${name} needs ${needs}`);
    }
    const file = files.map((folder) => `${folder}/${names(testName)[0]}.test.ts`).find((path) => existsSync(path));
    assert.ok(file && used.some((name) => read(file).includes(`.${name}(`)), `${verb}: ${testName}`);
  }
});

test.run();

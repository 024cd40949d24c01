/** docs/product.md names every call and the fields of every record (docs/product.md, "Calls", "Records"). */
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallSpec } from '../../src/contract/calls';
import { features } from '../../src/contract/constants';
import { type CallSchemas, schemas } from '../../src/contract/schemas/calls';

const page = readFileSync('docs/product.md', 'utf8');
const cut = (from: string, to: string) => page.slice(page.indexOf(from), page.indexOf(to));
const simple = (path: string) => path.replace(/\?.*/, '').replace(/\{\w+\}/g, '{}');
const named = (text: string) =>
  [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/api\/v1\/[^`]+)`/g)].map(
    ([, method, path = '']) => `${method} ${simple(path)}`,
  );

const specified = named(cut('\n## Calls', '\nOur server adds these calls'));
const added = cut('\nOur server adds these calls', '\nOther features only add keys')
  .split('\n- ')
  .slice(1)
  .flatMap((row) => {
    const [, head = ''] = /^(.+?): /.exec(row) ?? [];
    return named(row).map((call) => ({ call, head }));
  });
const all = Object.entries<CallSpec>(calls).map(([name, spec]) => ({
  ...spec,
  name,
  call: `${spec.method} ${simple(spec.path)}`,
}));

test('every call without a feature is in the first list of "Calls", and no other', () => {
  const plain = all.filter(({ feature }) => !feature);
  assert.equal(
    plain.filter(({ call }) => !specified.includes(call)).map(({ name }) => `the first list lacks ${name}`),
    [],
  );
  assert.equal(
    specified.filter((call) => !plain.some((one) => one.call === call)).map((call) => `${call} is no such call`),
    [],
  );
});

test('every call with a feature is in the second list, with its feature and who may make it, and no other', () => {
  const extras = all
    .filter(({ feature }) => feature)
    .map(({ name, call, feature, who, needs, isSigned }) => ({
      name,
      call,
      row: `\`${feature}\` (${needs ? `\`${needs}\`` : isSigned ? 'a signature' : who === 'key' ? 'API key' : who})`,
    }));
  const isIn = ({ call, row }: { call: string; row: string }) =>
    added.some((one) => one.call === call && one.head === row);
  assert.equal(
    extras.filter((extra) => !isIn(extra)).map(({ name, row, call }) => `the row "${row}" lacks ${name}: ${call}`),
    [],
  );
  assert.equal(
    added.filter(({ call }) => !extras.some((one) => one.call === call)).map(({ call }) => `${call} is no such call`),
    [],
  );
});

test('every feature has calls in the second list or is named as one that only adds keys', () => {
  const adding = cut('\nOther features only add keys', '\n`/api/docs` and');
  assert.ok(adding.includes('`reasons`'));
  const silent = features.filter(
    (name) =>
      name !== 'two_factor_setup' && !all.some(({ feature }) => feature === name) && !adding.includes(`\`${name}\``),
  );
  assert.is(silent.map((name) => `say under the second list which keys '${name}' adds`).join('\n'), '');
});

/** What valibot's schemas have in common here. */
interface Schema {
  type: string;
  entries?: Record<string, Schema>;
  item?: Schema;
  wrapped?: Schema;
}
/** The fields of a record and of the objects in it. A list of other records is one apart, unless it is of figures. */
function fieldsOf(schema: Schema): string[] {
  if (schema.wrapped) return fieldsOf(schema.wrapped);
  if (schema.item) return fieldsOf(schema.item);
  return Object.entries(schema.entries ?? {}).flatMap(([name, field]) => [
    name,
    ...(name === 'users' ? [] : fieldsOf(field)),
  ]);
}
const records = cut('\n## Records', '\n## Other servers')
  .split('\n- ')
  .slice(1)
  .map((item) => new Set([...item.matchAll(/`(\w+)`/g)].map(([, field = '']) => field)));

test('every record that a call of the contract answers is in "Records", with the fields of our server', () => {
  const answered = all
    .filter(({ feature }) => !feature)
    .map(({ name }) => {
      const { answer } = (schemas as Record<string, CallSchemas>)[name] ?? {};
      return { name, fields: fieldsOf(answer as unknown as Schema).filter((field) => field !== 'ok') };
    });
  assert.ok(answered.length > 30);
  assert.equal(
    answered
      .filter(({ fields }) => !records.some((record) => fields.every((field) => record.has(field))))
      .map(({ name, fields }) => `no record has all that ${name} answers: ${fields.join(', ')}`),
    [],
  );
});

test('what only our server answers is optional in the types of the app, which also has other servers', () => {
  const source = readdirSync('src/contract/schemas').map((name) =>
    readFileSync(`src/contract/schemas/${name}`, 'utf8'),
  );
  const table = readFileSync('src/contract/schemas/calls.ts', 'utf8');
  const ours = cut('\n## Records', '\n## Other servers')
    .split('\n- ')
    .map((item) => ({ item, names: [...(/; ours: ([^;]*)/.exec(item)?.[1] ?? '').matchAll(/`(\w+)`/g)] }));
  const found = new Set<string>();
  let tried = 0;
  for (const { name } of all.filter(({ feature }) => !feature)) {
    const [, type] = new RegExp(`\\b${name}: \\{[^}]*answer: (?:v\\.array\\()?(?:\\w+\\.)?(\\w+)`).exec(table) ?? [];
    const answer = (schemas as Record<string, CallSchemas>)[name]?.answer as unknown as Schema;
    const { entries = {} } = answer.item ?? answer;
    const record = ours
      .filter(({ item }) => Object.keys(entries).every((field) => item.includes(`\`${field}\``)))
      .sort((a, b) => a.item.length - b.item.length)[0];
    for (const [, field = ''] of type && record ? record.names : []) {
      const isLeftOut = new RegExp(`const ${type} = (?:f\\.)?optionalElsewhere\\([^{]*'${field}'`);
      if (!entries[field]) continue;
      tried++;
      if (entries[field].type !== 'optional' && !source.some((text) => isLeftOut.test(text)))
        found.add(`${type}: name '${field}' in its optionalElsewhere: other servers do not send it`);
    }
  }
  assert.ok(tried > 30, String(tried));
  assert.is([...found].join('\n'), '');
});

test.run();

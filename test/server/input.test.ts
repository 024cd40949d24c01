/**
 * Input is taken as meant or refused. Walks the whole contract: every call is sent every wrong shape of its path, query
 * and body, beside input that is right. A new call and a new field are covered the day they are added.
 */
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { calls } from '../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../src/contract/calls';
import { balanceKinds } from '../../src/contract/constants';
import { permissions } from '../../src/contract/permissions';
import { secretContext } from '../../src/server/auth/secrets';
import { newKey, signature } from '../integrations';
import { accepts, entriesOf } from '../prove/shapes';
import { people, reset, send, services, sql, tokenOf } from '../world';
import { everyCall, goodBody, goodQuery, needed, sample, schemasOf } from './everyCall';

const SECRET = 'signed with this';
const all = everyCall;
const bodyOf = (name: CallName) => schemasOf(name).body;
const writes = all.filter(([, { method }]) => method !== 'GET');

let tokens: Record<'sue' | 'ann' | 'key' | 'checkout', string>;
async function refill(): Promise<void> {
  await reset();
  await sql`insert into players (tenant_id, email) values (2, ${people.ann.email})`;
  await sql`update admins set permissions = ${[...permissions]} where id = ${people.ann.id}`;
  await sql`insert into tenant_platforms (tenant_id, platform_id, is_active) values (2, 3, true)`;
  const { secrets } = services;
  const credentials = secrets.encrypt('{"api_key":"a"}', secretContext.paymentMethod(2, 'apex'));
  const secret = secrets.encrypt(SECRET, secretContext.webhookSecret(2, 'apex'));
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret, webhook_secret)
    values (2, 'apex', ${credentials}, ${secret})`;
  tokens = {
    sue: await tokenOf('sue'),
    ann: await tokenOf('ann'),
    key: (await newKey()).key,
    checkout: (await services.sessions.start(sql, people.ann.id, 'test')).checkout,
  };
}
test.before.each(refill);

const textOf = (values: object) =>
  new URLSearchParams(Object.entries(values).map(([key, value]) => [key, String(value)]));
interface Sent {
  query?: URLSearchParams;
  /** As text, so that it can be anything. */
  body?: string;
  /** By the name of a placeholder. */
  path?: Record<string, string>;
}
function make(name: CallName, { query = textOf(goodQuery(name)), body, path = {} }: Sent): Promise<Response> {
  const { method, who, isSigned, path: pattern }: CallSpec = calls[name];
  const filled = pattern.replace(
    /\{(\w+)\}/g,
    (_, key: string) => path[key] ?? (key === 'platform' ? 'apex' : key === 'tenant_id' ? '2' : '1'),
  );
  const text = body ?? (bodyOf(name) ? JSON.stringify(goodBody(name)) : undefined);
  const { sue, ann, key } = tokens;
  const by: Partial<Record<CallSpec['who'], string>> = { super: sue, admin: ann, session: ann, key };
  return send(method, `${filled}?${query}`, {
    token: by[who],
    body: method === 'GET' ? undefined : text,
    headers: {
      ...(who === 'checkout' && { Cookie: `checkout=${tokens.checkout}` }),
      ...(who === 'key' && { 'Idempotency-Key': randomUUID() }),
      ...(isSigned && { 'X-Signature': signature(SECRET, text ?? '') }),
    },
  });
}
async function refusedWith422(name: CallName, sent: Sent, what: string): Promise<string> {
  const response = await make(name, sent);
  const answer = await response.text();
  assert.is(response.status, 422, `${name} took ${what}: ${answer}`);
  const { detail } = JSON.parse(answer) as { detail: string };
  assert.match(detail, /^(body|query|path)(\.[\w-]+)*: .{4,}/, `${name}, ${what}: a sentence`);
  return detail;
}
/** The body of a call with one field as it is written. */
function withRaw(name: CallName, key: string, raw: string): string {
  const { [key]: _, ...rest } = goodBody(name) as Record<string, unknown>;
  return `{${[...Object.entries(rest).map(([of, value]) => `"${of}":${JSON.stringify(value)}`), `"${key}":${raw}`].join()}}`;
}

/** Refused with this value of one field; says which one is wrong. */
const refusedField = (name: CallName, key: string, raw: string) =>
  refusedWith422(name, { body: withRaw(name, key, raw) }, `${key} ${raw}`);
/** Every field of every body. */
const bodyFields = writes.flatMap(([name]) => entriesOf(bodyOf(name)).map(([key, entry]) => ({ name, key, entry })));

test('what is right is not refused for its shape, so that the refusals below are due to what is wrong', async () => {
  for (const [name, { method }] of all) {
    if (method !== 'GET') await refill();
    const { status } = await make(name, {}),
      mayBe401 = calls[name].who === 'anyone';
    assert.not.ok(status === 422 || status >= 500 || (!mayBe401 && [401, 403].includes(status)), `${name} ${status}`);
  }
});

test('a body that is no object is 422, for every call that changes something, also for those without a body', async () => {
  for (const [name] of writes) {
    const good = JSON.stringify(goodBody(name));
    for (const body of ['[]', `[${good}]`, '[null]', '"x"', '1', '1.5', 'true', '[[]]'])
      assert.is(await refusedWith422(name, { body }, body), 'body: expected an object');
    for (const body of [good.slice(0, -1), `${good}x`, 'x=1', '\u0000'])
      assert.is(await refusedWith422(name, { body }, body), 'body: not JSON');
  }
});

test('`null` is no body: right where none is needed, and 422 elsewhere', async () => {
  for (const [name, { isSigned }] of writes) {
    if (isSigned) continue;
    if (bodyOf(name)) {
      assert.is(await refusedWith422(name, { body: 'null' }, 'null'), 'body: is required');
      continue;
    }
    await refill();
    assert.not.ok([422, 500].includes((await make(name, { body: 'null' })).status), name);
  }
});

test('null is 422 in every field of every body, or the same as blank or left out [ASVS 2.2.2]', async () => {
  let taken = 0;
  for (const { name, key, entry } of bodyFields) {
    if (!accepts(entry, null)) {
      assert.match(await refusedField(name, key, 'null'), new RegExp(`^body\\.${key}: `));
      continue;
    }
    taken++;
    const [none, blank] = [null, ''].map((value) => v.safeParse(entry, value).output ?? undefined);
    const what = `${name} reads null in '${key}' as ${JSON.stringify(none)}: use unlessNull or blankToNull`;
    assert.ok(none === undefined || none === blank, what);
  }
  assert.ok(taken > 20, String(taken));
});

test('a list, an object or true in place of a value is 422 in every field [ASVS 2.2.1, 15.3.5]', async () => {
  for (const { name, key, entry } of bodyFields) {
    for (const value of [[], {}, true, [1], ['x'], { length: 1 }]) {
      if (!accepts(entry, value)) await refusedField(name, key, JSON.stringify(value)); // or a list of tags, a switch
    }
  }
});

test('an empty operation beside an amount is 422, for each balance; so is an empty amount', async () => {
  const before = await sql`select * from wallets order by player_id`;
  for (const kind of balanceKinds) {
    const op = `${kind}_op`;
    const wrong = { [op]: ['', ' ', null, 'ADD'], [kind]: ['', null] };
    for (const [key, values] of Object.entries(wrong))
      for (const value of values) {
        const body = JSON.stringify({ vip: '1', [kind]: '5', [op]: 'add', [key]: value });
        assert.match(await refusedWith422('adjustBalances', { body }, body), new RegExp(`^body\\.${key}: `));
      }
  }
  assert.equal(await sql`select * from wallets order by player_id`, before);
});

test('an operation without its amount changes nothing, and an amount without its operation is added', async () => {
  const response = await make('adjustBalances', { body: '{"credit":5,"vip_op":"remove","bonus_op":"add"}' });
  const { credit_balance, vip_balance, bonus_balance } = (await response.json()) as Record<string, number>;
  assert.equal([response.status, credit_balance, vip_balance, bonus_balance], [200, 355, 0, 0]);
  const reason = await refusedWith422('adjustBalances', { body: '{"vip_op":"remove"}' }, 'no amount');
  assert.is(reason, 'body: at least one of credit, bonus, vip, loyalty is required');
});

test('a number is judged as it was written: a sign, an exponent or a digit too many is 422', async () => {
  const before = await sql`select * from transfers order by id`;
  let fields = 0;
  for (const { name, key, entry } of bodyFields) {
    if (!accepts(entry, 2)) continue;
    fields++;
    const digits = ['2.000000000000000000001', '2.000', '0.0100000000000000000001', '99999999999999999999'];
    for (const raw of ['2e0', '2E0', '20e-1', '-0', '-2', ...digits])
      assert.match(await refusedField(name, key, raw), new RegExp(`^body\\.${key}: `));
  }
  assert.ok(fields > 20, String(fields));
  assert.equal(await sql`select * from transfers order by id`, before);
});

test('a name that is there twice is 422, in every body and every query [ASVS 15.3.7]', async () => {
  for (const [name] of all) {
    const [first] = Object.entries(goodBody(name));
    if (first) {
      const [key, value] = first;
      for (const again of [key, `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`]) {
        const body = `{"${again}" : ${JSON.stringify(value)}, ${JSON.stringify(goodBody(name)).slice(1)}`;
        assert.is(await refusedWith422(name, { body }, body), `body.${key}: is there twice`);
      }
    }
    for (const [key, entry] of entriesOf(schemasOf(name).query)) {
      const query = textOf(goodQuery(name));
      query.delete(key);
      for (let times = 0; times < 2; times++) query.append(key, String(sample(name, key, entry)));
      assert.is(await refusedWith422(name, { query }, String(query)), `query.${key}: is there twice`);
    }
  }
});

test('a character that no text can have is 422 in every field, and never reaches the database', async () => {
  for (const [name, { path, isSigned }] of all) {
    // of a signed call the signature is checked first
    for (const [, key = ''] of isSigned ? [] : path.matchAll(/\{(\w+)\}/g))
      for (const bad of ['a%00', '%00', '1%00']) await refusedWith422(name, { path: { [key]: bad } }, `${key} ${bad}`);
    for (const [key] of entriesOf(schemasOf(name).query)) {
      const query = textOf(goodQuery(name));
      query.set(key, 'a\0b');
      await refusedWith422(name, { query }, key);
    }
    if (calls[name].method === 'GET') continue;
    for (const key of Object.keys({ ...Object.fromEntries(entriesOf(bodyOf(name))), ...needed[name] }))
      for (const raw of ['"a\\u0000b"', '"\\ud800"', '["a\\u0000b"]']) await refusedField(name, key, raw);
  }
});

/** Any character may be in them, and a file is judged cell by cell. */
const anything = ['password', 'current_password', 'new_password', 'platform_password', 'header', 'rows'];

test('control characters are 422 in every text but passwords, and text that shows nothing is empty', async () => {
  for (const { name, key, entry } of bodyFields) {
    if (!accepts(entry, 'yolo') || anything.includes(key)) continue;
    for (const raw of ['"yo\\u0007lo"', '"yo\\u009blo"', '"yo\\u007flo"']) await refusedField(name, key, raw);
    if (accepts(entry, '')) continue;
    for (const raw of ['" "', '"\\u200b"', '"\\u3164"', '"\\u2066\\u2069"']) await refusedField(name, key, raw);
  }
});

test('thousands of accents on one letter are refused before they are normalized, which would take seconds', async () => {
  const accents = `a${['\u0345', '\u0360', '\u0301', '\u0316'].join('').repeat(5_000)}`;
  for (const { name, key, entry } of bodyFields) {
    if (!accepts(entry, 'zo\u0301e\u0308') || anything.includes(key)) continue;
    const detail = await refusedWith422(name, { body: withRaw(name, key, JSON.stringify(accents)) }, key);
    assert.match(detail, /contains an invalid character$/, `${name} ${key}: found out before the length`);
  }
  const query = new URLSearchParams({ search: `a${'\u0301\u0316'.repeat(1_000)}` });
  assert.is(await refusedWith422('listPlayers', { query }, 'search'), 'query.search: contains an invalid character');
});

/** What is compared by eye or by a machine. */
const compared = [
  ['email', 'user_email'],
  ['payout_address', 'payment_reference', 'reference', 'external_id', 'affiliate_id', 'referral_id'],
  ['username', 'platform_username', 'id'],
].flat();

test('what people and machines compare has no invisible characters, in any call', async () => {
  const met = new Set<string>();
  for (const { name, key, entry } of bodyFields) {
    // A sign-in only names an account, and an id of ours is a number.
    if (!compared.includes(key) || /^(login|beginPasskey)/.test(name) || accepts(entry, 7)) continue;
    const good = accepts(entry, 'ann@acme.test') ? 'ann@acme.test' : 'AFF1';
    assert.ok(accepts(entry, good), `${name} ${key}`);
    for (const hidden of ['\u200b', '\u202e', '\u2066', '\u00ad', '\ufe0f', '\n', '\u0007', '\ue000', '\u115f']) {
      const raw = JSON.stringify(`${good.slice(0, 2)}${hidden}${good.slice(2)}`);
      await refusedField(name, key, raw);
    }
    met.add(key);
  }
  assert.equal([...met].sort(), [...compared].sort());
});

test('e-mails that look like another one are 422; those of other alphabets are not', async () => {
  const form = (email: string) => JSON.stringify({ email, password: 'her own', tenant_id: 2 });
  for (const email of [
    '\u0430nn@acme.test', // a Cyrillic a
    'ann@\u0430cme.test',
    'ann@acme.t\u03b5st', // a Greek epsilon
    '\uff41nn@acme.test', // a full-width a
    'ann\uff20acme.test',
    '\ufb01n@acme.test', // a ligature
    'ann@a\u217dme.test', // a Roman numeral
    '\u{1d41a}nn@acme.test', // a mathematical a
  ])
    await refusedWith422('createPlayer', { body: form(email) }, email);
  const right = ['анна@почта.рф', 'Πέτρος@ταχυδρομείο.gr', '太郎@例え.jp', 'анна@mail.test'];
  for (const email of ["zo\u00eb.o'hara+1@acme.test", ...right]) {
    const response = await make('createPlayer', { body: form(email) });
    assert.is(response.status, 200, email);
    assert.is(((await response.json()) as { email: string }).email, email);
  }
});

test('an escape that is not UTF-8 is 422 in every address, and not taken as it stands [ASVS 1.1.1]', async () => {
  const words = 'contains an escape that is not UTF-8';
  for (const [name, { path }] of all) {
    for (const bad of ['%ff', '%', '%zz', '%C0%AF', '%ED%A0%80', '%E0%A4%A']) {
      // the part of an address that a browser's URL would not repair
      const query = { toString: () => `search=${bad}` } as URLSearchParams;
      assert.is(await refusedWith422(name, { query }, bad), `query: ${words}`);
      const [, key] = /\{(\w+)\}/.exec(path) ?? [];
      if (key) assert.is(await refusedWith422(name, { path: { [key]: bad } }, bad), `path: ${words}`);
    }
  }
});

test('a body of far more parts than any call has is 422', async () => {
  for (const filler of ['1,'.repeat(31_000), '{},'.repeat(21_000), '"",'.repeat(21_000)]) {
    const body = `{"email":"x","password":"y","z":[${filler}1]}`;
    assert.is(await refusedWith422('login', { body }, filler.slice(0, 9)), 'body: has too many parts');
  }
});

test.run();

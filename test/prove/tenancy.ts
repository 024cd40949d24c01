/**
 * The tenancy matrix, made from the contract: every call, every kind of caller, every place of an id, with ids that are
 * own, foreign and unknown. Everything of tenant HOME has the number 7001, everything of AWAY 8001, and 9001 is
 * nothing, so a call that is added tomorrow is tried without a line here. What AWAY owns carries its canary; HOME's
 * admin must never get one to see.
 */
import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type CallName, type CallSpec, calls, type Method } from '../../src/contract/calls';
import { type CallSchemas, schemas } from '../../src/server/schemas';
import { fetch, PASSWORD, sql } from '../world';
import { type ProveOptions, Random } from './random';
import { accepts, entriesOf, isNumberedId, Maker, type Shape } from './shapes';
import { AWAY, awayNow, canary, HOME, type Kind, keyKinds, openTenants, signInAll, UNKNOWN } from './tenancyWorld';

const all = Object.entries(calls) as [CallName, CallSpec][];
const unsigned: readonly Kind[] = [
  'no token',
  'empty token',
  'made-up token',
  'tampered token',
  'expired token',
  'idle token',
  'revoked token',
  'disabled account',
  'inactive tenant',
];
/** What every tenant sees alike: there is no foreign one. */
const isShared = (word: string) => /platforms$/.test(word) && word !== 'platform-credentials';

type Where = 'own' | 'foreign' | 'unknown';
const numbers: Record<Where, number> = { own: HOME, foreign: AWAY, unknown: UNKNOWN };
interface Place {
  at: 'path' | 'query' | 'body';
  name: string;
  /** The word before it in the path. */
  word: string;
  isTenant: boolean;
  /** The call's shape names it. */
  isAsked: boolean;
}

/** Every place of a call where an id can be. A tenant's id may also be where the call does not ask for it. */
function placesOf(name: CallName): Place[] {
  const { path, method } = calls[name],
    shapes: CallSchemas = schemas[name];
  const inPath = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)]
    .filter(([, , key]) => key !== 'platform')
    .map(
      ([, word = '', key = '']): Place => ({
        at: 'path',
        name: key,
        word,
        isTenant: key === 'tenant_id' || word === 'tenants',
        isAsked: true,
      }),
    );
  const named = (at: 'query' | 'body', shape: Shape | undefined) =>
    [
      ...new Set([
        'tenant_id',
        ...entriesOf(shape)
          .filter(isNumberedId)
          .map(([key]) => key),
      ]),
    ]
      .filter((key) => key !== 'role_id')
      .map(
        (key): Place => ({
          at,
          name: key,
          word: '',
          isTenant: key === 'tenant_id',
          isAsked: entriesOf(shape).some(([asked]) => asked === key),
        }),
      );
  return [
    ...inPath,
    ...named('query', shapes.query),
    ...(method !== 'GET' && shapes.body ? named('body', shapes.body) : []),
  ];
}

const words = { own: canary.home, foreign: canary.away, unknown: canary.none };
const pools = Object.fromEntries(
  (['own', 'foreign', 'unknown'] as const).map((where) => [
    where,
    [words[where], `${words[where]}@mail.test`, '100', '2026-01-01', 'https://hook.test/', true, 'long enough'],
  ]),
) as Record<Where, unknown[]>;
/** The canary if the shape takes it, or a list of it, else what it does take. */
function firstFit(shape: Shape, texts: Where): unknown {
  const pool = pools[texts],
    random = new Random(1),
    maker = new Maker(pool);
  const tries = function* () {
    yield* pool;
    yield* pool.map((value) => [value]);
    for (let n = 0; n < 20; n++) yield maker.make(shape, random);
  };
  for (const value of tries()) if (value !== undefined && accepts(shape, value)) return value;
  return undefined;
}
const likely: Record<string, unknown> = {
  role_id: 2,
  status: 'failed',
  amount: '100',
  platform_name: 'yolo',
  platform: 'yolo',
  payment_platform: 'flikpay',
  payout_method: 'PayPal',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  limit: 100,
  first_line: 2,
  header: 'email',
  rows: 'new@mail.test',
};
const processor = { api_key: 'k', merchant_id: 'm', secret_key: 's' };

interface Request {
  method: Method;
  url: string;
  body: object | undefined;
}
/** A request whose places hold these, whose texts name what is own or another's, and whatever else it needs. */
function requestOf(name: CallName, at: (place: Place) => Where, texts: Where, asText = false): Request {
  const { path, method } = calls[name],
    shapes: CallSchemas = schemas[name],
    places = placesOf(name);
  // Who is signed in may be asked for the own password. At a sign-in it would be a right one for others.
  const known = calls[name].who === 'anyone' ? likely : { ...likely, password: PASSWORD };
  const number = (where: Where) => (asText ? String(numbers[where]) : numbers[where]);
  const fill = (shape: Shape | undefined): Record<string, unknown> => {
    if (shape?.type === 'record') return processor;
    return Object.fromEntries(
      entriesOf(shape)
        .map(([key, part]): [string, unknown] => [
          key,
          key in known && accepts(part, known[key])
            ? known[key]
            : key === 'search' || (accepts(part, undefined) && !/^(credit|username|password)$/.test(key))
              ? undefined
              : firstFit(part, texts),
        ])
        .filter(([, value]) => value !== undefined),
    );
  };
  const put = (into: Record<string, unknown>, where: Place['at']) => {
    for (const place of places)
      if (place.at === where && (place.isAsked || at(place) !== 'own')) into[place.name] = number(at(place));
    return into;
  };
  let nth = 0;
  const inPath = places.filter((place) => place.at === 'path');
  const url = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    key === 'platform' ? 'apex' : String(numbers[at(inPath[nth++]!)]),
  );
  const query = put(
    {
      ...fill(shapes.query),
      ...('search' in Object.fromEntries(entriesOf(shapes.query)) && texts !== 'own' ? { search: words[texts] } : {}),
    },
    'query',
  );
  const body = shapes.body && method !== 'GET' ? put(fill(shapes.body), 'body') : undefined;
  return {
    method,
    url: `${url}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
    body,
  };
}

interface Answer {
  status: number;
  detail: string;
  /** Without what differs each time. */
  body: string;
  /** Headers too. */
  text: string;
}
async function send({ method, url, body }: Request, token: string | null): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text(),
    isJson = response.headers.get('content-type')?.includes('json');
  const parsed: unknown = isJson ? JSON.parse(text) : null;
  const detail = typeof parsed === 'object' && parsed !== null && 'detail' in parsed ? String(parsed.detail) : '';
  return {
    status: response.status,
    detail,
    body: text.replace(/"request_id":"[^"]*"/, ''),
    text: `${[...response.headers].flat().join('\n')}\n${text}`,
  };
}
const hasCanary = ({ text }: Answer) => text.toLowerCase().includes(canary.away);

export async function prove({ say, long, rounds = long ? 5 : 1 }: ProveOptions): Promise<void> {
  const counts = { requests: 0, 'own answered': 0 };
  for (let round = 0; round < rounds; round++) {
    await openTenants();
    const tokens = await signInAll();
    const before = await awayNow();
    for (const [name, call] of all) counts.requests += await refuseAll(name, call, tokens);
    assert.is(await awayNow(), before, 'what the other tenant has is unchanged');
    for (const [name, call] of all) {
      if (call.who === 'anyone' || call.who === 'checkout') continue;
      for (const kind of call.who === 'key'
        ? (['home key'] as const)
        : call.who === 'super'
          ? (['super admin'] as const)
          : (['home admin', 'super admin'] as const)) {
        await openTenants();
        const answer = await send(
          requestOf(name, () => 'own', 'own'),
          (await signInAll([kind]))[kind],
        );
        counts.requests++;
        assert.not.ok(
          [401, 403, 404].includes(answer.status) || answer.status >= 500,
          `${name} by ${kind} of what is theirs: ${answer.status} ${answer.detail}`,
        );
        if (kind !== 'super admin') assert.not.ok(hasCanary(answer), `${name} showed another tenant's`);
        if (answer.status === 200) counts['own answered']++;
      }
    }
  }
  assert.ok(counts['own answered'] > all.length * rounds, 'what is own is answered as a rule');
  say(
    `${all.length} calls, ${unsigned.length + 5 + keyKinds.length} kinds of caller: ${Object.entries(counts)
      .map(([what, n]) => `${what} ${n}`)
      .join(', ')}; nothing of another tenant was seen or changed`,
  );
}

/** Everything that must be refused, of one call; how many requests that were. */
async function refuseAll(
  name: CallName,
  { who, needs, path }: CallSpec,
  tokens: Record<Kind, string | null>,
): Promise<number> {
  let made = 0;
  await sql`delete from rate_limits`; // failed sign-ins of the calls before
  const expect = async (kind: Kind, request: Request, statuses: readonly number[], what: string): Promise<Answer> => {
    const answer = await send(request, tokens[kind]);
    made++;
    assert.ok(
      statuses.includes(answer.status),
      `${name} by ${kind}, ${what}: ${answer.status} ${answer.detail}, expected ${statuses.join(' or ')}`,
    );
    if (kind !== 'super admin')
      assert.not.ok(hasCanary(answer), `${name} by ${kind}, ${what}: another tenant's canary in ${answer.text}`);
    return answer;
  };
  const places = placesOf(name);
  const variants: [string, (place: Place) => Where][] = (['own', 'foreign', 'unknown'] as const).flatMap((where) => [
    [`all ${where}`, () => where],
    ...places.map((place): [string, (each: Place) => Where] => [
      `${where} ${place.at}.${place.name}`,
      (each) => (each.at === place.at && each.name === place.name ? where : 'own'),
    ]),
  ]);

  for (const [what, at] of variants) {
    const request = requestOf(name, at, 'own');
    if (who === 'anyone') {
      await expect('home admin', request, [200, 401, 404, 429], what);
      continue;
    }
    for (const kind of unsigned) await expect(kind, request, [who === 'checkout' ? 403 : 401], what);
    if (who === 'key') {
      for (const kind of [
        'other role',
        'home admin',
        'super admin',
        'revoked key',
        'expired key',
        "inactive tenant's key",
      ] as const)
        await expect(kind, request, [401], what);
      await expect('key for nothing', request, [403], what);
      continue;
    }
    for (const kind of keyKinds) await expect(kind, request, [who === 'checkout' ? 403 : 401], what);
    if (who === 'checkout')
      for (const kind of ['home admin', 'super admin', 'other role'] as const) await expect(kind, request, [403], what);
    if (who === 'admin' || who === 'super') await expect('other role', request, [403], what);
    if (needs) await expect('admin without permissions', request, [403], what);
    if (who === 'super') await expect('home admin', request, [403], what);
    if (who === 'admin' || who === 'super')
      assert.is((await expect('unfinished admin', request, [403], what)).detail, 'Set up two-factor sign-in first');
  }
  if (who !== 'admin' && who !== 'key' && (who !== 'session' || name === 'logout')) return made;
  /** Into its own things anybody may write any text: only what is found by its text is tried. */
  const isOwnWrite = calls[name].method !== 'GET' && !path.includes('{') && (who === 'key' || !/redeems/.test(path));
  const home: Kind = who === 'key' ? 'home key' : 'home admin';

  const seen = new Map<string, Answer>();
  for (const place of places) {
    for (const where of ['foreign', 'unknown'] as const) {
      const at = (each: Place): Where =>
        each === place || (each.at === place.at && each.name === place.name) ? where : 'own';
      for (const asText of [false, true]) {
        const request = requestOf(name, at, 'own', asText);
        const what = `${where} ${place.at}.${place.name}`;
        if (place.isTenant) assert.is((await expect(home, request, [403], what)).detail, 'Tenant access violation');
        else if (!isShared(place.word))
          seen.set(
            `${place.at}.${place.name} ${where}`,
            await expect(home, request, place.at === 'query' ? [200, 404] : [404], what),
          ); // a list may be asked for what is not there
      }
    }
    const [foreign, none] = ['foreign', 'unknown'].map((where) => seen.get(`${place.at}.${place.name} ${where}`));
    assert.equal(
      [foreign?.status, foreign?.body],
      [none?.status, none?.body],
      `${name}: tells whether another's ${place.name} exists`,
    );
  }
  // The texts name another tenant's people and things; and one tenant's number stands behind another's in the query.
  const [foreign, none] = [await ask('foreign'), await ask('unknown')];
  if (!isOwnWrite)
    assert.equal(
      [foreign.status, foreign.body],
      [none.status, none.body],
      `${name}: texts that name another tenant's are answered unlike ones that name nothing`,
    );
  const twice = requestOf(name, () => 'own', 'own');
  await expect(
    home,
    { ...twice, url: `${twice.url}&tenant_id=${HOME}&tenant_id=${AWAY}` },
    [403],
    'own and foreign query.tenant_id',
  );
  // A super admin may go anywhere, and finds nothing where nothing is.
  if (who === 'admin' && places.some(({ at }) => at === 'path'))
    await expect(
      'super admin',
      requestOf(name, (place) => (place.isTenant ? 'own' : 'unknown'), 'own'),
      [404],
      'all unknown',
    );
  return made;

  function ask(texts: Where): Promise<Answer> {
    return expect(
      home,
      requestOf(
        name,
        () => (calls[name].method !== 'GET' && path.includes('{') ? 'unknown' : 'own'),
        isOwnWrite ? 'own' : texts,
      ),
      [200, 400, 403, 404, 409, 422],
      `${texts} texts`,
    );
  }
}

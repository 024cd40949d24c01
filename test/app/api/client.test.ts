import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toAmount } from '../../../src/app/api/amount';
import { ApiError, buildUrl } from '../../../src/app/api/client';
import { depositType, orDash, parseTimestamp, parseUser } from '../../../src/app/api/parse';
import { createApi } from '../../createApi';
import { as, reset } from '../../world';
import { heard } from '../console';

type Answer = () => Response | Promise<Response>;
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const page = (status = 200) =>
  new Response('<!doctype html><h1>Nginx</h1>', { status, headers: { 'Content-Type': 'text/html' } });

/** Another server, which answers these in turn, the last one for ever; what it was sent is kept. */
function foreign(...answers: Answer[]) {
  const sent: { url: string; init: RequestInit }[] = [];
  let expired = 0;
  const api = createApi({
    token: () => 'T',
    onExpired: () => void expired++,
    retryAfter: 1,
    fetch: async (url, init) => {
      sent.push({ url, init });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer) throw new TypeError('no answer');
      return answer();
    },
  });
  return { api, sent, expired: () => expired };
}
const lost: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error(`expected an ApiError, got ${String(error)}`);
}
const listed = async (body: unknown) => (await foreign(() => json(body)).api.listTenants()) as unknown;

test.before(reset);

test('a call goes out as the contract lists it, with its slash, its token and its body', async () => {
  const { api, sent } = foreign(() => json({}));
  await api.updateTenant({ id: 7, body: { name: 'A' } });
  const [{ url, init } = {}] = sent;
  assert.equal([url, init?.method, init?.body], ['/api/v1/admin/tenants/7/', 'PUT', '{"name":"A"}']);
  assert.equal(init?.headers, { 'Content-Type': 'application/json', Authorization: 'Bearer T' });
});

test('the checkout, the logins and the open list of platforms carry no token', async () => {
  const { api, sent } = foreign(() => json([]));
  await api.listPlatformNames();
  await api.submitRedeem({ body: { platform_name: 'yolo', amount: 100 } });
  await api.login({ body: { email: 'a@b', password: 'x' } });
  assert.is(sent.length, 3);
  for (const { init } of sent) assert.not.ok(new Headers(init.headers).has('Authorization'));
});

test('values are escaped, blank ones are left out of the query', () => {
  assert.is(
    buildUrl('/x/{id}/y', { id: 'a/b', search: 'é&=', tenant_id: undefined, other: '', none: null, page: 0 }),
    '/x/a%2Fb/y?search=%C3%A9%26%3D&page=0',
  );
});

test('a list comes out of whatever another server wraps it in', async () => {
  const rows = [{ id: 2, name: 'Acme' }];
  for (const body of [
    rows,
    { items: rows },
    { data: rows },
    { results: rows, count: 1 },
    { tenants: rows, total: 1 },
    { data: { items: rows } },
  ])
    assert.equal(await listed(body), rows);
  assert.equal(await listed(null), []);
  assert.equal(await listed({ items: null }), []);
  assert.equal(await listed([null, 'odd', ...rows, 3]), rows);
  assert.equal(await foreign(() => new Response(null, { status: 204 })).api.listTenants(), []);
});

test('platforms that are only names are platforms', async () => {
  const names = await foreign(() => json(['yolo', 'vblink'])).api.listPlatformNames();
  assert.equal(names, [{ name: 'yolo' }, { name: 'vblink' }]);
});

test('what is not a list at all is a failure, not an empty list', async () => {
  for (const body of [{}, 'text', 5, { message: 'hello' }])
    assert.is((await failure(foreign(() => json(body)).api.listTenants())).status, 200);
});

test('a page, cut JSON or nothing in place of the data is a failure', async () => {
  for (const odd of [page(), new Response('[{"id":1'), new Response(''), new Response('<!DOCTYPE html>')]) {
    const { api } = foreign(() => odd.clone());
    for (const read of [() => api.listTenants(), () => api.listPlayers({}), () => api.getDashboardMetrics({})])
      assert.is((await failure(read())).status, 200);
  }
});

test('players come with their totals from any shape of page', async () => {
  const users = [{ id: 1 }, { id: 2 }];
  const of = async (body: unknown) => (await foreign(() => json(body)).api.listPlayers({})).pagination.total_users;
  const pagination = { total_users: '120', total_pages: 3, has_next: true, has_previous: false };
  assert.is(await of({ users, pagination }), 120);
  for (const body of [users, { users }]) assert.is(await of(body), 2);
  assert.is(await of({ items: users, total: 9 }), 9);
  const none = foreign(() => json({ users: null, pagination: null })).api.listPlayers({});
  assert.equal((await none).users, []);
});

test('what a write answers does not matter, unless it is a page', async () => {
  const answers = [new Response(null, { status: 204 }), new Response('OK'), new Response(''), page()];
  const { api } = foreign(...answers.map((answer) => () => answer));
  const write = () => api.createTenant({ body: { name: 'A' } });
  for (let i = 0; i < 3; i++) await write();
  assert.is((await failure(write())).status, 200);
});

test('a type that says HTML makes no page of what is none', async () => {
  const labelled =
    (body: string | null, status = 200): Answer =>
    () =>
      new Response(body, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  for (const answer of [labelled(null, 204), labelled(''), labelled('OK'), labelled('{"id":5}', 201)])
    await foreign(answer).api.createTenant({ body: { name: 'A' } });
  assert.equal(await foreign(labelled('[{"id":2}]')).api.listTenants(), [{ id: 2 }]);
  for (const odd of [labelled(' <p>Sign in</p>'), labelled('<!-- portal -->')])
    assert.is((await failure(foreign(odd).api.createTenant({ body: { name: 'A' } }))).status, 200);
});

test('the words of a refusal are text, a list of FastAPI, or none', async () => {
  const detail = async (answer: Answer) =>
    (await failure(foreign(answer).api.createTenant({ body: { name: '' } }))).detail;
  assert.is(await detail(() => json({ detail: 'Name is taken' }, 409)), 'Name is taken');
  const several = [
    { loc: ['body', 'name'], msg: 'field required' },
    { loc: [], msg: 'too short' },
  ];
  assert.is(await detail(() => json({ detail: several }, 422)), 'field required; too short');
  for (const answer of [
    () => page(500),
    () => new Response('', { status: 502 }),
    () => json({ detail: { odd: 1 } }, 400),
    () => json({ detail: ' ' }, 400),
    () => json(null, 500),
  ])
    assert.is(await detail(answer), undefined);
});

test('the code of a refusal is that of the answer itself, never one in what it repeats of the input', async () => {
  const refused = (body: unknown) => foreign(() => json(body, 403));
  const echo = refused({ detail: [{ msg: 'odd', input: { code: 'second_factor_setup' } }], code: 'forbidden' });
  assert.is((await failure(echo.api.listTenants())).code, 'forbidden');
  const named = refused({ detail: 'No "code": "second_factor_setup"', input: { code: 'second_factor_setup' } });
  assert.is((await failure(named.api.listTenants())).code, undefined);
  assert.is(echo.expired() + named.expired(), 0);
  const meant = refused({ detail: 'Set it up', code: 'second_factor_setup' });
  assert.is((await failure(meant.api.listTenants())).code, 'second_factor_setup');
  assert.is(meant.expired(), 1);
});

test('a read is tried once more when the line breaks, a write never', async () => {
  const reads = foreign(lost, () => json([]));
  assert.equal(await reads.api.listTenants(), []);
  assert.is(reads.sent.length, 2);

  const gone = foreign(lost);
  assert.is((await failure(gone.api.listTenants())).status, 0);
  assert.is(gone.sent.length, 2);

  const writes = foreign(lost, () => json({}));
  assert.is((await failure(writes.api.createTenant({ body: { name: 'A' } }))).status, 0);
  assert.is(writes.sent.length, 1);
});

test('an answer cut on the way counts as a broken line', async () => {
  const cut = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('[{'));
      stream.error(new TypeError('terminated'));
    },
  });
  const { api, sent } = foreign(
    () => new Response(cut),
    () => json([{ id: 1 }]),
  );
  assert.is((await api.listTenants()).length, 1);
  assert.is(sent.length, 2);
});

test('a refusal is never tried again', async () => {
  const { api, sent } = foreign(() => json({ detail: 'no' }, 503));
  await failure(api.listTenants());
  assert.is(sent.length, 1);
});

test('what nobody waits for any more is not asked again', async () => {
  const { api, sent } = foreign(lost);
  const gone = new AbortController();
  const waiting = failure(api.listTenants({}, { signal: gone.signal }));
  gone.abort();
  await waiting;
  assert.is(sent.length, 1);
});

test('a 401 ends the session, but not one from a login', async () => {
  const { api, expired } = foreign(() => json({ detail: 'no' }, 401));
  const body = { email: 'a', password: 'b' };
  for (const call of [api.login({ body }), api.loginToTenant({ tenant_id: 2, body })])
    assert.is((await failure(call)).status, 401);
  assert.is(expired(), 0);
  await failure(api.listTenants());
  assert.is(expired(), 1);
  await failure(api.submitRedeem({ body: { platform_name: 'yolo', amount: 100 } }));
  assert.is(expired(), 2, 'of the session, though it carries no token');
});

test('a late 401 to an old token does not end the session that has begun since', async () => {
  let token = 'old',
    ended = 0;
  const api = createApi({
    token: () => token,
    onExpired: () => void ended++,
    fetch: async () => {
      token = 'new';
      return json({}, 401);
    },
  });
  await failure(api.listTenants());
  assert.is(ended, 0);
});

test("a 403 is logged with the server's words, or 'Tenant access violation'", async () => {
  const said = await heard('warn', async () => {
    await failure(foreign(() => json({ detail: 'Not yours' }, 403)).api.listTenants());
    await failure(foreign(() => page(403)).api.listTenants());
    assert.is((await failure((await as('ann')).listTenants())).status, 403);
  });
  assert.equal(said, ['Not yours', 'Tenant access violation', 'Not allowed for your role']);
});

test('amounts, moments and types are read from whatever they come as', () => {
  for (const [value, amount] of [
    ['12.50', 12.5],
    [3, 3],
    [' -1 ', -1],
    ['', null],
    ['x', null],
    [null, null],
    [undefined, null],
    [NaN, null],
    [Infinity, null],
    ['1e2', 100],
    [{}, null],
    ['0x10', null],
  ] as const)
    assert.is(toAmount(value), amount);
  assert.is(parseTimestamp('2026-11-20T10:00:00')?.toISOString(), '2026-11-20T10:00:00.000Z');
  assert.is(parseTimestamp('2026-11-20 10:00:00+02:00')?.toISOString(), '2026-11-20T08:00:00.000Z');
  for (const [text, hour] of [
    ['2026-11-20 10:00:00+00', 10],
    ['2026-11-20 10:00:00.25-03', 13],
    ['2026-11-20T10:00:00+0530', 4],
    ['2026-11-20 10:00', 10],
  ] as const)
    assert.is(parseTimestamp(text)?.getUTCHours(), hour, text);
  for (const odd of ['soon', '', null, 5, '2026-99-99T00:00:00Z']) assert.is(parseTimestamp(odd), null);
  for (const [metadata, type] of [
    [{ type: 'LOYALTY' }, 'FREE PLAY'],
    ['{"type":"LOYALTY"}', 'FREE PLAY'],
    [{ type: 'BONUS' }, 'BONUS'],
    ['{"type":', '-'],
    [null, '-'],
    [{}, '-'],
    ['null', '-'],
    [[], '-'],
    [{ type: null }, '-'],
  ] as const)
    assert.is(depositType(metadata), type);
  for (const odd of [undefined, null, '', ' ', NaN, {}]) assert.is(orDash(odd), '-');
});

test('a day alone is that day in every zone', () => {
  const zone = process.env['TZ'];
  for (const one of ['America/Los_Angeles', 'Pacific/Auckland', 'UTC']) {
    process.env['TZ'] = one;
    assert.is(parseTimestamp('2026-03-04')?.getDate(), 4, one);
  }
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('a user is read with the names of features, and nothing else', () => {
  assert.equal(
    parseUser({
      role: { name: 'admin', is_super_admin: false, x: 1 },
      tenant_id: '2',
      features: ['logout', 7, null, {}],
      password: 'p',
    }),
    { role: { name: 'admin', is_super_admin: false }, tenant_id: 2, features: ['logout'] },
  );
  for (const odd of [null, {}, { role: null }, 'admin', []]) assert.is(parseUser(odd), null);
});

test('permissions are read where the server offers features; another server means something else by them', () => {
  const given = { role: { name: 'admin', is_super_admin: false }, tenant_id: 2, permissions: ['support', 7] };
  assert.equal(parseUser({ ...given, features: [] })?.permissions, ['support']);
  assert.is(parseUser(given)?.permissions, undefined);
});

test.run();

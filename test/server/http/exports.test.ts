import { parse as parseAs } from 'csv-parse/sync';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unescapeFormulas } from '../../../src/contract/formulas';
import { formatLines } from '../../../src/server/core/csv';
import { isRefused, pluck, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { addPlayer, deposit, redeem, topUp } from '../../seed';
import { pam, pat, people, reset, send, services, smallServer, sql, tokenOf } from '../../world';
import { catchError } from '../catchError';
import { eventually } from '../running';

test.before.each(reset);

/** Reads CSV by RFC 4180, strictly: every line ends with CR LF, every field is plain or quoted as a whole. */
function parse(text: string): string[][] {
  assert.match(text, /\r\n$/, 'the last line ends too');
  const unquoted = text.replaceAll(/"(?:[^"]|"")*"/g, '').replaceAll('\r\n', '');
  assert.not.match(unquoted, /[\r\n]/, 'other breaks are in quotes');
  return parseAs(text, { record_delimiter: '\r\n' }) as string[][];
}
const read = async (file: Blob) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  assert.equal([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf], 'the byte order mark');
  const [titles, ...rows] = parse(new TextDecoder().decode(bytes.slice(3)));
  return { titles, rows, ids: rows.map(([id]) => Number(id)) };
};

test('a purchase stands in the file as on screen', async () => {
  const id = await topUp(pam, '12.50', 'success', {
    ...{ net_amount: '12', payment_method: 'Card', payment_metadata: { type: 'LOYALTY' } },
    ...{ payment_reference: 'R "1", x', description: 'two\r\nlines; ünï' },
    ...{ initiated_at: new Date('2026-03-01T10:00:00Z'), completed_at: new Date('2026-03-01T11:00:00Z') },
  });
  const { titles, rows } = await read(await ann.exportPurchases({ transaction_type: 'TOP_UP' }));
  assert.is(
    titles?.join(', '),
    'ID, User Email, Type, Status, Amount, Net Amount, Payment Method, Deposit Type, ' +
      'Initiated At, Completed At, Description, Reference, Platform',
  );
  const shown = [pam.email, 'TOP_UP', 'success', '12.50', '12.00', 'Card', 'FREE PLAY'];
  const times = ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'];
  const row = (wanted: number) => rows.find(([of]) => of === String(wanted));
  assert.equal(row(id), [String(id), ...shown, ...times, 'two\r\nlines; ünï', 'R "1", x', '']);
  assert.equal(row(pam.purchase)?.slice(9), ['', '', 'ref-1', '']);
});

test('a file of all tenants names the tenant of each row, a file of one does not', async () => {
  for (const load of [sue.exportPurchases, sue.exportDeposits, sue.exportRedeems, sue.exportPlayers]) {
    const all = await read(await load());
    assert.is(all.titles?.[1], 'Tenant');
    assert.is((await read(await load({ tenant_id: 2 }))).titles?.includes('Tenant'), false);
    if (load === sue.exportDeposits) continue;
    assert.equal(all.rows.map((row) => [row[1], row[2]]).sort(), [
      ['Acme', pam.email],
      ['Bravo', pat.email],
    ]);
  }
  assert.is((await read(await ann.exportRedeems())).titles?.includes('Tenant'), false);
});

test('redeems and users stand in their files as on screen', async () => {
  const redeems = await read(await ann.exportRedeems());
  assert.is(
    redeems.titles?.join(', '),
    'ID, User Email, Platform, Amount, Payout Method, Payout Address, Status, Initiated At, Completed At, ' +
      'Type, Description',
  );
  const shown = `${pam.redeem} ${pam.email} vblink 150.00 Cash Tag $tag pending`;
  assert.is(redeems.rows[0]?.slice(0, 7).join(' '), shown);
  await redeem(pam, '100', 'success');
  const users = await read(await ann.exportPlayers());
  const profile = [String(pam.id), pam.email, 'Pam', 'Poe', "'+1 (555) 010-2000", 'AFF1', ''];
  const since = (await ann.getPlayer({ id: pam.id })).created_at;
  assert.equal(users.rows, [[...profile, '-100.00', '250.00', '0.00', '0.00', '0.00', 'yes', since]]);
  assert.equal(users.titles?.length, users.rows[0]?.length);
});

test('no cell starts a formula, whatever precedes it, and a negative amount stays a number [ASVS 1.2.10]', async () => {
  const formulas = [
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '  =1', '＝1', '\u3000＋1', '﹦1+1', '﹢1', '﹣1'],
    ...['－1', '﹫SUM(A1)', '＠SUM(A1)', '⁺1', '\u22121', '\tplain', '\rplain', '"=1', '=HYPERLINK("http://x")'],
  ];
  for (const text of formulas) {
    const [[cell] = []] = parse(formatLines([[text]]));
    assert.is(cell, text.startsWith('"') ? text : text.replace(/^([\t\r\n])=/, "$1'=").replace(/^(?!")/, "'"));
  }
  const line = formatLines([[{ raw: '-100.00' }, 'a;=1', null, '', undefined, 'plain']]);
  assert.is(line, '-100.00,"a;\'=1",,,,"plain"\r\n');
  await sql`update redeems set payout_address = '=cmd|calc' where id = ${pam.redeem}`;
  assert.is((await read(await ann.exportRedeems())).rows[0]?.[5], "'=cmd|calc");
});

test('no cell starts a formula behind any separator, and the import reads the text as it was', () => {
  const links = ['x;=HYPERLINK("http://x?"&A1);y', "x;=cmd|'/c calc'!A0;y"];
  for (const text of [...links, 'x\t=1', 'x\r\n\t@1', 'x; ＋1', '=1;-1', "it's"]) {
    const line = formatLines([[{ raw: '1' }, text]]);
    for (const delimiter of [',', ';', '\t'])
      for (const cell of parseAs(line, { delimiter, relax_quotes: true, relax_column_count: true }).flat() as string[])
        assert.not.match(cell.normalize('NFKC'), /^[\s"]*[=+\-@]/, `${delimiter} ${cell}`);
    assert.is(unescapeFormulas(parse(line)[0]?.[1] ?? ''), text);
  }
});

test('a file has what the list has under the same filters, in the same order, over all of its pages', async () => {
  for (let n = 1; n <= 30; n++)
    await topUp(pam, String(n), n % 3 ? 'pending' : n % 2 ? 'success' : 'failed', {
      payment_method: n % 2 ? 'Card' : 'Bitcoin',
      payment_reference: `order ${n}`,
    });
  await deposit(pam, 'credit', '10');
  for (const filter of [
    {},
    { status: 'pending' as const },
    { method: 'card', order: 'pending_first' as const },
    { text: 'order 1' },
    { min_amount: 5, max_amount: '9.99' },
    { order: 'pending_first' as const },
  ]) {
    const query = { ...filter, transaction_type: 'TOP_UP' };
    const listed = (await ann.listPurchases({ ...query, limit: 1000 })).map(({ id }) => id);
    const { ids } = await read(await ann.exportPurchases({ ...query, page: 2, limit: 5 }));
    assert.equal(ids, listed, JSON.stringify(filter));
    assert.ok(ids.length > 0);
  }
  assert.is((await read(await ann.exportDeposits())).rows.length, 1);
  assert.is((await read(await ann.exportPurchases())).rows.length, 32, 'purchases and deposits');
});

test('the file of users follows search and order', async () => {
  for (const email of ['zoe@mail.test', 'abe@mail.test']) await addPlayer(2, { email });
  for (const query of [
    {},
    { search: 'mail', sort_by: 'email' as const, sort_order: 'asc' as const },
    { search: 'zoe' },
    { sort_by: 'first_name' as const, sort_order: 'desc' as const },
    { search: 'nobody' },
  ]) {
    const { users } = await ann.listPlayers(query);
    assert.equal((await read(await ann.exportPlayers({ ...query, page: 3, page_size: 25 }))).ids, pluck(users, 'id'));
  }
});

test('of nothing the file has its titles alone', async () => {
  assert.equal((await read(await ann.exportRedeems({ text: 'nothing like it' }))).rows, []);
});

test("every export is in its tenant's audit log with the person and the filters [ASVS 16.2.1]", async () => {
  await read(await ann.exportPlayers({ search: 'mail', sort_by: 'email' }));
  await read(await sue.exportRedeems({ tenant_id: 2, status: 'pending' }));
  await read(await sue.exportPurchases());
  await isRefused(ben.exportDeposits({ tenant_id: 2 }), 403);
  await isRefused(ann.exportPlayers({ sort_by: 'password_hash' as never }), 422);
  const { entries } = await sue.getAudit({ kind: 'export' });
  const search = `pseudonym ${services.secrets.pseudonym('mail').slice(0, 16)}`;
  assert.equal(table(entries, 'email', 'call', 'tenant_id', 'object_id', 'before', 'after'), [
    [people.sue.email, 'exportPurchases', null, null, null, null],
    [people.sue.email, 'exportRedeems', 2, null, null, { status: 'pending' }],
    [people.ann.email, 'exportPlayers', 2, null, null, { search, sort_by: 'email' }],
  ]);
  assert.equal(pluck((await ann.getAudit({ kind: 'export' })).entries, 'call'), ['exportRedeems', 'exportPlayers']);
  assert.equal((await ben.getAudit({ kind: 'export' })).entries, []);
});

test('filters that make no sense are refused before a file begins', () =>
  isRefused(ann.exportPurchases({ from_date: '2026-03-02', to_date: '2026-03-01' }), 422));

const csv = (path: string, token: string) => send('GET', path, { token, headers: { 'Accept-Encoding': 'identity' } });

const heads = ({ headers }: Response) =>
  ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag'].map((name) => headers.get(name));

test('a file is not to be kept on the way, and says what it is [ASVS 5.4.1, 5.4.2]', async () => {
  const response = await csv('/api/v1/admin/redeems/export', await tokenOf('ann'));
  assert.equal(heads(response), ['text/csv; charset=utf-8', 'attachment; filename="redeems.csv"', 'no-store', null]);
  await response.text();
});

test('who asks only what a file would be begins none: no turn is taken, no entry is written', async () => {
  await many();
  const token = await tokenOf('ann');
  for (let n = 0; n < 4; n++) {
    const response = await send('HEAD', '/api/v1/admin/purchases/export', { token });
    assert.is(response.status, 200);
    assert.equal(heads(response).slice(0, 2), ['text/csv; charset=utf-8', 'attachment; filename="purchases.csv"']);
  }
  assert.equal((await ann.getAudit({ kind: 'export' })).entries, []);
  assert.is((await read(await ann.exportPurchases())).rows.length, 6001);
  assert.is((await send('HEAD', '/api/v1/admin/purchases/export?tenant_id=3', { token })).status, 403);
  assert.is((await send('HEAD', '/api/v1/admin/purchases/export?limit=0', { token })).status, 422);
});

async function many(): Promise<void> {
  await sql`
    insert into transactions
      (tenant_id, player_id, transaction_type, amount, status, completed_at, payment_reference)
    select 2, ${pam.id}, 'TOP_UP', 10, 'failed', now(), 'R' || n || repeat('x', 400)
    from generate_series(1, 6000) n`;
}

/** A reader that has read the beginning of a long file. */
async function begin() {
  await many();
  const response = await csv('/api/v1/admin/purchases/export', await tokenOf('ann'));
  const reader = response.body!.getReader();
  await reader.read();
  return reader;
}

test('when the reader of a file goes, the database is free again', async () => {
  const reader = await begin();
  const running = () =>
    sql<{ n: number }[]>`select count(*) as n from pg_stat_activity where query like 'fetch %' and state <> 'idle'`;
  const becomes = (n: number) => eventually(async () => (await running())[0]!.n === n);
  assert.ok(await becomes(1), 'it waits for its reader');
  await reader.cancel();
  assert.ok(await becomes(0), 'the transaction has ended');
  assert.is((await read(await ann.exportPurchases())).rows.length, 6001);
});

test('one file of a tenant is sent at a time; the next waits for it a moment, then is told to come back', async () => {
  await many();
  const token = await tokenOf('ann');
  const first = await csv('/api/v1/admin/purchases/export', token);
  const second = await csv('/api/v1/admin/purchases/export', token);
  assert.is(second.status, 429);
  assert.is(second.headers.get('Retry-After'), '5');
  assert.match((await second.json()).detail, /^Too many exports/);
  const next = csv('/api/v1/admin/redeems/export', token);
  assert.is(parse(await first.text()).length, 6002);
  assert.is((await next).status, 200, 'it has waited');
  await (await next).text();
});

test('files never take the last connection there is: with two of them, one file at once', async () => {
  await many();
  const token = await tokenOf('ann'),
    { fetch: ask, close } = await smallServer(2);
  try {
    const open = await ask('/api/v1/admin/purchases/export', token);
    assert.is(open.status, 200);
    assert.is((await ask('/api/v1/admin/purchases/export', token)).status, 429);
    assert.is((await ask('/api/v1/admin/redeems', token)).status, 200, 'everybody else is answered meanwhile');
    assert.is(parse(await open.text()).length, 6002);
  } finally {
    await close();
  }
});

test('a file whose reading breaks off in the middle breaks off too, and never looks whole', async () => {
  const reader = await begin();
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'fetch %' and state <> 'idle'`;
  const rest = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read());
  };
  await catchError(rest());
  // The driver may use the cut connection once more before it notices. One query on each connection spares later tests.
  await Promise.allSettled(Array.from({ length: 10 }, () => sql`select pg_sleep(0.05)`));
});

test.run();

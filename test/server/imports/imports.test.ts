import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { IMPORT_CHARS, IMPORT_ROWS } from '../../../src/contract/imports';
import { verifyLedger } from '../../../src/server/books/verify';
import { isRefused, lines, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { imported, importFile, summary } from '../../importFile';
import { pam, people, refusal, refused, reset, send, sql, tokenOf } from '../../world';

test.before.each(reset);

const batch = (header: string, rows: string, more: object = {}) => ({
  body: { tenant_id: 2, kind: 'players' as const, header, rows, first_line: 2, ...more },
});
const playersNow = () => sql`
  select p.email, p.first_name, p.last_name, p.phone_number, p.affiliate_id, p.is_active, p.created_at,
    w.credit_balance, w.bonus_balance, w.vip_balance, w.loyalty_balance
  from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
  where p.tenant_id = 2 and p.id <> ${pam.id} order by p.id`;
const columns =
  'source_id,email,first_name,last_name,phone_number,affiliate_id,is_active,created_at,' +
  'credit_balance,bonus_balance,vip_balance,loyalty_balance';
const file = `${columns}
P1,quinn@mail.test,Quinn,"O'Hara, Jr.",+1 555 010 9000,AFF1,yes,2024-03-01T18:30:00+02:00,125.50,10,,4.25
P2,Rae@Mail.test,Rae,,,,no,2024-05-17,,,,
`;

test("nothing comes into another's tenant, the platform's own or one that is not there", async () => {
  for (const call of [ben.importRows, ben.checkImport])
    await isRefused(call(batch('email', 'x@mail.test')), 403, 'Tenant access violation');
  for (const call of [sue.importRows, sue.checkImport]) {
    assert.is(await refused(call(batch('email', 'x@mail.test', { tenant_id: 1 }))), 400);
    assert.is(await refused(call(batch('email', 'x@mail.test', { tenant_id: 99 }))), 404);
  }
  assert.equal(await playersNow(), []);
});

test("a row never finds another tenant's player, by e-mail or by the id it had", async () => {
  await importFile(ann, 'players', 'source_id,email\nP1,quinn@mail.test');
  const rows = `source_id,user_email,user_source_id,type,status,amount,initiated_at
1,${pam.email},,TOP_UP,pending,5,2026-01-01
2,,P1,TOP_UP,pending,5,2026-01-01`;
  assert.equal(summary(await importFile(ben, 'transactions', rows, { tenant_id: 3 })).rejects, [
    '2 user_email: no player has this email',
    '3 user_source_id: no player was imported with this id',
  ]);
});

test('an import has its own limits for rows and bytes, and other calls keep theirs', async () => {
  const token = await tokenOf('ann');
  const many = Array.from({ length: IMPORT_ROWS + 1 }, (_, n) => `p${n}@mail.test`).join('\n');
  await isRefused(ann.importRows(batch('email', many)), 422, `body.rows: at most ${IMPORT_ROWS} rows at once`);
  assert.is(await refused(ann.importRows(batch('email', 'x'.repeat(IMPORT_CHARS + 1)))), 422);
  assert.is((await send('POST', '/api/v1/admin/imports', { token, body: { x: 'x'.repeat(700_000) } })).status, 413);
  assert.is((await send('POST', '/api/v1/users', { token, body: { x: 'x'.repeat(70_000) } })).status, 413);
  assert.equal(await playersNow(), []);
});

const start = 'a@mail.test,A\nb@mail.test,',
  names = 'email,first_name';
for (const [what, header, rows, detail] of [
  ['no header', '', 'a', 'Line 1: expected a header with the column names'],
  ['no column for the e-mail', 'name,phone', 'a,b', 'Line 1: missing column email'],
  ['a column twice', 'email,E-Mail,Email', 'a,b,c', 'Line 1: duplicate column email'],
  ['an open quotation mark', names, `${start}"B\nc@mail.test,C\n`, 'Line 3: a quotation mark is never closed'],
  ['a quotation mark within a cell', names, `${start}B"C"\n`, 'Line 3: a quotation mark is in the middle of a cell'],
  ['text behind a quoted cell', names, '"a@mail.test"x,A\n', 'Line 2: there is text after a closing quotation mark'],
] as const) {
  test(`a file with ${what} is refused as a whole, with its line`, async () => {
    await isRefused(ann.importRows(batch(header, rows)), 422, detail);
    assert.equal(await playersNow(), []);
  });
}

test('a file of transactions needs its own columns', async () => {
  const detail = async (header: string) =>
    (await refusal(ann.checkImport(batch(header, '', { kind: 'transactions' })))).detail;
  assert.is(await detail('user_email'), 'Line 1: missing columns transaction_type, status, amount, initiated_at');
  assert.is(await detail('type,status,amount,initiated_at'), 'Line 1: missing column user_email or user_source_id');
});

test('players come in with what they have, which comes from the account opening', async () => {
  assert.equal(await imported(ann, 'players', file), [2, 0]);
  const [quinn, rae] = await playersNow();
  assert.equal(Object.values(quinn!), [
    ...['quinn@mail.test', 'Quinn', "O'Hara, Jr.", '+1 555 010 9000', 'AFF1', true, new Date('2024-03-01T16:30:00Z')],
    ...[125.5, 10, 0, 4.25],
  ]);
  const since = new Date('2024-05-17T00:00:00Z');
  assert.equal(Object.values(rae!), ['Rae@Mail.test', 'Rae', null, null, null, false, since, 0, 0, 0, 0]);
  const transfers =
    await sql`select from_account, to_account, amount, admin_id from transfers where player_id > 2 order by id`;
  assert.equal(lines(transfers, 'from_account', 'to_account', 'amount', 'admin_id'), [
    ...['opening credit 125.5 2', 'opening bonus 10 2', 'opening loyalty 4.25 2'],
  ]);
  const { users, pagination } = await ann.listPlayers({ search: 'quinn' });
  assert.equal([users[0]?.credit_balance, pagination.total_users], [125.5, 1]);
  assert.is((await ann.listPlayers({})).pagination.total_users, 3);
  const history = await ann.listPlayerTransactions({ id: users[0]!.id });
  assert.equal(lines(history, 'transaction_type', 'amount').sort(), ['OPENING 10', 'OPENING 125.5', 'OPENING 4.25']);
  assert.equal(await verifyLedger(sql), []);
});

test('a file in any of its spellings says the same', async () => {
  const plain = 'source_id,email,first_name,credit_balance,note\n';
  await importFile(ann, 'players', `${plain}P1,quinn@mail.test,"Qu;inn\nII",5,x\nP2,rae@mail.test,=Rae,0,\n`);
  const again = [
    '\uFEFFEMAIL;Source-ID;"First Name";Credit Balance\r\n' +
      'quinn@mail.test;P1;"Qu;inn\r\nII";5.00\r\n\r\nRAE@mail.test;P2;\'=Rae;0\r\n',
    'sep=\t\nCredit\tEmail\tID\tfirst_name\n"5.0"\tQUINN@mail.test\tP1\t"Qu;inn\nII"\t\t\n 0 \trae@mail.test\tP2\t=Rae',
    'email,source_id,first_name,credit_balance\rquinn@mail.test,P1,"Qu;inn\rII",5\rrae@mail.test,P2,=Rae,0',
  ];
  for (const text of again) assert.equal(await imported(ann, 'players', text), [0, 2]);
  const odd = 'email,Shoe Size,password\nnew@mail.test,44,secret';
  const { ignored } = await importFile(ann, 'players', odd, { isCheck: true });
  assert.equal(ignored, ['Shoe Size', 'password']);
  assert.equal(pluck(await playersNow(), 'first_name'), ['Qu;inn\nII', '=Rae']);
});

test('each row is judged by the rules of the form, and a wrong one takes no other with it', async () => {
  const rows = [
    ...['a@mail.test,1', 'nobody,1', ',1', 'b@mail.test,1.005', 'c@mail.test,-1', 'd@mail.test,1e3'],
    ...['e@mail.test,1,1', 'f@mail.test', `${pam.email.toUpperCase()},1`, 'A@MAIL.TEST,2', 'a@mail.test,1'],
    ...[`${'x'.repeat(250)}@mail.test,1`, 'g@mail.test,"2"'],
  ];
  const [created, existing, ...rejects] = await imported(ann, 'players', `email,credit\n${rows.join('\n')}`);
  assert.equal([created, existing], [2, 1]);
  assert.equal(rejects, [
    '3 email: expected an email address',
    '4 email: is required',
    '5 credit_balance: expected an amount with at most 2 decimals',
    '6 credit_balance: must not be negative',
    '7 credit_balance: expected an amount with at most 2 decimals',
    '8 -: has 3 cells, the header has 2',
    '9 -: has 1 cell, the header has 2',
    '10 email: A user with this email already exists',
    '11 credit_balance: differs from line 2 of this file',
    '13 email: at most 254 characters',
  ]);
  const times = 'h@mail.test,maybe,\ni@mail.test,,2026-02-30\nj@mail.test,,2999-01-01\nk@mail.test,,2090-01-01';
  const noTime = 'created_at: expected a date and time such as 2026-01-31T13:45:00Z';
  const refused = await imported(ann, 'players', `email,is_active,created_at\n${times}`);
  const wanted = ['2 is_active: expected yes or no', `3 ${noTime}`, `4 ${noTime}`, '5 created_at: is in the future'];
  assert.equal(refused, [0, 0, ...wanted]);
});

test('a name in other systems belongs to one player', async () => {
  await sql`update players set external_id = 'U1' where id = ${pam.id}`;
  const text = 'email,External ID\na@mail.test,U1\nb@mail.test,U2\nc@mail.test,U2\nd@mail.test,\n';
  const taken = 'external_id: Another user has this external_id';
  assert.equal(await imported(ann, 'players', text), [2, 0, `2 ${taken}`, `4 ${taken}`]);
  const kept = await sql`select email, external_id from players where tenant_id = 2 and id <> ${pam.id} order by id`;
  assert.equal(lines(kept, 'email', 'external_id'), ['b@mail.test U2', 'd@mail.test null']);
});

test('an e-mail that is in a file twice names the earlier line', async () => {
  const text = 'source_id,email\nP1,a@mail.test\nP2,b@mail.test\nP3,A@mail.test\nP4,a@mail.test';
  const twice = 'is the email of line 2, too';
  assert.equal(await imported(ann, 'players', text), [2, 0, `4 email: ${twice}`, `5 email: ${twice}`]);
});

test('a check says what an import would do, and does nothing', async () => {
  const text = `${file}P3,${pam.email},,,,,,,,,,\nP1,other@mail.test,,,,,,,,,,\n`;
  const before = await playersNow(),
    checked = summary(await importFile(ann, 'players', text, { isCheck: true }));
  assert.equal(await playersNow(), before);
  assert.equal([...(await sql`select 1 from imported`)].length, 0);
  assert.equal(checked, {
    created: 2,
    existing: 0,
    rejects: ['4 email: A user with this email already exists', '5 email: differs from line 2 of this file'],
  });
  assert.equal(summary(await importFile(ann, 'players', text)), checked);
});

test('what is said twice far apart in a file shows in the check', async () => {
  const rows = Array.from({ length: IMPORT_ROWS }, (_, n) => `P${n},p${n}@mail.test`);
  const again = ['P1,p1@mail.test', 'P1000,p2@mail.test', 'P1001,new@mail.test'];
  const text = ['source_id,email', ...rows, ...again].join('\n');
  const checked = summary(await importFile(ann, 'players', text, { isCheck: true }));
  assert.equal(checked, { created: IMPORT_ROWS + 1, existing: 0, repeated: 2, rejects: [] });
});

test('the same file again changes nothing, and what differs under the same id is named', async () => {
  await importFile(ann, 'players', file);
  const before = await playersNow();
  assert.equal(await imported(ann, 'players', file), [0, 2]);
  const changed = file.replace('125.50', '125.51').replace('2024-05-17', '2024-05-18');
  const differs = 'differs from what was imported under this id before';
  const found = await imported(ann, 'players', changed);
  assert.equal(found, [0, 0, `2 credit_balance: ${differs}`, `3 created_at: ${differs}`]);
  assert.equal(await playersNow(), before);
});

test('what happened to a player since does not make the file another', async () => {
  const text = 'email,credit\nquinn@mail.test,5\nrae@mail.test,0';
  await importFile(ann, 'players', text);
  const [quinn, rae] = ['quinn', 'rae'].map(async (search) => (await ann.listPlayers({ search })).users[0]!);
  await ann.adjustBalances({ id: (await quinn!).id, body: { credit: 1 } });
  await ann.updatePlayer({ id: (await quinn!).id, body: { email: 'elsewhere@mail.test' } });
  await ann.deletePlayer({ id: (await rae!).id });
  assert.equal(await imported(ann, 'players', text), [0, 2]);
  assert.is((await ann.listPlayers({})).pagination.total_users, 2);
  assert.not.match(JSON.stringify([...(await sql`select * from imported`)]), /quinn|rae/);
});

const many = Array.from({ length: 1200 }, (_, n) => `P${n},p${n}@mail.test,1.10`);
const crowd = `source_id,email,credit\n${many.join('\n')}`;
test('the same file by two people at once comes in once', async () => {
  const both = await Promise.all(
    [ann, sue].map((by) => importFile(by, 'players', crowd, { pauses: [10, 10, 10] }).then(summary)),
  );
  const [one, other] = both;
  assert.equal([one!.created + other!.created, one!.existing + other!.existing], [1200, 1200]);
  assert.equal([...one!.rejects, ...other!.rejects], []);
  const [now] = await sql`
    select count(*), sum(w.credit_balance)
    from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
    where p.tenant_id = 2 and p.id <> ${pam.id}`;
  assert.equal({ ...now }, { count: 1200, sum: 1320 });
  assert.equal(await verifyLedger(sql), []);
});

test('a file that was stopped in the middle comes in like one that was not', async () => {
  let batches = 0;
  const going = { isStopped: () => batches === 1, onProgress: () => void batches++ };
  const stopped = await importFile(ann, 'players', crowd, going);
  assert.equal([stopped.created, stopped.rows], [IMPORT_ROWS, IMPORT_ROWS]);
  assert.equal(await imported(ann, 'players', crowd), [700, IMPORT_ROWS]);
  assert.is((await ann.listPlayers({})).pagination.total_users, 1201);
});

test('a player who is created by hand while the file comes in costs a reject, not the batch', async () => {
  await sql`
    create function late() returns trigger language plpgsql as $$
    begin
      if new.email = 'b@mail.test' then raise unique_violation; end if;
      return new;
    end $$`;
  await sql`create trigger late before insert on players for each row execute function late()`;
  try {
    const text = 'email\na@mail.test\nb@mail.test\nc@mail.test\nd@mail.test';
    assert.equal(await imported(ann, 'players', text), [3, 0, '3 -: was created by another import']);
  } finally {
    await sql`drop trigger late on players`;
    await sql`drop function late`;
  }
  assert.equal(pluck(await playersNow(), 'email'), ['a@mail.test', 'c@mail.test', 'd@mail.test']);
});

test('a batch leaves exactly one entry: who, from where, what, and how much; one that is refused none', async () => {
  const of = { file_name: 'players.csv', file_sha256: 'ab'.repeat(32) };
  await refused(sue.importRows(batch('name', 'New', of)));
  await sue.checkImport(batch('email', 'new@mail.test', of));
  assert.equal([...(await sql`select 1 from audit_log`)].length, 0);
  await sue.importRows(batch('email,credit', `new@mail.test,5\n${pam.email},1\nnobody,1`, of));
  const [entry, ...others] = await sql`
    select admin_id, email, call, kind, object_id, tenant_id, player_id, before, after, reason, note from audit_log`;
  assert.is(others.length, 0);
  assert.equal(entry, {
    ...{ admin_id: people.sue.id, email: people.sue.email, call: 'importRows', kind: 'import' },
    ...{ object_id: 'ab'.repeat(8), tenant_id: 2, player_id: null, before: null, reason: null, note: null },
    after: {
      ...{ of: 'players', file: 'players.csv', file_sha256: 'ab'.repeat(32), from_line: 2 },
      ...{ created: 1, already_there: 0, rejected: 2, batch: 1, digest: 2 },
      rows_sha256: createHash('sha256').update('players|3|credit 5.00').digest('hex'),
    },
  });
});

test('every batch leaves one entry in the audit log, under the hash of its file', async () => {
  const text = `email\n${Array.from({ length: 700 }, (_, n) => `p${n}@mail.test`).join('\n')}`;
  await importFile(ann, 'players', text);
  const { entries } = await ann.getAudit({ kind: 'import' });
  const batches = entries.map(({ call, after }) => [call, after?.['from_line'], after?.['created'], after?.['file']]);
  assert.equal(batches, [
    ['importRows', 502, 200, 'players.csv'],
    ['importRows', 2, 500, 'players.csv'],
  ]);
});

/** Letters that JavaScript takes for one in both cases, and not every database does. */
for (const [upper, lower] of [
  ['Ა', 'ა'],
  ['Ꭰ', 'ꭰ'],
  ['Ä', 'ä'],
] as const)
  test(`rows go to the account that the database has for an e-mail with ${upper} or ${lower}`, async () => {
    const emails = [`${upper}na@mail.test`, `${lower}na@mail.test`];
    const ids: number[] = [];
    for (const email of emails)
      await ann.createPlayer({ body: { email, password: 'secret', tenant_id: 2 } }).then(
        ({ id }) => ids.push(id),
        () => ids.push(ids[0]!), // the database takes both for one
      );
    const header = 'source_id,user_email,transaction_type,status,amount,initiated_at\n';
    const rows = `a,${emails[0]},TOP_UP,pending,500,2026-01-01\nb,${emails[1]},TOP_UP,pending,1,2026-01-01`;
    const { created } = await importFile(ann, 'transactions', header + rows);
    assert.is(created, 2);
    const booked = await sql`
      select player_id, amount from transactions where amount in (500, 1) order by amount desc`;
    assert.equal(lines(booked, 'player_id', 'amount'), [`${ids[0]} 500`, `${ids[1]} 1`]);

    // Players of a file: as many accounts as the database can keep apart.
    const others = emails.map((email) => `new-${email}`).join(',0\n');
    assert.is((await importFile(ann, 'players', `email,credit_balance\n${others},0`)).created, new Set(ids).size);
  });

test.run();

/**
 * Somebody who may write to the database but has no key gives a player 5,000 and puts something in the place of what
 * shows it: a view, a schema, a function. `npm run verify` is not taken in.
 */
import { rmSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enter, newDataDir, newFolder, type Running, run } from '../running';
import { pastTheServer, runVerify } from './verifyProgram';

const dataDir = newFolder('replaced');
let server: Running;
const change = (...statements: string[]) => pastTheServer(dataDir, (sql) => sql.unsafe(statements.join(';')));
const STOLEN = `update wallets set credit_balance = 5500 where tenant_id = 2`;
const PUT_BACK = `update public.wallets set credit_balance = 500 where tenant_id = 2`;

test.before(async () => {
  await newDataDir(dataDir);
  server = await run({ dataDir });
  const api = await enter(server);
  const { id: tenant_id } = await api.createTenant({ body: { name: 'Acme' } });
  const { id } = await api.createPlayer({ body: { email: 'pam@mail.test', password: 'secret', tenant_id } });
  await api.adjustBalances({ id, body: { credit: 500 } });
});
test.after(async () => {
  await server.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 });
});
test.after.each(async () => {
  const { code, stdout, stderr } = await runVerify(dataDir);
  assert.is(code, 0, `after it was put back: ${stdout}${stderr}`);
});

const assertFound = async (...sentences: RegExp[]): Promise<void> => {
  const { code, stdout, stderr } = await runVerify(dataDir);
  assert.is(code, 1, stdout + stderr);
  for (const sentence of sentences) assert.match(stdout, sentence);
};
const MISSING = /^Player 1 of tenant 2 has 5500\.00 credit, but the transfers sum to 500\.00\.$/m;
/** As it was read once. */
const POSTINGS = `
  select tenant_id, id as transfer_id, player_id, from_account as account, -amount as amount, money_id, created_at
  from public.transfers
  union all select tenant_id, id, player_id, to_account, amount, money_id, created_at from public.transfers`;
const LYING_ROWS = `
  select 2::bigint, 0::bigint, 1::bigint, a, n, null::bigint, now()
  from (values ('credit', 5000::numeric), ('adjustment', -5000::numeric)) v (a, n)`;

test('a view of postings with invented ones, where an older version read them', async () => {
  await change(STOLEN, `create or replace view postings as ${POSTINGS} union all ${LYING_ROWS}`);
  await assertFound(MISSING);
  await change(PUT_BACK, 'drop view postings');
});

test('a schema with the name of the role, with postings and transfers of its own', async () => {
  await change(
    STOLEN,
    'create schema back_office',
    `create view back_office.postings as ${POSTINGS} union all ${LYING_ROWS}`,
    `create view back_office.transfers as select * from public.transfers union all
      select 2, 0, 1, 'adjustment', 'credit', 5000, null, 1, now(), null, null`,
  );
  await assertFound(MISSING);
  await change(PUT_BACK, 'drop schema back_office cascade');
});

test('a schema with the name of the role that shows the server other balances than verify', async () => {
  await change('create schema back_office', 'create table back_office.wallets (like public.wallets including all)');
  const stolen = STOLEN.replace('wallets', 'back_office.wallets');
  await change(`insert into back_office.wallets select * from public.wallets`, stolen);
  assert.is(await server.end('SIGTERM'), 0);
  server = await run({ dataDir });
  const { users } = await (await enter(server)).listPlayers();
  assert.is(users[0]?.credit_balance, 500);
  await change('drop schema back_office cascade');
});

test('a search path of the role that leads elsewhere', async () => {
  await change(
    'create schema other',
    'create view other.wallets as select * from public.wallets',
    'alter role back_office set search_path = other, public',
  );
  const { code, stdout } = await runVerify(dataDir);
  assert.is(code, 0, stdout); // the server asks for its own path
  await change('alter role back_office reset search_path', 'drop schema other cascade');
});

test('a table that is a view on a copy', async () => {
  await change('alter table wallets rename to real_wallets', 'create view wallets as select * from real_wallets');
  await assertFound(/^public\.wallets is not an ordinary table\.$/m);
  await change('drop view wallets', 'alter table real_wallets rename to wallets');
});

test('rows that are hidden or shared, rules and triggers', async () => {
  await change(
    'alter table redeems enable row level security',
    'create table more_transfers () inherits (transfers)',
    'create rule quiet as on delete to imported do instead nothing',
    `create function lie() returns trigger language plpgsql as 'begin return new; end'`,
    'create trigger lie before insert on transactions for each row execute function lie()',
  );
  await assertFound(
    /^The table redeems has row-level security, which can hide rows\.$/m,
    /^The table transfers shares rows with public\.more_transfers by inheritance\.$/m,
    /^The table imported has the rule quiet, which is not the server's\.$/m,
    /^The table transactions has the trigger lie, which is not the server's\.$/m,
    /^What the server and this command read was replaced: \d findings\.$/m,
  );
  await change(
    'alter table redeems disable row level security',
    'drop table more_transfers',
    'drop rule quiet on imported',
    'drop function lie cascade',
  );
});

test('a trigger of ours that was turned off', async () => {
  await change('drop trigger transfers_never_emptied on transfers');
  await assertFound(/^The trigger transfers_never_emptied of the table transfers is missing or turned off\.$/m);
  await change(`create trigger transfers_never_emptied before truncate on transfers execute function refuse_change()`);
});

test('a function that says less than the one of PostgreSQL', async () => {
  await change(
    STOLEN,
    `create function public.format(text, bigint, bigint, numeric, text, numeric) returns text
      language sql as 'select null'`,
    `create function public.different(numeric, numeric) returns boolean language sql as 'select false'`,
    `create operator public.<> (leftarg = numeric, rightarg = numeric, function = public.different)`,
  );
  await assertFound(
    MISSING,
    /^The function public\.format\(.*\) is found beside the one of PostgreSQL with this name\.$/m,
    /^The operator .*<>\(numeric,numeric\) is found beside the one of PostgreSQL with this name\.$/m,
  );
  await change(PUT_BACK, 'drop operator public.<> (numeric, numeric)', 'drop function different, public.format');
});

test.run();

/** One code base for a database on one machine and one that Citus spreads over several (docs/scaling.md, "Citus"). */
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../../src/server/books/verify';
import { distribute, listKinds } from '../../../../src/server/db/citus/distribute';
import { splitStatements } from '../../../../src/server/db/statements';
import { whyNotDistributable } from '../../../distributable';
import { countAll } from '../../../facts';
import { as, asServer, db, reset, services, sql } from '../../../world';
import { catchError } from '../../catchError';

test.before(reset);

test('what becomes of a table on Citus is derived from its keys', async () => {
  const of = async (kind: string) => (await listKinds(sql)).filter((one) => one.kind === kind).map(({ name }) => name);
  const before = await of('distributed');
  for (const name of ['players', 'wallets', 'transfers', 'facts', 'player_facts', 'facts_until'])
    assert.ok(before.includes(name), name);
  assert.equal(await of('reference'), [
    'admins',
    'api_keys',
    'identity_providers',
    'notification_rules',
    'notification_things',
    'platforms',
    'roles',
    'tenants',
  ]);
  const known = (await of('coordinator')).filter((name) => /^(audit|session)/.test(name));
  assert.equal(known, ['audit_lanes', 'audit_log', 'sessions']);
  await catchError(
    db.tx(async (tx) => {
      await tx`create table medals (tenant_id bigint not null references tenants, id bigint, primary key (tenant_id, id))`;
      assert.ok((await listKinds(tx)).some(({ name, kind }) => name === 'medals' && kind === 'distributed'));
      throw new Error('enough');
    }),
  );
});

test('a table is spread by tenant only if what it refers to is, or has a copy on each worker', async () => {
  const kinds = new Map((await listKinds(sql)).map(({ name, kind }) => [name, kind]));
  const keys = await sql<{ name: string; other: string }[]>`
    select conrelid::regclass::text as name, confrelid::regclass::text as other from pg_constraint where contype = 'f'`;
  for (const { name, other } of keys)
    if (kinds.get(name) === 'distributed')
      assert.ok(['distributed', 'reference'].includes(kinds.get(other) ?? ''), `${name} refers to ${other}`);
});

test('nothing is spread on a database without Citus', async () => {
  assert.equal(await db.tx(distribute), []);
});

test('the statements of a text are parted where they end, and nowhere else', () => {
  const text = `
    -- a comment; with a sign
    create table a (b text default ';', "c;d" int); /* another; */ insert into a values ('it''s;', E'\\';');
    create function f() returns void language plpgsql as $$ begin perform 1; perform 2; end $$;
    do $body$ begin perform '$$;'; end $body$;
    select 1`;
  assert.equal(splitStatements(text), [
    `create table a (b text default ';', "c;d" int)`,
    `insert into a values ('it''s;', E'\\';')`,
    'create function f() returns void language plpgsql as $$ begin perform 1; perform 2; end $$',
    `do $body$ begin perform '$$;'; end $body$`,
    'select 1',
  ]);
  for (const name of readdirSync('src/server/db/migrations').filter((file) => file.endsWith('.sql'))) {
    const statements = splitStatements(readFileSync(`src/server/db/migrations/${name}`, 'utf8'));
    for (const statement of statements)
      assert.match(statement, /^(create|alter|drop|insert|update|delete|with|do|lock|comment|select|set)\b/i, name);
  }
});

const broken = {
  'selects no column': 'select 1 where exists (select from players)',
  'row_to_json forgets the names of the columns': 'select row_to_json(r) from (select 1 as a) r',
  'has a query as its limit': 'select id from redeems limit (select 1)',
  'reads a function of its own in from': 'select 1 from coalesce($1, now()) as moment',
  'asks for the time in do update; take that of excluded':
    'insert into known_networks (admin_id) values ($1) on conflict (admin_id) do update set seen_at = now()',
  'asks for the time in a case or coalesce of an update; choose before':
    'update transactions set completed_at = coalesce($1::timestamptz, now()) where tenant_id = $2',
  'updates with clock_timestamp; read it before': 'update book_checks set next_at = clock_timestamp()',
  'takes a number from a sequence beside a table that is spread; take it before':
    "select nextval('money_ids') from wallets where tenant_id = $1 for update",
  'answers an insert with a query; read the row after it':
    'insert into approvals as o (kind) values ($1) returning o.id, (select 1 from transactions)',
  'answers what needs the time; ask before':
    'delete from passkey_challenges where challenge = $1 returning created_at > now() as is_fresh',
  'answers a column of an insert that reads its own table; answer 1':
    'insert into mail_links (admin_id) select 1 where (select count(*) from mail_links) < 5 returning admin_id',
  'looks in each copy of a table for rows that are spread; use except':
    'select id from tenants t where not exists (select 1 from facts_until u where u.tenant_id = t.id)',
  'shares the lock of a row with copies, which is a deadlock when two do; use for no key update':
    'select 1 from admins f join roles r on r.id = f.role_id where f.id = $1 for share of f',
  'changes or locks rows of a tenant without its tenant':
    'update wallets w set credit_balance = 0 from delta d where w.player_id = d.player_id',
};
test('each form that Citus does not take is seen, and the forms in its place are not', () => {
  for (const [why, statement] of Object.entries(broken)) assert.is(whyNotDistributable(statement), why);
  const page = 'select id from redeems where (tenant_id, id) > ($1, $2) order by tenant_id, id limit 10';
  assert.is(whyNotDistributable(page), null);
  assert.is(whyNotDistributable(`${page} for update`), 'changes or locks rows of a tenant without its tenant');
  for (const statement of [
    'select 1 from wallets where tenant_id = $1 and player_id = $2 for update',
    'insert into known_networks (admin_id) values ($1) on conflict (admin_id) do update set seen_at = excluded.seen_at',
    'update transactions set completed_at = now() where tenant_id = $1 and id = $2',
    'select 1 from payment_methods m join tenants t on t.id = m.tenant_id where m.tenant_id = $1 for share of m',
    `select nextval('money_ids') as id`,
  ])
    assert.is(whyNotDistributable(statement), null, statement);
});

test('a test fails when the server sends such a statement', async () => {
  const error = await catchError(asServer(async () => sql`select row_to_json(t) from tenants t`));
  assert.match(error.message, /^This statement row_to_json forgets/);
});

test('what the server does by itself keeps to the rules too', async () => {
  await as('sue');
  await asServer(async () => {
    await countAll();
    await db.tx(verifyLedger);
    await services.sessions.sweep(sql);
    await services.rateLimits.sweep();
  });
});

test.run();

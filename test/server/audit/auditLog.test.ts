/** Reading the audit log, and finding whatever was done to it behind our back. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AUDIT_PAGE } from '../../../src/contract/constants';
import { addDays } from '../../../src/contract/dates';
import { createAuditShards } from '../../../src/server/audit/auditLog';
import { verifyAudit } from '../../../src/server/audit/verify';
import { createSecrets } from '../../../src/server/auth/secrets';
import { lines, pluck, table } from '../../answers';
import { ben, sue } from '../../callers';
import { todayIn } from '../../timestamps';
import { as, db, pam, pastTriggers, pat, people, refused, reset, runEach, services, sql } from '../../world';
import { catchError } from '../catchError';

test.before.each(reset);

const rename = async (times: number) => {
  for (let n = 1; n <= times; n++)
    await sue.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: `Pam ${n}` } });
};
const found = async () => (await verifyAudit(db, services.secrets)).sentences;
/** As the owner of the database can, past the triggers. */
const behindOurBack = (statement: string) => pastTriggers(['audit_log'], (tx) => runEach(tx, statement));

test("a tenant's admin reads the log of its own tenant, a super admin that of all or of one", async () => {
  await (await as('ann')).adjustBalances({ id: pam.id, body: { credit: 5, reason: 'goodwill', note: 'sorry' } });
  await ben.adjustBalances({ id: pat.id, body: { credit: 6 } });
  const ann = await as('ann');
  const { entries, next_cursor } = await ann.getAudit({});
  assert.is(next_cursor, null);
  assert.equal(table(entries, 'email', 'call', 'before', 'after', 'reason', 'note'), [
    [people.ann.email, 'adjustBalances', { credit_balance: 350 }, { credit_balance: 355 }, 'goodwill', 'sorry'],
  ]);
  assert.equal(pluck((await sue.getAudit({})).entries, 'email'), [people.ben.email, people.ann.email]);
  assert.equal(pluck((await sue.getAudit({ tenant_id: 3 })).entries, 'email'), [people.ben.email]);
});

test("what only super admins may see of a tenant is not in its own admin's log", async () => {
  const body = { api_key: 'a', secret_key: 'b', merchant_id: 'hidden' };
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', webhook_url: 'https://hook.test/', body });
  await sue.createAdmin({ body: { email: 'hidden@acme.test', password: 'long enough', tenant_id: 2, role_id: 2 } });
  assert.is((await sue.getAudit({ tenant_id: 2 })).entries.length, 2);
  assert.equal((await (await as('ann')).getAudit({})).entries, []);
});

test('person, kind, object, player and day narrow it down, also together', async () => {
  const ann = await as('ann');
  await rename(2);
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } });
  const calls = async (query: Parameters<typeof sue.getAudit>[0]) =>
    (await sue.getAudit(query)).entries.map(({ call }) => call);
  assert.equal(await calls({ person: 'ANN@' }), ['changePurchaseStatus', 'changeRedeemStatus']);
  assert.equal(await calls({ person: '%' }), []);
  assert.equal(await calls({ kind: 'redeem' }), ['changeRedeemStatus']);
  assert.equal(await calls({ kind: 'purchase', object_id: String(pam.purchase) }), ['changePurchaseStatus']);
  assert.equal(await calls({ kind: 'purchase', object_id: String(pat.purchase) }), []);
  assert.is((await calls({ player_id: pam.id })).length, 4);
  assert.is((await calls({ player_id: pam.id, person: 'sue', kind: 'player' })).length, 2);
  const today = todayIn('UTC'),
    yesterday = addDays(today, -1);
  assert.is((await calls({ from: today, to: today })).length, 4);
  assert.equal(await calls({ to: yesterday }), []);
  assert.is((await calls({ from: yesterday })).length, 4);
  assert.is(await refused(sue.getAudit({ from: 'yesterday' })), 422);
});

test('a day is the business day of the tenant it happened in', async () => {
  await sql`update tenants set time_zone = 'Pacific/Kiritimati' where id = 2`; // fourteen hours ahead
  await rename(1);
  const [day] = await sql<{ there: string; here: string }[]>`
    select
      (at at time zone 'Pacific/Kiritimati')::date as there,
      (at at time zone 'Pacific/Pago_Pago')::date as here
    from audit_log`;
  assert.is((await sue.getAudit({ from: day!.there, to: day!.there })).entries.length, 1);
  assert.equal((await sue.getAudit({ from: day!.here, to: day!.here })).entries, []);
});

test('it comes in pages, newest first, that later entries do not shift', async () => {
  await rename(AUDIT_PAGE + 2);
  const first = await sue.getAudit({});
  assert.is(first.entries.length, AUDIT_PAGE);
  assert.equal(first.entries[0]?.after, { first_name: `Pam ${AUDIT_PAGE + 2}` });
  await rename(1);
  const second = await sue.getAudit({ cursor: first.next_cursor! });
  assert.equal(pluck(second.entries, 'after'), [{ first_name: 'Pam 2' }, { first_name: 'Pam 1' }]);
  assert.is(second.next_cursor, null);
});

test('the database itself refuses to edit, delete or empty the log', async () => {
  await rename(1);
  for (const statement of ["update audit_log set email = 'x'", 'delete from audit_log', 'truncate audit_log'])
    assert.is((await catchError(sql.unsafe(statement))).message, 'the audit log is append-only', statement);
});

test('a log nobody touched is whole, whichever way it was written', async () => {
  const deletion = refused(as('ann').then((ann) => ann.deletePlayer({ id: pam.id })));
  await Promise.all([rename(5), rename(5), rename(5), deletion]);
  // Each on a connection that those before it hold.
  const writeInside = async (depth: number): Promise<void> => {
    await rename(1);
    if (depth > 0)
      await db.tx(async (tx) => {
        await tx`select 1`;
        await writeInside(depth - 1);
      });
  };
  await writeInside(3);
  assert.equal(await verifyAudit(db, services.secrets), { entries: 19, sentences: [] });
  const [shards] = await sql<{ used: number }[]>`select count(distinct lane)::int as used from audit_log`;
  assert.ok(shards!.used > 1, 'writers spread over the shards');
});

const columns: Record<string, string> = {
  email: "'mallory@acme.test'",
  admin_id: '3',
  address: "'10.0.0.1'",
  call: "'login'",
  kind: "'other'",
  object_id: "'2'",
  player_id: '2',
  tenant_id: '3',
  at: "(at at time zone 'UTC' - interval '1 day') at time zone 'UTC'",
  before: `'{"first_name":"Pat"}'`,
  after: 'null',
  reason: "'test'",
  note: "'harmless'",
  request_id: "'x'",
  id: 'id + 1000',
  seal: "'\\x00'",
};
for (const [column, value] of Object.entries(columns)) {
  test(`an edited ${column} is found`, async () => {
    await rename(1);
    await behindOurBack(`update audit_log set ${column} = ${value}`);
    const [sentence] = await found();
    assert.match(sentence ?? '', /^Entry \d+ of the audit log was edited or inserted: its MAC does not match\.$/);
  });
}

test('every column of an entry is under its seal', async () => {
  const rows = await sql`
    select column_name as name from information_schema.columns where table_name = 'audit_log' order by 1`;
  assert.equal(pluck(rows, 'name').sort(), [...Object.keys(columns), 'lane', 'position'].sort());
});

/** Several entries in one shard: as many connections as it takes. */
async function sameShard(): Promise<number> {
  for (;;) {
    await rename(4);
    const [found] = await sql`select lane from audit_log group by lane having count(*) >= 4 limit 1`;
    if (found) return found['lane'];
  }
}

test('a deleted entry is found, in the middle and at the end [ASVS 16.4.2]', async () => {
  const shard = await sameShard();
  await behindOurBack(`delete from audit_log where lane = ${shard} and position = 2`);
  const said = `^One entry was deleted from audit log shard ${shard} before entry \\d+\\.$`;
  assert.match((await found()).join('\n'), new RegExp(said));
  await behindOurBack(`delete from audit_log where lane = ${shard} and position > 2`);
  const [sentence, ...more] = await found();
  assert.match(sentence ?? '', new RegExp(`^\\d+ entries were deleted from the end of audit log shard ${shard}\\.$`));
  assert.equal(more, []);
});

test('moving the end of a shard back to cover a deletion is found too, and nothing is written over it', async () => {
  const shard = await sameShard();
  await behindOurBack(`
    delete from audit_log where lane = ${shard} and position = (select position from audit_lanes where lane = ${shard});
    update audit_lanes l set position = e.position, last_seal = e.seal
    from (select * from audit_log where lane = ${shard} order by position desc limit 1) e where l.lane = e.lane`);
  assert.equal(await found(), [
    `The record of the last entry of audit log shard ${shard} was edited: its MAC does not match.`,
  ]);
  const before = await sql`select first_name from players where id = ${pam.id}`;
  await sql`update audit_lanes set seal = '\\x00'`;
  assert.is(await refused(rename(1)), 500);
  assert.equal([...(await sql`select first_name from players where id = ${pam.id}`)], [...before]);
});

test('an emptied log is found, with its ends and without', async () => {
  const shard = await sameShard();
  await behindOurBack(`delete from audit_log`);
  assert.ok((await found()).some((sentence) => sentence.includes(`deleted from the end of audit log shard ${shard}.`)));
  await sql`delete from audit_lanes`;
  const gone = (each: number) => `The record of the last entry of audit log shard ${each} was deleted.`;
  assert.equal(await found(), [...Array(16).keys()].map(gone));
});

test('an entry put in by another hand is found, also one that is a copy', async () => {
  const shard = await sameShard();
  const rest = `at, admin_id, email, address, call, kind, object_id, player_id, tenant_id,
    before, after, reason, note, request_id, seal`;
  await sql.unsafe(`
    insert into audit_log (lane, position, id, ${rest})
    select lane, (select max(position) + 1 from audit_log where lane = ${shard}), id + 5000, ${rest}
    from audit_log where lane = ${shard} and position = 1`);
  const sentences = await found();
  assert.is(sentences.filter((sentence) => sentence.includes('edited or inserted')).length, 1);
});

test('two entries that changed places are found', async () => {
  const shard = await sameShard();
  await behindOurBack(`
    update audit_log set position = position + 10000 where lane = ${shard} and position in (2, 3);
    update audit_log set position = 3 where lane = ${shard} and position = 10002;
    update audit_log set position = 2 where lane = ${shard} and position = 10003`);
  assert.ok((await found()).length > 0);
});

test('without the key nobody can seal anything, and another key shows at every end', async () => {
  await rename(1);
  const other = createSecrets(Buffer.alloc(32, 7));
  assert.is((await verifyAudit(db, other)).sentences.length, 17);
  await behindOurBack('truncate audit_log, audit_lanes');
  await db.tx((tx) => createAuditShards(tx, other));
  assert.is((await found()).length, 16);
});

test('a reason and a note stand in the transaction history beside what they explain', async () => {
  const ann = await as('ann');
  const edit = { credit: 5, bonus: 2, reason: 'correction' as const, note: '  counted twice ' };
  await ann.adjustBalances({ id: pam.id, body: edit });
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'failed', reason: 'chargeback' } });
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'pending', note: 'changes nothing' } });
  const history = await ann.listPlayerTransactions({ id: pam.id });
  const explained = history.filter(({ reason, note }) => reason || note);
  assert.equal(lines(explained, 'transaction_type', 'amount', 'reason', 'note').sort(), [
    ...['ADJUSTMENT 2 correction counted twice', 'ADJUSTMENT 5 correction counted twice', 'TOP_UP 80 chargeback null'],
  ]);
  assert.is(history.length, 5);
});

test('a reason that is not on the list, and a note that is too long, are refused', async () => {
  const ann = await as('ann');
  for (const wrong of [{ reason: 'because' }, { note: 'x'.repeat(501) }, { note: 5 }]) {
    const body = { status: 'failed', ...wrong } as never;
    assert.is(await refused(ann.changePurchaseStatus({ id: pam.purchase, body })), 422);
  }
  assert.is(await refused(ann.deletePlayer({ id: pam.id, reason: 'because' as never })), 422);
  assert.equal((await ann.getAudit({})).entries, []);
});

test.run();

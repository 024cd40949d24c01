/** What still holds after the secret key was changed, against somebody who has the old key and the database. */
import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  auditedTransaction,
  computeEntryMac,
  computeShardMac,
  createAudit,
  type LogRow,
  type Shard,
} from '../../../src/server/audit/auditLog';
import { verifyAudit } from '../../../src/server/audit/verify';
import { findKeys, type Keys } from '../../../src/server/auth/keyring';
import { sealedColumns } from '../../../src/server/auth/reencrypt';
import { createSecrets, StaleKey, secretContext, toFormerKey } from '../../../src/server/auth/secrets';
import { beginChange, finishChange, lockShards, resealShards } from '../../../src/server/commands/changeKey';
import { encryptKeyCheck, recordLedger } from '../../../src/server/commands/setup';
import { TamperingFound } from '../../../src/server/core/problem';
import type { TransactionSql } from '../../../src/server/db/open';
import { storeApproval, verifyApprovals } from '../../../src/server/ledger/approvalSeal';
import { computePayoutSeal, type Payout } from '../../../src/server/ledger/payoutSeal';
import { settleRedeem } from '../../../src/server/ledger/settle';
import { pluck } from '../../answers';
import { readAuditLog } from '../../audit';
import { sue } from '../../callers';
import { asServer, db, pam, pastTriggers, pat, people, reset, secretKey, sql, whileHeld } from '../../world';
import { catchError } from '../catchError';

let keys: Keys;
const secretsOf = ({ present, former }: Keys) => createSecrets(present, former);
test.before.each(async () => {
  await reset();
  keys = { present: secretKey, former: [] };
  await sql`delete from installation`;
  const keyCheck = encryptKeyCheck(secretsOf(keys));
  await sql`insert into installation (is_demo, is_filled, key_check) values (false, true, ${keyCheck})`;
  for (let n = 0; n < 5; n++)
    await sue.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: `Pam ${n}` } });
});
test.after(async () => {
  await sql`delete from installation`;
  await reset();
});

/** Changes the key from beginning to end, and reads the keys as a server does at its start. */
async function change(): Promise<void> {
  const next = randomBytes(32);
  await asServer(async () => finishChange(db, await beginChange(db, keys, next, { isFile: true })));
  keys = await findKeys(sql, [next]);
}
async function writeEntry(): Promise<void> {
  const audit = createAudit();
  const facts = { call: 'test', address: 'test', request_id: '', reason: {}, isWrite: true };
  const caller = { admin_id: 1, email: 'sue', tenant_id: null };
  await auditedTransaction(db, secretsOf(keys), audit, { ...facts, caller })(async () => {});
}
const findings = async () => (await verifyAudit(db, secretsOf(keys))).sentences;
const behindOurBack = (work: (tx: TransactionSql) => Promise<unknown>) => pastTriggers(['audit_log'], work);

test('entries are verified with the key that they were written with, after several changes [ASVS 11.2.2]', async () => {
  for (let n = 0; n < 3; n++) {
    await change();
    for (let each = 0; each < 5; each++) await writeEntry();
    assert.equal(await findings(), []);
  }
  const kept = keys.former.map(({ key }) => key);
  assert.equal(kept, [undefined, undefined, undefined], 'no former key is kept');
});

/** The last entry of the fullest shard. */
async function lastEntry(): Promise<LogRow & { seal: Buffer; previous: Buffer }> {
  const [row] = await sql<(LogRow & { seal: Buffer; previous: Buffer })[]>`
    select l.*, l.before::text as before, l.after::text as after,
      coalesce((select seal from audit_log p where p.lane = l.lane and p.position = l.position - 1), '') as previous
    from audit_log l order by position desc, lane limit 1`;
  return row!;
}

test('with the old key nobody can edit an old entry, even the last one of its shard', async () => {
  const old = secretsOf(keys);
  await change();
  const row = await lastEntry();
  const first = { ...row, email: 'nobody@acme.test' };
  const seal = computeEntryMac(old, first, row.previous);
  const end = { lane: row.lane, position: row.position, last_seal: seal };
  for (const shardMac of [null, computeShardMac(old, end)]) {
    await behindOurBack(async (tx) => {
      await tx`
        update audit_log set email = ${first.email}, seal = ${seal}
        where lane = ${row.lane} and position = ${row.position}`;
      if (shardMac) await tx`update audit_lanes set last_seal = ${seal}, seal = ${shardMac} where lane = ${row.lane}`;
    });
    assert.match((await findings()).join('\n'), /audit log shard \d+/);
  }
});

test('an end of the log that the old key has authenticated is not continued', async () => {
  const old = secretsOf(keys);
  await change();
  for (const shard of await sql<Shard[]>`select * from audit_lanes`)
    await sql`update audit_lanes set seal = ${computeShardMac(old, shard)} where lane = ${shard.lane}`;
  const error = await catchError(writeEntry());
  assert.instance(error, StaleKey);
  assert.match(error.message, /audit log was tampered with/);
});

test('with the old key nobody can append an entry', async () => {
  const old = secretsOf(keys);
  await change();
  const row = await lastEntry();
  const forged = { ...row, position: row.position + 1, id: row.id + 1000 };
  const seal = computeEntryMac(old, forged, row.seal);
  await behindOurBack(async (tx) => {
    await tx`
      insert into audit_log (lane, position, id, at, admin_id, email, address, call, kind, object_id, player_id,
        tenant_id, before, after, reason, note, request_id, seal)
      select lane, ${forged.position}, ${forged.id}, at, admin_id, email, address, call, kind, object_id, player_id,
        tenant_id, before, after, reason, note, request_id, ${seal}
      from audit_log where lane = ${row.lane} and position = ${row.position}`;
  });
  assert.match((await findings()).join('\n'), new RegExp(`Entry ${forged.id} of the audit log was edited or inserted`));
});

test('without the record of a former key its entries count as edited', async () => {
  await change();
  await sql`delete from secret_keys`;
  keys = await findKeys(sql, [keys.present]);
  assert.ok((await findings()).length > 0);
});

test('during a change both keys are accepted, after it the old one is not', async () => {
  const old = secretsOf(keys),
    next = randomBytes(32),
    context = ['platforms', 1];
  const value = old.encrypt('x', context),
    mac = old.mac('x');
  const begun = await beginChange(db, keys, next, { isFile: true });
  const between = secretsOf(await findKeys(sql, [next]));
  assert.ok(between.isChanging);
  assert.is(between.decrypt(value, context), 'x');
  assert.ok(between.isMac('x', mac) && between.isMac('x', between.mac('x')));
  assert.not.ok(between.isMac('y', mac));
  await finishChange(db, begun);
  const after = secretsOf(await findKeys(sql, [next]));
  assert.not.ok(after.isChanging);
  const isStale = (error: unknown) => error instanceof StaleKey;
  assert.throws(() => after.decrypt(value, context), isStale);
  assert.not.ok(after.isMac('x', mac));
  assert.ok(after.isMac('x', after.mac('x')));
});

test('a write that waited for the log while the key was changed is refused', async () => {
  const next = randomBytes(32);
  let present = secretsOf(keys);
  /** As a server has them: another call may have read the new key meanwhile. */
  const secrets = new Proxy(present, { get: (_, name) => Reflect.get(present, name) });
  const facts = { call: 'test', address: 'test', request_id: '', reason: {}, isWrite: true };
  const caller = { admin_id: 1, email: 'sue', tenant_id: null };
  const write = auditedTransaction(db, secrets, createAudit(), { ...facts, caller });
  const place = ['two-factor', people.sue.id] as const;
  let shards: Shard[] = [];
  const waiting = await whileHeld(
    async (tx) => {
      shards = await lockShards(tx, present);
    },
    () => catchError(write((own) => own`update admins set email = ${secrets.encrypt('x', place)} where id = 3`)),
    async (tx) => {
      const renewed = createSecrets(next, [toFormerKey(keys.present, pluck(shards, 'position'))]);
      await resealShards(tx, renewed, shards);
      present = renewed;
    },
  );
  assert.instance(waiting, StaleKey);
  assert.is((await sql`select 1 from admins where starts_with(email, 'v')`).length, 0);
});

test('a secret that somebody saves while everything is encrypted anew is kept', async () => {
  const place = secretContext.platformCredentials(2, 1),
    old = secretsOf(keys).encrypt('before', place);
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, password_secret) values (2, 1, ${old})
    on conflict (tenant_id, platform_id) do update set password_secret = excluded.password_secret`;
  const begun = await beginChange(db, keys, randomBytes(32), { isFile: true }),
    saved = secretsOf(begun).encrypt('after', place);
  await whileHeld(
    (tx) => tx`update tenant_platforms set password_secret = ${saved} where tenant_id = 2 and platform_id = 1`,
    () => finishChange(db, begun),
  );
  const [row] = await sql`select password_secret from tenant_platforms where tenant_id = 2 and platform_id = 1`;
  assert.is(row!['password_secret'], saved);
});

test('a seal of a redeem that somebody writes meanwhile is kept', async () => {
  const begun = await beginChange(db, keys, randomBytes(32), { isFile: true }),
    saved = randomBytes(32);
  await whileHeld(
    (tx) => tx`update redeems set payout_seal = ${saved} where tenant_id = 2 and id = ${pam.redeem}`,
    () => finishChange(db, begun),
  );
  const [row] = await sql<{ payout_seal: Buffer }[]>`select payout_seal from redeems where id = ${pam.redeem}`;
  assert.equal(row!.payout_seal, saved);
});

test('what one person has approved gets a seal of the new key, unless it was changed', async () => {
  const old = secretsOf(keys),
    first = { tenant_id: 2, kind: 'balances' as const, player_id: pam.id, first_admin_id: people.sue.id };
  for (const credit of ['1', '2']) await storeApproval(sql, old, { ...first, change: { credit } });
  await sql`update approvals set change = '{"credit":"2000"}' where change ->> 'credit' = '2'`;
  const begun = await beginChange(db, keys, randomBytes(32), { isFile: true });
  const invalid = async (secrets = secretsOf(begun)) => (await verifyApprovals(sql, secrets)).length;
  assert.is(await invalid(), 1, 'while the key is being changed both keys count');
  await finishChange(db, begun);
  assert.is(await invalid(createSecrets(begun.present)), 1);
  assert.is(await invalid(old), 2, 'the old key is no help');
});

test('what cannot be computed again keeps its HMAC: prints of imported rows, and pseudonyms', async () => {
  const before = secretsOf(keys);
  await change();
  await change();
  const after = secretsOf(keys);
  assert.equal(after.fingerprint('x'), before.fingerprint('x'));
  assert.is(after.pseudonym('x'), before.pseudonym('x'));
  assert.not.equal(after.mac('x'), before.mac('x'));
  assert.is.not(after.manifestMac('x'), before.manifestMac('x'));
});

test('the database holds no key that it can be opened with, and the old key does not open it', async () => {
  await change();
  assert.match((await catchError(findKeys(sql, [secretKey]))).message, /was replaced/);
  assert.match((await catchError(findKeys(sql, [randomBytes(32)]))).message, /is not the key that this database/);
  const rows = await sql<{ sealed: string }[]>`select sealed from secret_keys`;
  const old = createSecrets(secretKey);
  for (const { sealed } of rows) assert.throws(() => old.decrypt(sealed, ['secret_keys', old.keyId]));
});

test('a log that was tampered with is not given a new key', async () => {
  await sql`update audit_lanes set position = position + 1 where lane = 3`;
  const error = await catchError(beginChange(db, keys, randomBytes(32), { isFile: true }));
  assert.match(error.message, /audit log was tampered with/);
  assert.equal((await findKeys(sql, [secretKey])).present, secretKey);
});

test('the words about a player can still be read, and redeems be paid out, unless somebody changed them', async () => {
  await sue.addPlayerNote({ id: pam.id, body: { text: 'Called back' } });
  await db.tx((tx) => recordLedger(tx, secretsOf(keys)));
  await sql`update redeems set payout_address = 'bc1-mallory' where id = ${pat.redeem}`;
  const old = secretsOf(keys),
    [row] = await sql<Payout[]>`select * from redeems where id = ${pat.redeem}`;
  for (let n = 0; n < 2; n++) await change();
  const present = secretsOf(keys);
  const entries = await readAuditLog(present);
  const notes = entries.flatMap(({ call, after }) => (call === 'addPlayerNote' ? [after] : []));
  assert.equal(notes, [{ staff_note: 'Called back' }]);
  const by = { admin_id: people.sue.id },
    pay = (id: number, tenant: number) =>
      db.tx((tx) => settleRedeem(tx, { id, tenant, status: 'success', ...by, by, secrets: present }));
  assert.is((await pay(pam.redeem, 2)).status, 'success');
  const payOther = () => pay(pat.redeem, 3);
  assert.instance(await catchError(payOther()), TamperingFound);
  await sql`update redeems set payout_seal = ${computePayoutSeal(old, row!)} where id = ${pat.redeem}`;
  assert.instance(await catchError(payOther()), TamperingFound, 'the old key is no help');
});

test('every column that is named as a secret is known to the change of the key', async () => {
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and column_name ~ '(secret|sealed|key_check)'`;
  const named = (list: readonly { table: string; column: string }[]) => list.map((one) => `${one.table}.${one.column}`);
  const known = [...named(sealedColumns), 'installation.key_check', 'secret_keys.sealed'];
  assert.equal(named(columns).toSorted(), known.toSorted());
});

test.run();

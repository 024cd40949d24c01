/** `npm run change-key`: a new secret key for everything, also while servers run. It can be killed and repeated. */
import { randomBytes } from 'node:crypto';
import { computeShardMac, SHARDS, type Shard, writeAsServer } from '../audit/auditLog';
import { installNextKey, type KeySettings, readKeys, writeNextKey } from '../auth/keyFile';
import { findKeys, type Keys, sealKey } from '../auth/keyring';
import { hasOldValues, reencryptAll } from '../auth/reencrypt';
import { createSecrets, type FormerKey, idOfKey, type Secrets, toFormerKey } from '../auth/secrets';
import { SettingsError } from '../core/settings';
import { APPLICATION, type Database, DatabaseRefused, type Sql } from '../db/open';
import { withDatabase } from '../db/withDatabase';
import { resealApprovals } from '../ledger/approvalSeal';
import { resealRedeems } from '../ledger/payoutSeal';
import { type Env, readCommand, type Say, wrongUsage } from './arguments';
import { encryptKeyCheck, readInstallation, refuseOtherKey } from './setup';

/** Locks and returns the ends of all shards. Refuses a log that was tampered with: new MACs would cover that up. */
export async function lockShards(sql: Sql, secrets: Secrets): Promise<Shard[]> {
  const shards = await sql<Shard[]>`
    select lane, position, last_seal, seal from audit_lanes order by lane for update`;
  if (shards.length !== SHARDS || shards.some((shard) => !computeShardMac(secrets, shard).equals(shard.seal)))
    throw new DatabaseRefused('The audit log was tampered with. Run npm run verify for details.');
  return [...shards];
}

/** Gives the ends a MAC of the new key. The entries before them keep theirs. */
export async function resealShards(sql: Sql, secrets: Secrets, shards: readonly Shard[]): Promise<void> {
  for (const shard of shards)
    await sql`update audit_lanes set seal = ${computeShardMac(secrets, shard)} where lane = ${shard.lane}`;
}

const USAGE = 'npm run change-key [-- --demo]';

export async function changeKey(args: string[], env: Env, say: Say): Promise<void> {
  const { positionals, settings } = readCommand(USAGE, args, env, {});
  if (positionals.length) throw wrongUsage(USAGE);
  await withDatabase(settings, { mustExist: true }, async (db) => {
    const [schema] = await db.sql<{ is_ready: boolean }[]>`select to_regclass('secret_keys') is not null as is_ready`;
    if (!schema?.is_ready) throw new DatabaseRefused('Start the server of this version once, then run this again.');
    if (!(await readInstallation(db.sql))) throw new DatabaseRefused('The database is empty.');
    await change(db, settings, say);
  });
}

async function change(db: Database, settings: KeySettings, say: Say): Promise<void> {
  const given = readKeys(settings);
  let keys = await findKeys(db.sql, given);
  const isFile = settings.secretKey === undefined;
  if (isUnfinished(keys)) {
    refuseAnother(keys, settings.newSecretKey);
    say('Continuing a change of the secret key that was broken off.');
  } else if (!given[0]?.equals(keys.present)) {
    say('The database uses the new key already.');
  } else {
    const next = chooseKey(keys, settings, settings.newSecretKey ?? given[1]);
    if (isFile) writeNextKey(settings.dataDir, next); // it must outlive us before anything is encrypted with it
    keys = await beginChange(db, keys, next, { isFile });
  }
  if (isUnfinished(keys)) say(`Encrypted ${await finishChange(db, keys)} values with the new key.`);
  const kept = isFile ? installNextKey(settings.dataDir, keys.present) : undefined;
  say(
    isFile
      ? `The secret key has been changed.${kept ? ` The old one is in ${kept}.` : ''}`
      : 'The secret key has been changed. Set SECRET_KEY to the new key before the next start, and remove NEW_SECRET_KEY.',
  );
  say('Keep the old key as long as you keep backups that were made with it: they can only be restored with it.');
}

const isUnfinished = ({ former }: Keys) => former.some(({ key }) => key !== undefined);

function refuseAnother({ present }: Keys, wanted: Buffer | undefined): void {
  if (wanted && !wanted.equals(present))
    throw new DatabaseRefused(
      'A change to another key has begun and is not finished. Run this again with that key in NEW_SECRET_KEY.',
    );
}

function chooseKey({ present, former }: Keys, { secretKey }: KeySettings, wanted: Buffer | undefined): Buffer {
  if (secretKey !== undefined && wanted === undefined)
    throw new SettingsError('Set NEW_SECRET_KEY to the new key. Create one with openssl rand -base64 32.');
  const next = wanted ?? randomBytes(32);
  if (next.equals(present) || former.some(({ id }) => id === idOfKey(next)))
    throw new DatabaseRefused('The new key is in use, or was before. Create another one with openssl rand -base64 32.');
  return next;
}

/** Makes the new key the present one: the audit log refuses writes with the old one, and servers read keys again. */
export async function beginChange(db: Database, keys: Keys, next: Buffer, { isFile }: { isFile: boolean }) {
  return db.tx(async (sql) => {
    await sql`set local statement_timeout = 0`;
    await sql`set local lock_timeout = 0`;
    if (!isFile) await refuseUnaware(sql, idOfKey(next));
    const old = createSecrets(keys.present, keys.former),
      shards = await lockShards(sql, old);
    const installation = await readInstallation(sql);
    if (!installation) throw new DatabaseRefused('The database is empty.');
    refuseOtherKey(installation, old);
    const ends = shards.map(({ position }) => position);
    const former = [...keys.former, toFormerKey(keys.present, ends)],
      secrets = createSecrets(next, former);
    await resealShards(sql, secrets, shards);
    await storeFormer(sql, next, former);
    await sql`update installation set key_check = ${encryptKeyCheck(secrets)}`;
    return { present: next, former };
  });
}

async function storeFormer(sql: Sql, present: Buffer, former: readonly FormerKey[]): Promise<void> {
  const secrets = createSecrets(present);
  for (const [number, key] of former.entries())
    await sql`
      insert into secret_keys (number, id, sealed) values (${number}, ${key.id}, ${sealKey(secrets, key)})
      on conflict (number) do update set sealed = excluded.sealed`;
}

/** Servers on SECRET_KEY alone cannot learn the new key. Their connections name the keys that they have. */
async function refuseUnaware(sql: Sql, keyId: string): Promise<void> {
  const others = await sql<{ application_name: string }[]>`
    select application_name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and starts_with(application_name, ${APPLICATION})`;
  if (others.some(({ application_name }) => !application_name.split(' ').includes(keyId)))
    throw new DatabaseRefused(
      'A server that does not have the new key is using the database. Set NEW_SECRET_KEY beside SECRET_KEY ' +
        'and restart it, or stop it. Then run this again.',
    );
}

/** Encrypts everything with the present key, then forgets the former one, with an entry in the audit log. */
export async function finishChange(db: Database, { present, former }: Keys): Promise<number> {
  const secrets = createSecrets(present, former);
  const count = await reencryptAll(db, secrets);
  await resealRedeems(db, secrets);
  await resealApprovals(db, secrets);
  await writeAsServer(db, secrets, 'change-key', async (sql, audit) => {
    await sql`set local statement_timeout = 0`;
    if (await hasOldValues(sql, secrets)) throw new Error('a value was encrypted with the old key meanwhile');
    const forgotten = former.map((each) => ({ ...each, key: undefined }));
    await storeFormer(sql, present, forgotten);
    const before = { key_id: former.at(-1)?.id },
      after = { key_id: secrets.keyId };
    audit.about({ kind: 'other', id: null, tenant_id: null, before, after });
  });
  return count;
}

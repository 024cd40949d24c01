/** A database in use with a backup of it, and another server to put that into. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Secrets, secretContext } from '../../../src/server/auth/secrets';
import { MANIFEST, MANIFEST_MAC, type Manifest, openBackup, readManifest } from '../../../src/server/backup/manifest';
import { restoreBackup } from '../../../src/server/backup/restore';
import { listTables } from '../../../src/server/backup/tables';
import { writeBackup } from '../../../src/server/backup/write';
import { encryptKeyCheck } from '../../../src/server/commands/setup';
import { type Embedded, startEmbedded } from '../../../src/server/db/embedded/embedded';
import { type Database, openDatabase } from '../../../src/server/db/open';
import { sue } from '../../callers';
import { addApex, withKey } from '../../integrations';
import { PASSWORD, reset, secretKey, services, db as source } from '../../world';

export let folder: string, secrets: Secrets, embedded: Embedded, target: Database;
/** A backup of the source, made before the first test. */
export let good: string;

/** The small world with more players, a row in every table, and tricky characters. */
async function fillSource(players: number): Promise<void> {
  await reset();
  secrets = services.secrets;
  const { sql } = source;
  await sql`delete from installation`;
  const keyCheck = encryptKeyCheck(secrets);
  await sql`insert into installation (is_demo, is_filled, key_check) values (false, true, ${keyCheck})`;
  await sql`
    insert into players (tenant_id, email, phone_number)
    select 2, 'p' || n || '@mail.test', '+1 ' || n from generate_series(3, ${players}::int) n`;
  await sql`insert into wallets (tenant_id, player_id) select tenant_id, id from players where id > 2`;
  await sql`
    update players set first_name = E'tab\t, line\n, back\\slash, \\N, "quote", {brace}, 名前 🎲', last_name = ''
    where id = 1`;
  await sue.saveAssignment({ tenant_id: 2, platform_id: 3, body: { username: 'u', password: 'p' } });
  await addApex();
  const shop = { name: 'Shop', scopes: ['transactions:write' as const], tenant_id: 2, password: PASSWORD };
  const { key } = await sue.createApiKey({ body: shop });
  const purchase = { email: 'p3@mail.test', amount: '5', payment_method: 'apex', payment_reference: 'r' };
  await withKey(key).pushTopUp({ body: purchase });
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome)
    values (2, 'apex', 'd', 'payment.pending', 'received')`;
  await sue.changePurchaseStatus({ id: 3, body: { status: 'success' } });
  const password = secrets.encrypt('p', secretContext.playerCredential(2, 1, 'vblink'));
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, 1, 'vblink', 'u', ${password})`;
}

/** Before the tests of a file: so many players in the source, and another server with an empty database. */
export async function begin(players: number): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  good = join(folder, 'good');
  await fillSource(players);
  embedded = await startEmbedded({ folder: join(folder, 'target'), poolSize: 6 });
  target = await openDatabase(embedded.address, { poolSize: 6 });
  await writeBackup(source, good, secrets);
}
export async function end(): Promise<void> {
  await source.sql`delete from installation`;
  await target.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Closes every connection but one: a restore refuses to work beside others. */
const alone = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
  await target.close();
  const db = await openDatabase(embedded.address, { poolSize: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
    target = await openDatabase(embedded.address, { poolSize: 6 });
  }
};
export const restore = (from: string, { isReplacing = true } = {}) =>
  alone(async (db) => restoreBackup(db, openBackup(from, [secretKey]), { isReplacing }));

/** Everything a database holds, by table. */
export async function readContents({ sql }: Database): Promise<Record<string, string>> {
  const tables = await listTables(sql);
  const entries = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ hash: string }[]>`
        select count(*) || ' '
          || md5(coalesce(string_agg(t::text, E'\n' order by t::text collate "C"), '')) as hash
        from ${sql(name)} t`;
      return [name, row!.hash];
    }),
  );
  return Object.fromEntries(entries);
}

/** A copy of the good backup, changed. */
export function changed(name: string, change: (folder: string, manifest: Manifest) => void): string {
  const copy = join(folder, name);
  cpSync(good, copy, { recursive: true });
  const manifest = readManifest(copy);
  change(copy, manifest);
  writeFileSync(join(copy, MANIFEST), JSON.stringify(manifest));
  return copy;
}
/** The same by somebody who has the key. */
export function forged(name: string, change: (folder: string, manifest: Manifest) => void): string {
  const copy = changed(name, change);
  writeFileSync(join(copy, MANIFEST_MAC), secrets.manifestMac(readFileSync(join(copy, MANIFEST), 'utf8')));
  return copy;
}

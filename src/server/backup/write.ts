import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '../auth/keyFile';
import type { Secrets } from '../auth/secrets';
import { verifyLedger } from '../books/verify';
import { type Database, DatabaseRefused, messageOf, type TransactionSql } from '../db/open';
import { getTableFile, MANIFEST, MANIFEST_MAC, type Manifest } from './manifest';
import { createMeter, excludedTables, listSequences, listTables, readRows, setFixedFormats } from './tables';

/** Copies a database in use, in one snapshot; the folder gets its name only when all of it is on disk. */
export async function writeBackup({ sql }: Database, folder: string, secrets: Secrets): Promise<Manifest> {
  const target = resolve(folder),
    draft = `${target}.part-${process.pid}`;
  if (existsSync(target)) throw new DatabaseRefused(`${target} already exists. Name a new folder.`);
  try {
    mkdirSync(dirname(target), { recursive: true });
    mkdirSync(draft, { mode: 0o700 });
  } catch (error) {
    throw new DatabaseRefused(`The folder ${target} cannot be created: ${messageOf(error)}.`);
  }
  try {
    let manifest!: Manifest;
    await sql.begin('isolation level repeatable read, read only', async (tx) => {
      manifest = await copyAll(tx, draft, secrets);
    });
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    writeFileSync(join(draft, MANIFEST), text, { mode: 0o600, flush: true });
    writeFileSync(join(draft, MANIFEST_MAC), `${secrets.manifestMac(text)}\n`, { mode: 0o600, flush: true });
    syncFolder(draft);
    renameSync(draft, target);
    syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

async function copyAll(sql: TransactionSql, folder: string, secrets: Secrets): Promise<Manifest> {
  await setFixedFormats(sql);
  const [about] = await sql<{ is_ours: boolean; server_version: string; made_at: Date }[]>`
    select to_regclass('public.installation') is not null as is_ours,
      current_setting('server_version') as server_version, now() as made_at`;
  const [installation] = about?.is_ours
    ? await sql<{ key_check: string }[]>`select key_check from installation where is_filled`
    : [];
  if (!about || !installation) throw new DatabaseRefused('The database is empty: there is nothing to back up.');

  secrets.decrypt(installation.key_check, ['installation']); // the HMAC must be of the key that the backup is of

  const tables: Manifest['tables'] = [];
  for (const table of await listTables(sql)) {
    if (excludedTables.includes(table.name)) continue;
    const { stream, measured } = createMeter();
    await pipeline(
      readRows(sql, table),
      stream,
      createGzip(),
      createWriteStream(getTableFile(folder, table.name), { mode: 0o600, flags: 'wx', flush: true }),
    );
    tables.push({ name: table.name, columns: table.columns, ...measured() });
  }
  return {
    format: 1,
    product: 'gaming-back-office',
    made_at: about.made_at.toISOString(),
    server_version: about.server_version,
    migrations: [...(await sql<Manifest['migrations']>`select name, checksum from migrations order by name`)],
    tables,
    left_out: [...excludedTables],
    sequences: await listSequences(sql), // sequences are outside the snapshot, and can only be ahead of it
    ledger: await verifyLedger(sql),
    key_check: installation.key_check,
  };
}

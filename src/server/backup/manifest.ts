import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { opens } from '../auth/keyring';
import { createSecrets } from '../auth/secrets';
import { attempt } from '../db/attempt';
import { DatabaseRefused } from '../db/open';

export const MANIFEST = 'manifest.json';
/** The HMAC of the manifest. The manifest has the checksums of all tables, so nothing can be changed without the key. */
export const MANIFEST_MAC = 'manifest.hmac';
export const getTableFile = (folder: string, table: string): string => join(folder, `${table}.jsonl.gz`);

const Manifest = v.object({
  format: v.literal(1),
  product: v.literal('gaming-back-office'),
  made_at: v.string(),
  server_version: v.string(),
  /** What must exist before the rows: the schema as these migrations create it. */
  migrations: v.array(v.object({ name: v.string(), checksum: v.string() })),
  /** In an order in which they can be filled. `sha256` is that of the uncompressed file. */
  tables: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(/^\w+$/)),
      columns: v.array(v.string()),
      rows: v.number(),
      sha256: v.string(),
    }),
  ),
  left_out: v.array(v.string()),
  sequences: v.array(v.object({ name: v.string(), last_value: v.number() })),
  /** The result of the ledger check when the backup was made; empty if all was well. */
  ledger: v.array(v.string()),
  /** A known text encrypted with the key, to detect a wrong key at once. */
  key_check: v.string(),
});
/** What a backup says about itself. */
export type Manifest = v.InferOutput<typeof Manifest>;

/** Reads the manifest without looking at its HMAC, or refuses in one sentence. */
export const readManifest = (folder: string): Manifest => parseManifest(folder, readText(folder, MANIFEST));

const readText = (folder: string, file: string): string | undefined =>
  attempt(() => readFileSync(join(folder, file), 'utf8'));

function parseManifest(folder: string, text: string | undefined): Manifest {
  if (text === undefined) throw new DatabaseRefused(`There is no backup in ${folder}: ${MANIFEST} is missing.`);
  const manifest = attempt(() => v.parse(Manifest, JSON.parse(text)));
  if (manifest) return manifest;
  throw new DatabaseRefused(
    `The backup in ${folder} is damaged or from an unknown version: ${MANIFEST} cannot be read.`,
  );
}

/** A backup as it was made, and its key. Refuses one of another key, or with a manifest that was changed. */
export function openBackup(folder: string, keys: readonly Buffer[]) {
  const text = readText(folder, MANIFEST);
  const manifest = parseManifest(folder, text);
  const key = keys.find((each) => opens(each, manifest.key_check));
  if (!key)
    throw new DatabaseRefused(
      'SECRET_KEY, or the key file in DATA_DIR, is not the key of this backup. ' +
        'Without that key its credentials cannot be decrypted.',
    );
  const mac = readText(folder, MANIFEST_MAC)?.trim();
  if (mac === undefined)
    throw new DatabaseRefused(
      `The backup in ${folder} has no ${MANIFEST_MAC}, so it cannot be checked whether it was changed.`,
    );
  if (!isEqual(mac, createSecrets(key).manifestMac(text ?? '')))
    throw new DatabaseRefused(
      `The backup in ${folder} was changed after it was made: ${MANIFEST_MAC} does not match ${MANIFEST}.`,
    );
  return { folder, manifest, key };
}
export type GenuineBackup = ReturnType<typeof openBackup>;

const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

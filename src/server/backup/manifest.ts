import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { DatabaseRefused } from '../db/open';

export const MANIFEST = 'manifest.json';
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

/** Reads the manifest, or refuses in one sentence. */
export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8');
  } catch {
    throw new DatabaseRefused(`There is no backup in ${folder}: ${MANIFEST} is missing.`);
  }
  try {
    return v.parse(Manifest, JSON.parse(text));
  } catch {
    throw new DatabaseRefused(
      `The backup in ${folder} is damaged or from an unknown version: ${MANIFEST} cannot be read.`,
    );
  }
}

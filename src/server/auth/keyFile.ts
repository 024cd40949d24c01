import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from '../db/open';

const hasErrorCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/**
 * The 32-byte key beside the embedded database. It is created only for an empty database, because a lost key cannot be
 * replaced.
 */
export function readKeyFile(folder: string, { mayCreate = false }: { mayCreate?: boolean } = {}): Buffer {
  const file = join(folder, 'secret.key');
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length !== 32) throw new DatabaseRefused(`The key file ${file} is damaged; put it back from a backup.`);
    return key;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  if (!mayCreate)
    throw new DatabaseRefused(`The key file ${file} is missing; put it back from a backup, or set SECRET_KEY.`);
  const key = randomBytes(32);
  writeFileSync(`${file}.new`, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file); // atomic: nothing encrypted with a key may outlive it
  syncFolder(folder);
  return key;
}

/** Makes renames and new files in a folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

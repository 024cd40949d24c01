/** Where the secret key comes from: the settings, or a file beside the embedded database. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../core/settings';
import { DatabaseRefused } from '../db/open';
import { idOfKey } from './secrets';

const hasErrorCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
const keyFile = (folder: string) => join(folder, 'secret.key');
/** The key that replaces it, until the change is complete. */
const nextFile = (folder: string) => join(folder, 'secret.key.next');

export type KeySettings = Pick<Settings, 'secretKey' | 'newSecretKey' | 'dataDir'>;

/** The key, then the one that replaces it; the database tells which counts. Created for an empty database alone. */
export function readKeys({ secretKey, newSecretKey, dataDir }: KeySettings, options: { mayCreate?: boolean } = {}) {
  const keys = secretKey ? [secretKey] : [readKeyFile(dataDir, options), readOne(nextFile(dataDir))];
  return [...keys, newSecretKey].filter((key) => key !== undefined);
}

/** The 32-byte key beside the embedded database. */
export function readKeyFile(folder: string, { mayCreate = false }: { mayCreate?: boolean } = {}): Buffer {
  const file = keyFile(folder);
  const found = readOne(file);
  if (found) return found;
  if (!mayCreate)
    throw new DatabaseRefused(`The key file ${file} is missing; put it back from a backup, or set SECRET_KEY.`);
  const key = randomBytes(32);
  writeKey(file, key);
  return key;
}

/** Refuses a key that others could read or could have put there. */
function readOne(file: string): Buffer | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const { uid, mode } = fstatSync(handle);
    const own = process.getuid?.();
    if (own !== undefined && uid !== own && uid !== 0)
      throw new DatabaseRefused(`The key file ${file} belongs to another user (uid ${uid}); give it to the server's.`);
    if ((mode & 0o077) !== 0)
      throw new DatabaseRefused(
        `Other users can read or change the key file ${file}. Close it with chmod 600 '${file}', ` +
          'and replace the key (npm run change-key) if others use this machine.',
      );
    const key = Buffer.from(readFileSync(handle, 'utf8').trim(), 'base64');
    if (key.length !== 32) throw new DatabaseRefused(`The key file ${file} is damaged; put it back from a backup.`);
    return key;
  } finally {
    closeSync(handle);
  }
}

function writeKey(file: string, key: Buffer): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${file}.new`, file); // atomic: nothing encrypted with a key may outlive it
  syncFolder(join(file, '..'));
}

/** Stores the key that will replace the one in the key file. */
export const writeNextKey = (folder: string, key: Buffer): void => writeKey(nextFile(folder), key);

/** Puts the new key in the place of the old one, whose file it returns (older backups need it), if there is one. */
export function installNextKey(folder: string, present: Buffer): string | undefined {
  if (!readOne(nextFile(folder))?.equals(present)) return undefined;
  const kept = `${keyFile(folder)}.${idOfKey(readKeyFile(folder))}`;
  if (!lstatSync(kept, { throwIfNoEntry: false })) linkSync(keyFile(folder), kept);
  renameSync(nextFile(folder), keyFile(folder));
  syncFolder(folder);
  return kept;
}

/** Makes renames and new files in a folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

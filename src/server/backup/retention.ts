import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { attempt } from '../db/attempt';
import { getTableFile, MANIFEST, MANIFEST_MAC, type Manifest, openBackup } from './manifest';

/** The name of a backup made at this time, in a folder of backups. */
export const nameBackup = (at: Date): string => at.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');

/**
 * Deletes all backups in a folder but the newest ones. Ours are those of one of these keys, unchanged, with no other
 * file. Returns the names of the deleted, and how many stay that look like backups and are not surely ours.
 */
export function deleteOldBackups(parent: string, keep: number, keys: readonly Buffer[]) {
  const ours: { folder: string; files: string[]; made_at: string }[] = [];
  let unknown = 0;
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    const folder = join(parent, entry.name);
    if (!entry.isDirectory() || !readdirSync(folder).includes(MANIFEST)) continue;
    const manifest = openOurs(folder, keys);
    if (manifest) ours.push({ folder, files: listFiles(manifest), made_at: manifest.made_at });
    else unknown++;
  }
  const old = ours.sort((a, b) => (a.made_at < b.made_at ? 1 : -1)).slice(Math.max(1, keep));
  for (const { folder, files } of old) {
    // The manifest goes last: if this is interrupted, the next run still knows the rest as a backup.
    const present = readdirSync(folder);
    for (const file of files) if (present.includes(file)) unlinkSync(join(folder, file));
    rmdirSync(folder);
  }
  return { deleted: old.map(({ folder }) => basename(folder)), unknown };
}

const listFiles = ({ tables }: Manifest): string[] => [
  ...tables.map(({ name }) => basename(getTableFile('', name))),
  MANIFEST_MAC,
  MANIFEST,
];

const openOurs = (folder: string, keys: readonly Buffer[]): Manifest | undefined =>
  attempt(() => {
    const { manifest } = openBackup(folder, keys),
      files = listFiles(manifest);
    return readdirSync(folder).every((name) => files.includes(name)) ? manifest : undefined;
  });

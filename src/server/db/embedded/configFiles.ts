/** The configuration lies beside the cluster, so that the database's user cannot change who may connect. */
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseRefused } from '../open';
import type { RunAs } from './osUser';

/** The role of the server, which owns its database and nothing else. */
export const ROLE = 'back_office';
export const SUPERUSER = 'postgres';

/** Only the user of this process may connect, as the socket reports it. There is no password that could leak. */
const contents = (username: string): Record<string, string> => ({
  'postgresql.conf': '# All settings are arguments of the process.\n',
  'pg_hba.conf': 'local all all peer map=server\n',
  'pg_ident.conf': `server "${username}" ${SUPERUSER}\nserver "${username}" ${ROLE}\n`,
});

/** Writes the files of the database in `dataDir` and returns their folder. Everybody may read them. */
export function writeConfigFiles(dataDir: string): string {
  const folder = join(dataDir, 'postgres-config');
  if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder);
  const { uid } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || (process.getuid && uid !== process.getuid()))
    throw new DatabaseRefused(`${folder} is not a folder of the user who starts the server. Remove it.`);
  chmodSync(folder, 0o755); // independent of the umask
  for (const [name, text] of Object.entries(contents(userInfo().username))) {
    const file = join(folder, name);
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, text, { flag: 'wx' });
    chmodSync(`${file}.new`, 0o644);
    renameSync(`${file}.new`, file); // a database that runs on never reads half a file
  }
  return folder;
}

/** The folder as handle 3 of the database: on Linux it leads where an unprivileged child of root cannot enter. */
export function openConfigFolder(folder: string, runAs: RunAs): { path: string; handle?: number; close(): void } {
  if (!runAs || process.platform !== 'linux') return { path: folder, close: () => {} };
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { path: '/proc/self/fd/3', handle, close: () => closeSync(handle) };
}

/** How root works in places that belong to the database's user, who could plant links there that lead it anywhere. */
import { spawnSync } from 'node:child_process';
import { chownSync, closeSync, constants, fstatSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseRefused } from '../open';
import type { RunAs } from './osUser';

const SOCKET_PREFIX = 'back-office-';
const TIMEOUT_MS = 10_000; // there may be a pipe where a file should be

/** Runs a program with the rights of that user, in a folder that the user alone may be unable to reach. */
export function runAsOwner(owner: RunAs, folder: string, program: string, ...args: string[]): void {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  spawnSync(program, args, { ...owner, cwd: folder, env, stdio: 'ignore', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
}

/** A private folder for the socket. Its path is short enough, and for root where others cannot put another there. */
export function makeSocketFolder(runAs: RunAs): string {
  const parents = [...(runAs ? [] : [tmpdir()]), '/tmp', '/var/tmp'].filter((parent) => parent.length <= 70);
  for (const parent of parents) {
    try {
      const folder = mkdtempSync(join(parent, SOCKET_PREFIX)); // mode 0700
      if (runAs) chownSync(folder, runAs.uid, runAs.gid);
      return folder;
    } catch {
      // the next one
    }
  }
  throw new DatabaseRefused(`No folder for the database's socket could be created in ${parents.join(' or ')}.`);
}

export function removeSocketFolder(folder: string, owner: RunAs): void {
  if (basename(folder).startsWith(SOCKET_PREFIX)) runAsOwner(owner, '/', 'rm', '-rf', '--', folder);
}

/** The text of a file; undefined if there is none, or a link, a pipe or a folder in its place. */
export function readPlainFile(file: string): string | undefined {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return fstatSync(handle).isFile() ? readFileSync(handle, 'utf8') : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/**
 * Gives a cluster to another user of the operating system. Its owner may have planted links and pipes in it, and may
 * change it meanwhile, so every file is opened first, without following a link, and then looked at and given away by its
 * handle. Works on Linux alone, where a path can start at a handle.
 */
import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync } from 'node:fs';
import type { OsUser } from './osUser';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const OPEN = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

export interface Owners {
  from: OsUser;
  to: OsUser;
}

/**
 * Returns undefined when the whole cluster belongs to `to`. Otherwise it returns the first path that only somebody else
 * than PostgreSQL can have made, and has changed nothing. The folder itself comes last: a walk that was broken off is
 * repeated at the next start.
 */
export function reown(cluster: string, owners: Owners): string | undefined {
  const top = openSync(cluster, OPEN);
  try {
    return findStrange(top, '.', owners) ?? giveAway(top, '.', owners);
  } finally {
    closeSync(top);
  }
}

const isOurs = (uid: number, { from, to }: Owners) => uid === from.uid || uid === to.uid;

/** A link, a pipe, a file of somebody else, or one that has a second name elsewhere. */
function findStrange(handle: number, path: string, owners: Owners): string | undefined {
  const { uid, nlink } = fstatSync(handle);
  if (!isOurs(uid, owners)) return path;
  if (!fstatSync(handle).isDirectory()) return fstatSync(handle).isFile() && nlink === 1 ? undefined : path;
  return walk(handle, path, (inner, name) => findStrange(inner, name, owners));
}

function giveAway(handle: number, path: string, owners: Owners): string | undefined {
  const { uid, nlink } = fstatSync(handle);
  if (!isOurs(uid, owners) || (!fstatSync(handle).isDirectory() && nlink !== 1)) return path;
  if (fstatSync(handle).isDirectory()) {
    const strange = walk(handle, path, (inner, name) => giveAway(inner, name, owners));
    if (strange) return strange;
  }
  fchownSync(handle, owners.to.uid, owners.to.gid);
  return undefined;
}

function walk(
  folder: number,
  path: string,
  visit: (handle: number, path: string) => string | undefined,
): string | undefined {
  for (const name of readdirSync(`/proc/self/fd/${folder}`)) {
    let handle: number;
    try {
      handle = openSync(`/proc/self/fd/${folder}/${name}`, OPEN);
    } catch {
      return `${path}/${name}`; // a link or a socket, or it is gone
    }
    try {
      const strange = visit(handle, `${path}/${name}`);
      if (strange) return strange;
    } finally {
      closeSync(handle);
    }
  }
  return undefined;
}

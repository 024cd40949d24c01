/** The database of a folder as its postmaster.pid describes it, and how one that was left running is stopped. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseRefused } from '../open';
import { readPlainFile, removeSocketFolder, runAsOwner } from './asOwner';
import type { RunAs } from './osUser';

/** What a running database records in its folder. The database's user can write anything there. */
export function readPostmaster(cluster: string): { pid: number; socketFolder: string; isReady: boolean } | undefined {
  const lines = readPlainFile(join(cluster, 'postmaster.pid'))?.split('\n');
  return lines && { pid: Number(lines[0]), socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
}

/** Whether the process is a PostgreSQL working in this folder, and not another program with a reused id. */
export function isPostmaster(pid: number, cluster: string): boolean {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.ino === ours.ino && theirs.dev === ours.dev && statSync(`/proc/${pid}`).uid === ours.uid;
  } catch {
    return false;
  }
}

const NO_PROCESS = '2147483646'; // higher than any process id

/** Stops a database that a killed server left running, and cleans up after it. */
export async function stopLeftover(cluster: string, owner: RunAs, say: (message: string) => void): Promise<void> {
  const left = readPostmaster(cluster);
  if (!left) return runAsOwner(owner, cluster, 'rm', '-f', 'postmaster.pid'); // none, or a link or a pipe
  if (left.pid > 1 && isPostmaster(left.pid, cluster)) {
    say(`stopping the database (process ${left.pid}) that an earlier server left running`);
    await stopProcess(left.pid, cluster, owner);
  }
  // Another program may have the process id by now. The rest stays: PostgreSQL detects orphaned workers by it.
  else runAsOwner(owner, cluster, 'sed', '-i.old', `1s/.*/${NO_PROCESS}/`, 'postmaster.pid');
  removeSocketFolder(left.socketFolder, owner);
}

async function stopProcess(pid: number, cluster: string, owner: RunAs): Promise<void> {
  for (const [name, seconds] of [
    ['INT', 15],
    ['QUIT', 5],
  ] as const) {
    runAsOwner(owner, '/', 'sh', '-c', 'kill -s "$1" "$2"', 'sh', name, String(pid));
    for (let waited = 0; waited < seconds * 1000; waited += 20) {
      if (!isPostmaster(pid, cluster)) return;
      await setTimeout(20);
    }
  }
  throw new DatabaseRefused(`The database (process ${pid}) that an earlier server left running does not stop.`);
}

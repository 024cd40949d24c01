import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseRefused } from '../open';

const HEARTBEAT_MS = 2_000;

/** The process that holds a folder. Its start time distinguishes it from a later process with the same id. */
interface Holder {
  id: string;
  pid: number;
  started: string;
  place: string;
}

/**
 * Locks the folder for this process until `release` or until the process ends. Refuses while another server holds it,
 * also in another container or on another machine that shares the folder.
 */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
  const file = join(folder, 'server.lock');
  const own: Holder = { id: randomUUID(), pid: process.pid, started: getStartTime(process.pid), place: getPlace() };
  const draft = `${file}.${own.id}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!tryLink(draft, file)) {
      const holder = readHolder(file);
      if (holder && (await isHeld(file, holder))) throw refusal(folder, holder);
      setAside(file, holder, folder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readHolder(file)?.id === own.id) rmSync(file, { force: true });
    },
  };
}

const refusal = (folder: string, holder: Holder) =>
  new DatabaseRefused(
    `Another server (process ${holder.pid}) is already using the folder ${folder}. ` +
      'Stop it first, or set DATA_DIR to another folder.',
  );

/** Creating a link is atomic, and only one process can succeed. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined; // deleted, or damaged by a power failure
  }
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'pid' in value &&
  typeof value.pid === 'number' &&
  'started' in value &&
  'place' in value;

async function isHeld(file: string, holder: Holder): Promise<boolean> {
  if (holder.place === getPlace()) return getStartTime(holder.pid) === holder.started && holder.started !== '';
  // The process is not visible from here (another container or machine, or before a reboot), but its heartbeat is.
  const before = getTouchedAt(file);
  await new Promise((resolve) => setTimeout(resolve, 2.5 * HEARTBEAT_MS));
  return getTouchedAt(file) !== before;
}

/**
 * Removes the lock of a dead holder. Of several starting servers only one may, and none may remove the winner's lock.
 */
function setAside(file: string, holder: Holder | undefined, folder: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another starting server was first
  }
  const taken = readHolder(aside);
  if (taken && taken.id !== holder?.id) {
    tryLink(aside, file);
    rmSync(aside, { force: true });
    throw refusal(folder, taken);
  }
  rmSync(aside, { force: true });
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The disk is full or read-only. The next heartbeat may succeed, and on this machine the process itself is proof
    // enough.
  }
}

function getTouchedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/** Within one place, a process id identifies one process. */
function getPlace(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** When a process started; empty if there is none. */
function getStartTime(pid: number): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the program name before it may contain spaces
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

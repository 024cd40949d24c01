import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseRefused } from './open';

const HEARTBEAT_MS = 2_000;

/** Who holds a folder: a process, told apart from a later one of the same number by its start. */
interface Holder { id: string; pid: number; started: string; place: string }

/**
 * Keeps the folder for this process until `release` or its end, however that comes. Refuses while another server holds it,
 * also one in another container or on another machine that shares the folder.
 */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
  const file = join(folder, 'server.lock');
  const own: Holder = { id: randomUUID(), pid: process.pid, started: getStartTime(process.pid), place: place() };
  const draft = `${file}.${own.id}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    while (!tryLink(draft, file)) {
      const holder = readHolder(file);
      if (holder && await isHeld(file, holder)) throw refusal(folder, holder);
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
  new DatabaseRefused(`Another server (process ${holder.pid}) already uses the folder ${folder}; stop it first, or set DATA_DIR to another folder.`);

/** A link is made whole or not at all, by one process only. */
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
    return undefined; // gone, or torn by a power cut
  }
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && 'id' in value && 'pid' in value && typeof value.pid === 'number' && 'started' in value && 'place' in value;

async function isHeld(file: string, holder: Holder): Promise<boolean> {
  if (holder.place === place()) return getStartTime(holder.pid) === holder.started && holder.started !== '';
  // Its process cannot be seen from here (another container, another machine, or before a restart of this one), but its heartbeat can.
  const before = getTouchedAt(file);
  await new Promise((resolve) => setTimeout(resolve, 2.5 * HEARTBEAT_MS));
  return getTouchedAt(file) !== before;
}

/** Takes a dead holder's file away; of several starters only one may, and none may take the winner's. */
function setAside(file: string, holder: Holder | undefined, folder: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another starter was first
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
    // A full or read-only disk: the next beat may succeed, and on this machine the process itself is proof enough.
  }
}

function getTouchedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/** Within one place a process number means one process. */
function place(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** When a process began, empty if there is none. */
function getStartTime(pid: number): string {
  try {
    if (process.platform !== 'linux') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may hold spaces
    return fields[0] === 'Z' ? '' : fields[19] ?? '';
  } catch {
    return '';
  }
}

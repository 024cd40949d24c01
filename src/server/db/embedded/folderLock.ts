import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { attempt } from '../attempt';
import { DatabaseRefused } from '../open';

const HEARTBEAT_MS = 2_000;

/** The process that holds a folder. Its start time distinguishes it from a later process with the same id. */
const Holder = v.object({ pid: v.number(), started: v.string(), place: v.string() });

/** Locks the folder until `release` or the end of the process. Refuses another server, also of another machine. */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
  const file = join(folder, 'server.lock');
  const draft = `${file}.${randomUUID()}`;
  const own = JSON.stringify({ pid: process.pid, started: getStartTime(process.pid), place: getPlace() });
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    while (!tryLink(draft, file)) {
      const text = attempt(() => readFileSync(file, 'utf8'));
      const holder = attempt(() => v.parse(Holder, JSON.parse(text ?? ''))); // damaged by a power failure: no holder
      if (holder && (await isHeld(file, holder)))
        throw new DatabaseRefused(
          `Another server (process ${holder.pid}) is already using the folder ${folder}. ` +
            'Stop it first, or set DATA_DIR to another folder.',
        );
      takeAway(file, text);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  // The disk may be full or read-only. The next heartbeat may succeed, and on this machine the process is proof enough.
  const heartbeat = setInterval(() => attempt(() => utimesSync(file, new Date(), new Date())), HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (attempt(() => readFileSync(file, 'utf8')) === own) rmSync(file, { force: true });
    },
  };
}

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

async function isHeld(file: string, holder: v.InferOutput<typeof Holder>): Promise<boolean> {
  if (holder.place === getPlace()) return getStartTime(holder.pid) === holder.started && holder.started !== '';
  // The process is not visible from here (another container or machine, or before a reboot), but its heartbeat is.
  const touchedAt = () => attempt(() => statSync(file).mtimeMs);
  const before = touchedAt();
  await setTimeout(2.5 * HEARTBEAT_MS);
  return touchedAt() !== before;
}

/** Removes the lock of a dead holder. If another starting server has replaced it meanwhile, that one keeps its lock. */
function takeAway(file: string, text: string | undefined): void {
  const aside = `${file}.${randomUUID()}`;
  attempt(() => renameSync(file, aside)); // another starting server may have been first
  if (attempt(() => readFileSync(aside, 'utf8')) !== text) attempt(() => linkSync(aside, file));
  rmSync(aside, { force: true });
}

/** Within one place, a process id identifies one process. */
function getPlace(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** When a process started; empty if there is none. */
const getStartTime = (pid: number): string =>
  attempt(() => {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the program name before it may contain spaces
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  }) ?? '';

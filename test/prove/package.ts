/**
 * The archive of `npm run package`, as an operator gets it: the same bytes each time, and it runs elsewhere, as an
 * ordinary user, with Node.js alone. It takes too long for a test: it is packed twice and a database is made.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { VERSION } from '../../src/contract/version';
import { firstAdmin, isRoot, newFolder, signIn } from '../server/running';
import { startServer } from './marks';
import type { ProveOptions } from './random';

/** The other proofs run in this process meanwhile, so nothing may block it for long. */
const execute = promisify(execFile);
/** Runs a program to its end, whatever its exit code. */
const runProgram = (program: string, words: string[], options: object) =>
  new Promise<{ status: number; stdout: string; stderr: string }>((resolve) =>
    execFile(program, words, { ...options, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    ),
  );

/** Nobody in particular, who owns nothing here. */
const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};

export async function prove({ say }: Pick<ProveOptions, 'say'>): Promise<void> {
  const folder = newFolder('package');
  chmodSync(folder, 0o755);
  try {
    const begun = Date.now();
    await execute(process.execPath, ['build.mjs', '--if-stale']);
    const [first, second] = [await pack(join(folder, 'first')), await pack(join(folder, 'second'))];
    const name = `gaming-back-office-${VERSION}-${process.platform}-${process.arch}.tar.gz`;
    assert.is(first, second, 'the same sources give the same bytes');
    assert.equal(readdirSync(join(folder, 'first')).sort(), [name, `${name}.sha256`]);
    await execute('sha256sum', ['--check', '--quiet', `${name}.sha256`], { cwd: join(folder, 'first') });
    say(`${(statSync(join(folder, 'first', name)).size / 1e6).toFixed(1)} MB, packed twice in ${seconds(begun)}`);
    await runElsewhere(folder, join(folder, 'first', name), say);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

const seconds = (begun: number) => `${((Date.now() - begun) / 1000).toFixed(1)} s`;

async function pack(out: string): Promise<string> {
  await execute(process.execPath, ['src/build/package.mjs', '--out', out]);
  const [sum = ''] = readdirSync(out).filter((name) => name.endsWith('.sha256'));
  return readFileSync(join(out, sum), 'utf8');
}

async function runElsewhere(folder: string, archive: string, say: ProveOptions['say']): Promise<void> {
  const [place = '', programs = '', dataDir = '', backups = ''] = ['opt', 'bin', 'data', 'backups'].map((name) =>
    join(folder, name),
  );
  for (const path of [place, programs, dataDir, backups]) mkdirSync(path);
  if (isRoot) for (const path of [dataDir, backups]) chownSync(path, 65_534, 65_534);
  await execute('tar', ['-xzf', archive, '-C', place]);
  const root = join(place, `gaming-back-office-${VERSION}`);
  assert.equal(forbidden(root), [], 'nothing in it is open to others or comes from elsewhere');
  // Neither npm nor a compiler: only Node.js and what every Debian has.
  symlinkSync(process.execPath, join(programs, 'node'));
  for (const name of ['sh', 'dirname', 'readlink'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
  const program = join(root, 'bin/gaming-back-office');
  const env = { PATH: programs, DATA_DIR: dataDir };

  const begun = Date.now();
  const how = { entry: join(root, 'build/server/main.mjs'), user, env: { PATH: programs } };
  const server = await startServer({ dataDir, ...how });
  say(`the first start took ${seconds(begun)}`);
  const { email, password } = firstAdmin(server);
  assert.is(await signIn(server.url, email, password), 200);
  assert.equal(await (await fetch(`${server.url}healthz`)).json(), { ok: true, version: VERSION });
  const page = await fetch(server.url);
  assert.match(await page.text(), /<div id="root">/);

  const command = (...words: string[]) => runProgram(program, words, { ...user, env, cwd: '/' });
  assert.match((await command('--help')).stdout, /^Usage:/);
  const backup = await command('backup', backups, '--keep', '2');
  assert.is(backup.status, 0, backup.stderr);
  assert.is(readdirSync(backups).length, 1);
  const verified = await command('verify');
  assert.is(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, /The ledger adds up\./);
  assert.match((await command('no-such-command')).stderr, /Unknown argument no-such-command/);
  assert.is(await server.end('SIGTERM'), 0);

  // The drill of docs/deployment.md: the backup and the key alone bring everything back.
  const drill = join(folder, 'drill');
  mkdirSync(drill);
  copyFileSync(join(dataDir, 'secret.key'), join(drill, 'secret.key'));
  for (const path of isRoot ? [drill, join(drill, 'secret.key')] : []) chownSync(path, 65_534, 65_534);
  const there = { ...user, env: { PATH: programs, DATA_DIR: drill } };
  const restored = await runProgram(program, ['restore', join(backups, readdirSync(backups)[0]!)], there);
  assert.is(restored.status, 0, restored.stderr);
  assert.is((await runProgram(program, ['verify'], there)).status, 0);
  const revived = await startServer({ dataDir: drill, ...how });
  assert.is(await signIn(revived.url, email, password), 200);
  assert.is(await revived.end('SIGTERM'), 0);

  // Once more by its own program, as a unit of systemd starts it.
  const again = await runProgram(program, ['start'], { ...user, env: { ...env, PORT: 'x' } });
  assert.match(again.stderr, /^PORT must be a whole number/);
}

/** Files that others may change, and links that lead out of the archive. */
const forbidden = (root: string): string[] =>
  [
    execFileSync('find', [root, '!', '-type', 'l', '-perm', '/022'], { encoding: 'utf8' }),
    execFileSync('find', [root, '-type', 'l', '-lname', '/*'], { encoding: 'utf8' }),
    execFileSync('find', [root, '-xtype', 'l'], { encoding: 'utf8' }),
  ].flatMap((found) => found.split('\n').filter(Boolean));

/** A PostgreSQL that is installed on this machine, on a port of its own and thrown away afterwards. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { freePort } from '../../openPort';
import { eventually, newFolder, nobody } from '../running';

export const installed = '/usr/lib/postgresql';
const version = existsSync(installed)
  ? readdirSync(installed)
      .filter((name) => existsSync(join(installed, name, 'bin/postgres')))
      .sort((a, b) => Number(a) - Number(b))
      .at(-1)
  : undefined;
export const isInstalled = version !== undefined;

const options = { ...nobody, cwd: '/', encoding: 'utf8' } as const;
/** Gives a file to the user of the database. */
export const give = (path: string): void => {
  if (nobody.uid !== undefined && nobody.gid !== undefined) chownSync(path, nobody.uid, nobody.gid);
};

export class InstalledPostgres {
  readonly folder = newFolder('postgres');
  readonly data = join(this.folder, 'data');
  port = 0;
  #process: ChildProcess | undefined;

  tool(name: string, ...args: string[]) {
    return spawnSync(join(installed, version ?? '', 'bin', name), args, options);
  }
  /** Its superuser is named owner. */
  async initialize(password: string): Promise<void> {
    mkdirSync(this.data, { mode: 0o700 });
    const file = join(this.folder, 'password');
    writeFileSync(file, password);
    for (const each of [this.folder, this.data, file]) give(each);
    const access = ['--auth=scram-sha-256', `--pwfile=${file}`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    const { status, stderr } = this.tool('initdb', '-D', this.data, '-U', 'owner', ...access);
    assert.is(status, 0, stderr);
    this.port = await freePort();
  }
  async start(address: string, ...settings: string[]): Promise<void> {
    const all = [`listen_addresses=${address}`, 'unix_socket_directories=', ...settings].flatMap((each) => [
      '-c',
      each,
    ]);
    const place = ['-D', this.data, '-p', String(this.port)];
    const program = join(installed, version ?? '', 'bin/postgres');
    this.#process = spawn(program, [...place, ...all], { ...options, stdio: 'ignore' });
    const isUp = () => this.tool('pg_isready', '-h', address, '-p', String(this.port)).status === 0;
    assert.ok(await eventually(isUp), 'PostgreSQL started');
  }
  async stop(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    const ended = new Promise((resolve) => running.on('exit', resolve));
    running.kill('SIGINT');
    await ended;
    this.#process = undefined;
  }
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

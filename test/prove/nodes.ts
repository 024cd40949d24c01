/** Debian's PostgreSQL 15, several of them in a folder of a proof, thrown away afterwards. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { freePort } from '../openPort';
import { eventually, killTree, nobody } from '../server/running';

const FOLDER = '/usr/lib/postgresql/15';
const BIN = join(FOLDER, 'bin');
export const hasPostgres = existsSync(join(BIN, 'pg_basebackup'));
export const hasCitus = hasPostgres && existsSync(join(FOLDER, 'lib/citus.so'));
/** The superuser of a node. */
export const OWNER = 'postgres';

export interface Node {
  name: string;
  data: string;
  port: number;
  start(): Promise<void>;
  /** 'SIGQUIT' is `pg_ctl stop -m immediate`, 'SIGKILL' the end of all its processes, 'SIGINT' an orderly stop. */
  stop(signal: 'SIGQUIT' | 'SIGKILL' | 'SIGINT'): Promise<void>;
}

/** `folder` must be one that the user nobody may enter. Nodes reach each other with the one password. */
export function openNodes(folder: string) {
  const password = randomBytes(18).toString('hex'),
    secret = join(folder, 'password'),
    options = { ...nobody, cwd: '/', encoding: 'utf8', env: { PGPASSWORD: password, PATH: BIN, LC_ALL: 'C' } } as const;
  const tool = (name: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(join(BIN, name), args, options);
    assert.is(status, 0, `${name}: ${stderr}`);
  };
  const give = (path: string) => {
    if (nobody.uid !== undefined) chownSync(path, nobody.uid, nobody.gid ?? 0);
  };
  give(folder);
  writeFileSync(secret, password);
  give(secret);

  return {
    password,
    /** Runs a program of PostgreSQL, which must succeed. */
    tool,
    url: (user: string, nodes: readonly Node[], database: string) =>
      `postgres://${user}:${password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`,
    initialize({ data }: Node): void {
      tool('initdb', '-D', data, '-U', OWNER, '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'scram-sha-256',
        `--pwfile=${secret}`, '--no-sync'); // biome-ignore format: as it is typed
    },
    /** A node with an empty data folder. */
    async add(name: string): Promise<Node> {
      const data = join(folder, name),
        port = await freePort(),
        log = openSync(join(folder, `${name}.log`), 'a');
      mkdirSync(data, { mode: 0o700 });
      give(data);
      const settings = [
        `port=${port}`,
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'shared_buffers=32MB',
      ];
      const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])];
      let child: ChildProcess | undefined,
        ended: Promise<unknown> = Promise.resolve();
      const launch = () => {
        const started = spawn(join(BIN, 'postgres'), args, { ...options, stdio: ['ignore', log, log] });
        child = started;
        ended = new Promise((done) => started.once('exit', done));
      };
      const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null;
      return {
        name,
        data,
        port,
        async start() {
          const isUp = async () => {
            if (hasEnded()) launch(); // after a SIGKILL its last processes may still be there
            await setTimeout(100); // each look is a process
            return spawnSync(join(BIN, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], options).status === 0;
          };
          assert.ok(await eventually(isUp, 60), `the ${name} started`);
        },
        async stop(signal) {
          if (!hasEnded() && child?.pid) {
            if (signal === 'SIGKILL') killTree(child.pid);
            else child.kill(signal);
          }
          await ended;
        },
      };
    },
  };
}

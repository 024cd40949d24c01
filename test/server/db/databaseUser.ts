/** The database's user of the operating system as an attacker, and what only root may change. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface OsUser {
  uid: number;
  gid: number;
}

/** The user that a folder belongs to. */
export function ownerOf(path: string): OsUser {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/** Runs a shell script as that user, in a folder that the user alone could not reach. Returns what it printed. */
export function actAs(user: OsUser, folder: string, script: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (error ?? status !== 0) throw error ?? new Error(`${script}: ${stderr}`);
  return stdout;
}

/** Files and folders of root that an attacker would like to have; `watch` begins to watch them. */
export function makeVictims(folder: string) {
  mkdirSync(folder, { mode: 0o700 });
  let count = 0;
  const next = (kind: string) => join(folder, `${kind}-${++count}`);
  const describe = (path: string): string[] => {
    const { uid, gid, mode } = lstatSync(path);
    const about = `${path} ${uid}:${gid} ${mode.toString(8)}`;
    if (lstatSync(path).isSymbolicLink()) return [`${about} -> ${readlinkSync(path)}`];
    if (lstatSync(path).isFile()) return [`${about} ${readFileSync(path, 'utf8')}`];
    return [about, ...readdirSync(path).flatMap((name) => describe(join(path, name)))];
  };
  return {
    file(): string {
      const file = next('file');
      writeFileSync(file, '4711\nroot only\n');
      chmodSync(file, 0o600);
      return file;
    },
    /** A folder with a file, and with a folder named as the sockets' folders are. */
    folder(): string {
      const made = next('folder');
      mkdirSync(join(made, 'back-office-inside'), { recursive: true });
      writeFileSync(join(made, 'kept'), 'root only');
      writeFileSync(join(made, 'back-office-inside', 'kept'), 'root only');
      return made;
    },
    /** A path at which nothing may come into being. */
    nothing: () => next('nothing'),
    /** Returns a function that says what has become of them since. */
    watch(): () => string[] {
      const before = describe(folder);
      return () => describe(folder).filter((each) => !before.includes(each));
    },
  };
}

const CONNECT = `
  const [path, user] = process.argv.slice(1);
  const socket = require('net').connect(path);
  const body = Buffer.from('\\0\\x03\\0\\0user\\0' + user + '\\0database\\0postgres\\0\\0', 'latin1');
  const length = Buffer.alloc(4); length.writeInt32BE(body.length + 4);
  socket.on('connect', () => socket.write(Buffer.concat([length, body])));
  socket.on('data', (answer) => { console.log(answer.toString('latin1')); process.exit(); });
  socket.on('error', (error) => { console.log(error.code); process.exit(); });`;

/** What the database answers when that user asks to be let in as a role: 'R' and more, or why not. */
export function knock(user: OsUser | undefined, socketFolder: string, role: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', CONNECT, join(socketFolder, '.s.PGSQL.5432'), role], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  return stdout || stderr;
}

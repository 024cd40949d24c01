/** The built server as a process of its own on a folder, and how to its database past it. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createAuditShards } from '../../../src/server/audit/auditLog';
import { verifyAudit } from '../../../src/server/audit/verify';
import { readKeyFile } from '../../../src/server/auth/keyFile';
import { createSecrets, type Secrets } from '../../../src/server/auth/secrets';
import { verifyLedger } from '../../../src/server/books/verify';
import { verifyEvidence } from '../../../src/server/books/verifyEvidence';
import { recordLedger } from '../../../src/server/commands/setup';
import { findRunning } from '../../../src/server/db/embedded/embedded';
import { type Database, openDatabase, type SocketAddress } from '../../../src/server/db/open';
import { generate, TENANTS } from './generate';

export interface World {
  pid: number;
  url: string;
  token: string;
  db: Database;
  address: SocketAddress;
  secrets: Secrets;
  secretKey: Buffer;
  playersPerTenant: number;
  stop(): Promise<void>;
}

const EMAIL = 'bench@platform.test';

/** The server on a database with so many players in each tenant. It is created if missing or incomplete. */
export async function openWorld(
  program: string,
  folder: string,
  playersPerTenant: number,
  say: (line: string) => void,
  bar: (done: number, of: number, what: string) => void,
  { isAlone = true } = {},
): Promise<World> {
  const note = join(folder, 'made.json');
  const isThere = existsSync(note);
  if (!isThere) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const made: { password: string; playersPerTenant: number } = isThere
    ? JSON.parse(readFileSync(note, 'utf8'))
    : { password: randomBytes(12).toString('hex'), playersPerTenant };
  const { pid, url, stop } = await startServer(program, {
    DATA_DIR: resolve(folder),
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: made.password,
    ...(isAlone ? {} : { POOL_SIZE: String(BESIDE) }),
  });
  const address = findRunning(resolve(folder));
  if (!address) throw new Error(`the database of ${folder} is not running`);
  const db = await openDatabase(address, { poolSize: 2 }),
    secretKey = readKeyFile(resolve(folder)),
    secrets = createSecrets(secretKey);
  const close = async () => {
    await db.close();
    await stop();
  };
  try {
    if (!isThere) {
      const started = performance.now();
      say(`creating ${(playersPerTenant * TENANTS).toLocaleString('en-US')} players in ${folder}`);
      await generate(db, playersPerTenant, bar);
      await beginAudit(db, secrets);
      say(`created in ${Math.round((performance.now() - started) / 1000)} s`);
      writeFileSync(note, JSON.stringify(made));
    }
    const token = await signIn(url, made.password);
    return { pid, url, token, db, address, secrets, secretKey, playersPerTenant, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The audit log as an upgrade begins it, with what was generated recorded. */
const beginAudit = (db: Database, secrets: Secrets): Promise<void> =>
  db.tx(async (sql) => {
    await sql.unsafe(`
      set local statement_timeout = 0;
      alter table audit_log disable trigger user;
      truncate audit_log, audit_lanes;
      alter table audit_log enable trigger user`);
    await createAuditShards(sql, secrets);
    await recordLedger(sql, secrets);
  });

/** Sentences on what does not agree, and the seconds of each part of `npm run verify`. */
export async function verifyWorld({ db, secrets }: World): Promise<{ sentences: string[]; seconds: string }> {
  const sentences: string[] = [],
    times: string[] = [];
  const part = async (name: string, work: () => Promise<readonly string[]>) => {
    const started = performance.now();
    sentences.push(...(await work()));
    times.push(`${name} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  await part('ledger', () =>
    db.tx(async (sql) => {
      await sql`set local statement_timeout = 0`;
      return verifyLedger(sql);
    }),
  );
  await part('ledger against audit log', async () => (await verifyEvidence(db, secrets)) ?? ['nothing was compared']);
  await part('audit log', async () => (await verifyAudit(db, secrets)).sentences);
  return { sentences, seconds: times.join(', ') };
}

export async function signIn(url: string, password: string, email = EMAIL): Promise<string> {
  const response = await fetch(`${url}api/v1/auth/login/json`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = await response.json();
  if (!response.ok || typeof token !== 'string') throw new Error(`the sign-in was answered with ${response.status}`);
  return token;
}

/** The pool of each of two servers: the embedded database has ten places more than its own server needs. */
const BESIDE = 5;

/** Another build of the server on the same database. */
export async function startBeside({ address, secretKey }: World, program: string) {
  return startServer(program, {
    DATABASE_URL: `postgres:///${address.database}`,
    PGHOST: address.socketFolder,
    PGPORT: String(address.port),
    PGUSER: address.user,
    SECRET_KEY: secretKey.toString('base64'),
    POOL_SIZE: String(BESIDE),
  });
}

export async function startServer(program: string, env: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', ...env },
  });
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  process.on('exit', () => child.kill('SIGINT'));
  process.once('SIGINT', () => process.exit(130));
  let words = '';
  const url = await new Promise<string>((ready, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        words = (words + text).slice(-4000);
        const [, found] = /The back-office is at (\S+)/.exec(words) ?? [];
        if (found) ready(found);
      });
    }
    void ended.then(() => fail(new Error(`the server did not start: ${words}`)));
  });
  return {
    pid: child.pid ?? 0,
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The product's own server on its sample world, for measuring and trying in front of it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Backend { /** Its origin, without a slash at the end. */ url: string; stop(): Promise<void> }

const SERVER = 'build/server/main.mjs';

/** Starts `node build/server/main.mjs --demo` on a free port with a data folder of its own; resolves once it answers. */
export async function startBackend(): Promise<Backend> {
  if (!existsSync(SERVER)) throw new Error(`${SERVER} is missing: npm run build`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
  const child = spawn(process.execPath, [SERVER, '--demo'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error', DATABASE_URL: '', TRUST_PROXY: '1' },
  });
  const ended = new Promise<void>((done) => { child.once('exit', () => done()); });
  const kill = () => { child.kill('SIGTERM'); };
  process.once('exit', kill);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };

  let said = '';
  const url = await new Promise<string>((done, fail) => {
    const listen = (text: string) => {
      said = (said + text).slice(-8000);
      const address = /The back-office is at (http:\S+)/.exec(said)?.[1];
      if (address) done(new URL(address).origin);
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    child.once('exit', () => fail(new Error(`the server did not start:\n${said}`)));
    setTimeout(() => fail(new Error(`the server did not start in 60 s:\n${said}`)), 60_000).unref();
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}

/** nginx in front of several servers, with the configuration of docs/scaling.md. */
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nobody } from '../server/running';

const PROGRAM = '/usr/sbin/nginx';
export const hasNginx = existsSync(PROGRAM);
const PLACES = ['10.0.0.11:8080', '10.0.0.12:8080', '10.0.0.13:8080'];

/** `ports`: those of the three servers; `port`: its own. */
export async function startProxy(port: number, ports: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  let site = readFileSync('test/delivery/servers.conf', 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`);
  for (const [n, place] of PLACES.entries()) site = site.replace(place, `127.0.0.1:${ports[n]}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 512; }
http {
access_log off;
${temporary}
${site}
}
`,
  );
  if (nobody.uid !== undefined) for (const file of [folder, config]) chownSync(file, nobody.uid, nobody.gid ?? 0);
  const child = spawn(PROGRAM, ['-p', folder, '-e', 'stderr', '-c', config], {
    ...nobody,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/`;
  for (let waited = 0; waited < 10_000 && child.exitCode === null; waited += 50) {
    const isUp = await fetch(`${url}healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { url, stop };
    await new Promise((done) => setTimeout(done, 50));
  }
  await stop();
  throw new Error(`nginx did not come up:\n${said}`);
}
export type Nginx = Awaited<ReturnType<typeof startProxy>>;

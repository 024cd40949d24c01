/** nginx in front of several servers, with the configuration of docs/scaling.md. */
import { chownSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../browser/nginx';
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
  const url = `http://127.0.0.1:${port}/`;
  return start(PROGRAM, ['-p', folder, '-e', 'stderr', '-c', config], folder, url, `${url}healthz`);
}
export type Nginx = Awaited<ReturnType<typeof startProxy>>;

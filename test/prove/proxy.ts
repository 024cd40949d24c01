/** nginx in front of several servers, with the configuration of docs/scaling.md. */
import { chownSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start, writeNginxConfig } from '../browser/nginx';
import { nobody } from '../server/running';

const PROGRAM = '/usr/sbin/nginx';
export const hasNginx = existsSync(PROGRAM);
const PLACES = ['10.0.0.11:8080', '10.0.0.12:8080', '10.0.0.13:8080'];

/** `ports`: those of the three servers; `port`: its own. */
export async function startProxy(port: number, ports: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  let site = readFileSync('test/delivery/servers.conf', 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`);
  for (const [n, place] of PLACES.entries()) site = site.replace(place, `127.0.0.1:${ports[n]}`);
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid ?? 0);
  const url = `http://127.0.0.1:${port}/`;
  return start(PROGRAM, writeNginxConfig(folder, site), folder, url, `${url}healthz`);
}
export type Nginx = Awaited<ReturnType<typeof startProxy>>;

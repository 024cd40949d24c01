/** Somebody else's web server in front of the app: the configurations of docs/deployment.md. */
import { spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../openPort';

const BROTLI_MODULE = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';
const NOBODY = 65_534;
const pathOf = (name: string) => [`/usr/sbin/${name}`, `/usr/bin/${name}`, `/usr/local/bin/${name}`].find(existsSync);

export const hasNginx = () => pathOf('nginx') !== undefined;
export const hasNginxBrotli = () => existsSync(BROTLI_MODULE);
export const hasCaddy = () => pathOf('caddy') !== undefined;

/** Serves a copy of `dist` under /backoffice/ through nginx with test/delivery/nginx.conf; /api goes to `apiPort`. */
export async function startNginx({ dist, apiPort }: { dist: string; apiPort: number }) {
  const program = pathOf('nginx');
  if (!program) throw new Error('nginx is not installed: apt-get install nginx-light libnginx-mod-http-brotli-static');
  const port = await freePort(),
    folder = siteFolder(dist);
  let site = fill(readFileSync('test/delivery/nginx.conf', 'utf8'), folder, apiPort).replace(
    'listen 80;',
    `listen 127.0.0.1:${port};`,
  );
  if (!hasNginxBrotli()) site = site.replace(/ *brotli_static on;.*\n/, '');
  const module = hasNginxBrotli() ? `load_module ${BROTLI_MODULE};` : '';
  return start(program, writeNginxConfig(folder, site, module), folder, addressAt(port));
}
/** Writes a configuration of nginx around a site into its folder. Returns the arguments that start it. */
export function writeNginxConfig(folder: string, site: string, module = ''): string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/temp-${name};`)
    .join('\n');
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `
${module}
daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 512; }
http {
  include /etc/nginx/mime.types;
  access_log off;
${temporary}
${site}
}
`,
  );
  return ['-p', folder, '-e', 'stderr', '-c', config];
}

/** The same through Caddy, as test/delivery/Caddyfile says. */
export async function startCaddy({ dist, apiPort }: { dist: string; apiPort: number }) {
  const program = pathOf('caddy');
  if (!program) throw new Error('caddy is not installed: apt-get install caddy');
  const port = await freePort(),
    folder = siteFolder(dist);
  const site = fill(readFileSync('test/delivery/Caddyfile', 'utf8'), folder, apiPort).replace(
    ':80 {',
    `http://127.0.0.1:${port} {`,
  );
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, `{\n\tadmin off\n}\n${site}`);
  return start(program, ['run', '--adapter', 'caddyfile', '--config', config], folder, addressAt(port));
}

/** With the closing slash. */
const addressAt = (port: number) => `http://127.0.0.1:${port}/backoffice/`;
const fill = (config: string, folder: string, apiPort: number) =>
  config.replaceAll('/var/www', `${folder}/www`).replaceAll('127.0.0.1:8080', `127.0.0.1:${apiPort}`);

/** A folder with `dist` as www/backoffice, moved there the way docs/deployment.md says: by the line of <base href>. */
function siteFolder(dist: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'delivery-'));
  const site = join(folder, 'www/backoffice');
  mkdirSync(site, { recursive: true });
  cpSync(dist, site, { recursive: true });
  const page = join(site, 'index.html');
  const html = readFileSync(page, 'utf8');
  const moved = html.replace(/<base href="?\/"?/, '<base href="/backoffice/"');
  if (moved === html) throw new Error(`${resolve(dist)}/index.html has no <base href="/"> to edit`);
  writeFileSync(page, moved);
  for (const stale of ['.br', '.gz']) rmSync(page + stale, { force: true }); // they still hold the line as it was
  if (process.getuid?.() === 0) {
    // as root, the server runs as nobody, who must be able to read all this
    for (const file of ['.', ...readdirSync(folder, { recursive: true }).map(String)])
      chownSync(join(folder, file), NOBODY, NOBODY);
  }
  return folder;
}

/** Starts a web server of a folder, which goes with it, and waits until it answers well at `health`. */
export async function start(program: string, args: string[], folder: string, url: string, health = url) {
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder },
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const kill = () => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);

  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let waited = 0; waited < 10_000 && child.exitCode === null; waited += 50) {
    if (
      await fetch(health).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, stop };
    await new Promise((done) => setTimeout(done, 50));
  }
  await stop();
  throw new Error(`${program} did not come up:\n${said}`);
}
export type Delivery = Awaited<ReturnType<typeof start>>;

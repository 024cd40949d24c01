/**
 * The web server of the benchmark: files compressed with brotli beforehand, hashed ones cached for good, and /api
 * passed on. It counts what it sends.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { openPort, shut } from '../../openPort';

export interface Sent {
  path: string;
  bytes: number;
  isPrefetch: boolean;
  /** When it was asked for, in milliseconds since 1970. */
  at: number;
}

/** An empty page of the same origin, where storage can be filled without loading the app. */
export const BLANK = '/blank.html';
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const squeezed = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);

export async function startHost(folder: string, api: string) {
  const files = readFiles(folder);
  const index = files.get('/index.html');
  if (!index) throw new Error(`${folder} has no index.html`);
  let sent: Sent[] = [],
    underWay = 0,
    lastAt = Date.now();

  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://host');
    const record: Sent = {
      path: pathname,
      bytes: 0,
      at: Date.now(),
      isPrefetch: /prefetch/.test(String(incoming.headers['sec-purpose'] ?? '')),
    };
    if (pathname !== BLANK && incoming.headers['sec-fetch-dest'] !== 'image') sent.push(record);
    underWay += 1;
    outgoing.on('close', () => {
      underWay -= 1;
      lastAt = Date.now();
    });
    if (pathname.startsWith('/api/')) return passOn(api, incoming, outgoing, record);
    if (pathname === BLANK)
      return void outgoing
        .writeHead(200, { 'Content-Type': types['.html'] })
        .end('<!doctype html><title>Blank</title>');
    const file = files.get(pathname) ?? (extname(pathname) === '' ? index : undefined);
    if (!file) return void outgoing.writeHead(404).end();
    return sendFile(file, pathname, incoming, outgoing, record);
  });
  server.keepAliveTimeout = 60_000;
  const port = await openPort(server);

  return {
    url: `http://127.0.0.1:${port}`,
    /** Every answer since the last `forget`, bytes of the body as they went over the line. */
    sent: (): readonly Sent[] => sent,
    forget() {
      sent = [];
    },
    /** Resolves when for `quietMs` nothing was asked and nothing was on its way. */
    async quiet(quietMs: number) {
      while (underWay > 0 || Date.now() - lastAt < quietMs)
        await new Promise((done) => {
          setTimeout(done, 50);
        });
    },
    stop: () => shut(server),
  };
}
export type Host = Awaited<ReturnType<typeof startHost>>;

function sendFile(file: File, path: string, incoming: IncomingMessage, outgoing: ServerResponse, record: Sent): void {
  const isHashed = path.startsWith('/assets/');
  outgoing.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  outgoing.setHeader('ETag', file.etag);
  if (incoming.headers['if-none-match'] === file.etag) return void outgoing.writeHead(304).end();
  const body = file.brotli ?? file.plain;
  outgoing.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': body.length,
    Vary: 'Accept-Encoding',
    ...(file.brotli ? { 'Content-Encoding': 'br' } : {}),
  });
  record.bytes = body.length;
  outgoing.end(body);
}

function passOn(api: string, incoming: IncomingMessage, outgoing: ServerResponse, record: Sent): void {
  const onward = request(
    new URL(incoming.url ?? '/', api),
    { method: incoming.method, headers: incoming.headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => {
        record.bytes += chunk.length;
      });
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(onward);
}

function readFiles(folder: string) {
  const files = new Map<string, { type: string; plain: Buffer; brotli: Buffer | null; etag: string }>();
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const path = join(folder, name),
      ending = extname(name);
    if (!statSync(path).isFile() || ending === '.br' || ending === '.gz') continue;
    const plain = readFileSync(path);
    const brotli = existsSync(`${path}.br`)
      ? readFileSync(`${path}.br`)
      : squeezed.has(ending)
        ? brotliOf(plain)
        : null;
    files.set(`/${name}`, {
      type: types[ending] ?? 'application/octet-stream',
      plain,
      brotli,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 20)}"`,
    });
  }
  return files;
}

type File = NonNullable<ReturnType<ReturnType<typeof readFiles>['get']>>;

const brotliOf = (plain: Buffer) =>
  brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });

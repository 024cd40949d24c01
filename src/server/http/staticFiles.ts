/**
 * Serves the built app: compressed files, hashed names cached for ever, and index.html for the addresses of the app.
 */
import type { MiddlewareHandler } from 'hono';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

interface Variant { body: Buffer<ArrayBuffer>; etag: string }
interface StaticFile { type: string; plain: Variant; br?: Variant; gzip?: Variant }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml',
  '.json': 'application/json', '.txt': 'text/plain; charset=utf-8', '.png': 'image/png', '.ico': 'image/x-icon', '.woff2': 'font/woff2',
};
const isHashed = (path: string) => /^assets\/.+-[A-Z0-9]{8}\.\w+$/.test(path);

/**
 * Serves a folder written by build.mjs. A missing file is 404; only a page that somebody navigates to becomes
 * index.html.
 */
export function staticFiles(folder: string): MiddlewareHandler {
  const files = readFolder(folder);
  const index = files.get('index.html');
  const page = index?.plain.body.toString('utf8') ?? '';
  const mount = parseMount(/<base href="([^"]*)"/.exec(page)?.[1] ?? '/');
  const policy = pagePolicy(page);

  return async (c) => {
    if (!index) return c.text('The app has not been built: npm run build', 404);
    const path = decodePath(new URL(c.req.url).pathname);
    if (path === null) return c.text('Bad request', 400);
    if (mount !== '/' && !`${path}/`.startsWith(mount)) return path === '/' ? c.redirect(mount, 302) : c.text('Not found', 404);
    const inside = path.slice(mount.length);
    const isPage = inside === '' || inside === 'index.html';
    const file = isPage ? index : files.get(inside) ?? (isAddress(inside, c.req.header('accept')) ? index : undefined);
    if (!file) return c.text('Not found', 404, { 'Cache-Control': 'no-store' });

    const encoding = (['br', 'gzip'] as const).find((name) => file[name] && accepts(c.req.header('accept-encoding'), name));
    const { body, etag } = (encoding && file[encoding]) ?? file.plain;
    c.header('Cache-Control', file !== index && isHashed(inside) ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('ETag', etag);
    c.header('Vary', 'Accept-Encoding');
    if (file === index) c.header('Content-Security-Policy', policy);
    if (matches(c.req.header('if-none-match'), etag)) return c.body(null, 304);
    if (encoding) c.header('Content-Encoding', encoding);
    c.header('Content-Type', file.type);
    c.header('Content-Length', String(body.length));
    return c.body(body);
  };
}

/** The page's own policy, which the build wrote with the hashes of its script and style, and what a meta cannot say. */
function pagePolicy(page: string): string {
  const own = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'";
  return `${own}; frame-ancestors 'none'`;
}

function readFolder(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name), path = full.slice(folder.length).split(sep).filter(Boolean).join('/');
    const type = types[extname(path)];
    if (!entry.isFile() || !type) continue;
    const variant = (ending: string) => (existsSync(full + ending) ? { [ending === '.br' ? 'br' : 'gzip']: readVariant(full + ending) } : {});
    files.set(path, { type, plain: readVariant(full), ...variant('.br'), ...variant('.gz') });
  }
  return files;
}

function readVariant(file: string): Variant {
  const body = Buffer.from(readFileSync(file));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/**
 * Whether a path is an address of the app rather than a missing file: it does not look like a file, and a page was
 * requested.
 */
const isAddress = (path: string, accept = ''): boolean => !/^\/*(assets|api)\//.test(path) && !/\.\w+$/.test(path) && /text\/html|\*\/\*/.test(accept || '*/*');

function accepts(header = '', encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.toLowerCase().split(';').map((piece) => piece.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

const matches = (header = '', etag: string): boolean => header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The path of `<base href>`, always with both slashes. */
const parseMount = (base: string): string => new URL(base, 'http://host').pathname.replace(/[^/]*$/, '');

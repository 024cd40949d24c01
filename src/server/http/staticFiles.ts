/** The built app as files: compressed by the build, hashed names cached for ever; addresses of the app get its page. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import { compress } from 'hono/compress';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { anonymous, toTurn } from '../auth/caller';
import { FairQueue } from '../core/fairQueue';
import { busy } from '../core/problem';
import { attempt } from '../db/attempt';

const retainedHeaders = [...RETAINED_304_HEADERS, 'X-Request-Id', 'Content-Security-Policy'];
/** Compressed copies and source maps are not served under their own names. */
const isServed = (path: string) => /\.(css|html|ico|js|json|png|svg|txt|woff2)$/.test(path);
const isHashed = (path: string) => /^assets\/.+-[A-Z0-9]{8}\.\w+$/.test(path);
/** An address of the app, not a file that is missing: nothing in it looks like a file, and a page was asked for. */
const isAddress = (path: string, accept = ''): boolean =>
  !/^\/*(assets|api)\//.test(path) && !/\.\w+$/.test(path) && /text\/html|\*\/\*/.test(accept || '*/*');
const notFound = (c: Context) => c.text('Not found', 404, { 'Cache-Control': 'no-store' });

/** A file is read whole before its answer begins, because of its tag. */
const FILES_AT_ONCE = 8;

/** Serves what build.mjs wrote; a missing file is 404, a page is index.html. `listMarks`: what its login offers. */
export function staticFiles(folder: string, listMarks: (path: string) => string[] = () => []): MiddlewareHandler {
  const indexFile = join(folder, 'index.html');
  if (!existsSync(indexFile)) return async (c) => c.text('The app has not been built. Run npm run build.', 404);
  const mount = parseMount(readFileSync(indexFile, 'utf8'));
  const tagged = etag({ retainedHeaders });
  const turns = new FairQueue({
    places: FILES_AT_ONCE,
    placesPerKey: FILES_AT_ONCE / 2,
    maxWaitMs: 10_000,
    refusal: () => busy('The server is too busy at the moment'),
  });
  const plain = every(tagged, serveStatic({ path: indexFile, precompressed: true }));
  const marked = every(compress(), tagged, async (c: Context) =>
    c.html(readFileSync(indexFile, 'utf8').replace('<html', `<html ${listMarks(c.req.path).join(' ')}`)),
  );
  const page: MiddlewareHandler = (c, next) => (listMarks(c.req.path).length ? marked : plain)(c, next);
  const file = every(
    tagged,
    serveStatic({
      root: folder,
      precompressed: true,
      rewriteRequestPath: (path) => path.slice(mount.length - 1),
    }),
  );

  return async (c) => {
    const path = attempt(() => decodeURIComponent(c.req.path));
    if (path === undefined) return c.text('Bad request', 400);
    if (!`${path}/`.startsWith(mount)) return path === '/' ? c.redirect(mount, 302) : notFound(c);
    const inside = path.slice(mount.length);
    // The links of a page at //other.example/ would lead there.
    if (inside.startsWith('/')) return notFound(c);
    const isPage = inside === '' || inside === 'index.html' || isAddress(inside, c.req.header('accept'));
    if (!isPage && !isServed(inside)) return notFound(c);

    simplify(c.req.raw.headers);
    c.header('Cache-Control', isHashed(inside) ? 'public, max-age=31536000, immutable' : 'no-cache');
    // The policy of the page as it is now, which a new build may have replaced.
    if (isPage) c.header('Content-Security-Policy', pagePolicy(readFileSync(indexFile, 'utf8')));
    const answer = () =>
      (isPage ? page : file)(c, async () => {
        c.res = notFound(c);
      });
    await turns.run(toTurn(anonymous, String(c.get('address')), c.req.raw.signal), answer);
    c.header('Vary', 'Accept-Encoding'); // the plain file varies too
    return c.res;
  };
}

/** serveStatic does not read weights such as `br;q=0, gzip;q=0.5`, and the tag of a range would be that of the part. */
function simplify(headers: Headers): void {
  headers.delete('Range');
  const accepted = headers.get('Accept-Encoding') ?? '';
  if (!accepted.includes(';')) return;
  const offers = accepted.split(',').filter((offer) => !/;\s*q=0(\.0*)?\s*$/i.test(offer));
  headers.set('Accept-Encoding', offers.map((offer) => offer.replace(/;.*/, '').trim()).join(', '));
}

/** The page's own policy, which the build wrote with the hashes of its script and style, and what a meta cannot say. */
function pagePolicy(page: string): string {
  const own = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'";
  return `${own}; frame-ancestors 'none'`;
}

/** The path of the page's `<base href>`, always with both slashes. */
function parseMount(page: string): string {
  const base = /<base href="([^"]*)"/.exec(page)?.[1] ?? '/';
  return new URL(base, 'http://host').pathname.replace(/[^/]*$/, '');
}

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import { dropStoredHeaders } from './securityHeaders';

/** Anything shorter fits into one packet uncompressed. */
const MIN_COMPRESSED_LENGTH = 1024;
const compress = promisify(gzip);

/** Answers with JSON, compressed if it pays; with `isTagged` it has an ETag, and an unchanged version is 304. */
export async function jsonResponse(c: Context, out: unknown, { isTagged }: { isTagged: boolean }): Promise<Response> {
  // a browser caches the answer for this session only
  c.header('Vary', 'Authorization, Accept-Encoding', { append: true });
  const plain = JSON.stringify(out);
  const tag = isTagged ? hash('sha1', plain, 'base64url') : '';
  if (isTagged && isUnchanged(tag, c.req.header('if-none-match'))) {
    dropStoredHeaders(c);
    return c.body(null, 304, { ETag: `"${tag}"` });
  }
  const isCompressed = plain.length >= MIN_COMPRESSED_LENGTH && acceptsGzip(c.req.header('accept-encoding'));
  return c.body(isCompressed ? Buffer.from(await compress(plain)) : plain, 200, {
    'Content-Type': 'application/json',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    // a weak tag: the same content, but not the same bytes
    ...(isTagged && { ETag: isCompressed ? `W/"${tag}"` : `"${tag}"` }),
  });
}

const isUnchanged = (tag: string, header = ''): boolean => header === '*' || header.includes(`"${tag}"`);

/** Whether gzip is accepted, by name or by '*', and not with weight 0. */
function acceptsGzip(header = ''): boolean {
  const offers = parseAccept(header);
  const offer = offers.find(({ type }) => type.toLowerCase() === 'gzip') ?? offers.find(({ type }) => type === '*');
  return offer !== undefined && offer.q > 0;
}

import type { Context } from 'hono';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Less fits into a packet as it is. */
const LEAST_COMPRESSED = 1024;
const compress = promisify(gzip);

/** Answers with JSON, compressed where that is worth it. With a tag, to read again: who has it already is told no more than that it is the same. */
export async function jsonResponse(c: Context, out: unknown, { isTagged }: { isTagged: boolean }): Promise<Response> {
  c.header('Vary', 'Authorization, Accept-Encoding', { append: true }); // what a browser keeps is for this session
  const plain = Buffer.from(JSON.stringify(out));
  const tag = isTagged ? createHash('sha1').update(plain).digest('hex') : '';
  if (isTagged && isKnown(tag, c.req.header('if-none-match'))) return c.body(null, 304, { ETag: `"${tag}"` });
  const isCompressed = plain.length >= LEAST_COMPRESSED && takesGzip(c.req.header('accept-encoding'));
  return c.body(isCompressed ? Buffer.from(await compress(plain)) : plain, 200, {
    'Content-Type': 'application/json',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    ...(isTagged && { ETag: isCompressed ? `W/"${tag}"` : `"${tag}"` }), // of the same content, not of the same bytes
  });
}

const isKnown = (tag: string, header = ''): boolean => header === '*' || header.includes(`"${tag}"`);

/** By its name, else by '*', and not with a weight of nothing. */
function takesGzip(header = ''): boolean {
  const offers = header.toLowerCase().split(',').map((offer) => offer.replace(/\s/g, ''));
  const offer = offers.find((one) => /^gzip(;|$)/.test(one)) ?? offers.find((one) => /^\*(;|$)/.test(one));
  return offer !== undefined && !/;q=0(\.0*)?$/.test(offer);
}

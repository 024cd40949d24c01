/** Sends JSON to an address that a tenant's admin has chosen. */
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { type Callee, checkedLookup } from '../payments/outgoingAddress';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;

/**
 * Returns the status of the answer, whose body nobody sees: it could come from a server that is not meant to be read.
 * Follows no redirects and limits time and size. Throws a RefusedAddress for an address that is not called.
 */
export async function post(
  url: URL,
  body: string,
  { headers, mayBeOwn }: { headers: Record<string, string>; mayBeOwn: boolean },
): Promise<number> {
  const callee: Callee = { name: 'this channel', mayBeOwn };
  const lookup = checkedLookup(url, callee);
  const bytes = Buffer.from(body, 'utf8');
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? overHttps : overHttp;
    const request = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': bytes.length },
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        lookup,
      },
      (response) => {
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          if ((read += chunk.length) > ANSWER_BYTES) response.destroy(new Error('too long an answer'));
        });
        response.on('end', () => done(response.statusCode ?? 0));
        response.on('error', fail);
      },
    );
    request.on('error', fail).end(bytes);
  });
}

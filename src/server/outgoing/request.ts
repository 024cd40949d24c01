/** Requests to addresses that people have chosen. */
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { type Callee, checkedLookup } from './address';

interface Outgoing {
  callee: Callee;
  headers: Record<string, string>;
  /** JSON, or the fields of a form, which is sent with POST; without either the request is a GET. */
  json?: string;
  form?: string;
  timeoutMs: number;
  answerBytes: number;
}

/** No redirects; limits time and size. Throws a RefusedAddress where nothing is called. `status` 0: there was none. */
export async function callOut(
  url: URL,
  { callee, headers, json, form, timeoutMs, answerBytes }: Outgoing,
): Promise<{ status: number; body: string; type: string }> {
  const lookup = checkedLookup(url, callee);
  const text = json ?? form,
    type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const sent = text === undefined ? undefined : Buffer.from(text, 'utf8');
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? overHttps : overHttp;
    const request = send(
      url,
      {
        method: sent ? 'POST' : 'GET',
        headers: { ...headers, ...(sent && { 'Content-Type': type, 'Content-Length': sent.length }) },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if ((bytes += chunk.length) > answerBytes) response.destroy(new Error('too long an answer'));
        });
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            type: response.headers['content-type'] ?? '',
          }),
        );
        response.on('error', fail);
      },
    );
    request.on('error', fail).end(sent);
  });
}

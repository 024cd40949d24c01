import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { clientGone, Problem } from '../core/problem';

/** Checks Content-Length up front; chunked bodies are counted while they are read. */
export function limitBody(maxSize: number): MiddlewareHandler {
  const onError = () => {
    throw new Problem(413, 'The request body is too large');
  };
  const counted = bodyLimit({ maxSize, onError });
  return (c, next) => {
    const length = c.req.header('transfer-encoding') === undefined ? c.req.header('content-length') : undefined;
    return length === undefined ? counted(c, next).catch(toHangUp) : Number(length) > maxSize ? onError() : next();
  };
}

/** Reading fails when the sender hangs up. Its error looks like that of a lost connection to the database. */
function toHangUp(error: unknown): never {
  throw error instanceof Problem ? error : clientGone();
}

export const readBody = (c: Context): Promise<ArrayBuffer> => c.req.arrayBuffer().catch(toHangUp);

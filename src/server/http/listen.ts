import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { SettingsError } from '../settings';
import { type ConnectionLimits, limitConnections } from './connectionLimits';
import { strictHeaders } from './securityHeaders';

/** The fetch of a Hono app, as the adapter calls it. */
export type Answer = Parameters<typeof createAdaptorServer>[0]['fetch'];

export interface Listener {
  /** Where the server can be reached, for people. */
  address: string;
  /** Accepts no more connections, waits at most this long for running requests, then closes the rest. */
  close(graceMs: number): Promise<void>;
}

const DRAIN_STEP_MS = 50;
const SILENT_MS = 250;
const UNREAD_MS = 500;
const UNREAD_BYTES = 8 * 1024 * 1024;
/** Only so many clients get the time to read their answer; in a crowd the others are cut off at once. */
const UNREAD_AT_ONCE = 8;

/** Listens with a limit on every wait, so that slow or idle clients cannot hold the server. */
export async function listen(
  host: string,
  port: number,
  answer: Answer,
  limits: ConnectionLimits = {},
): Promise<Listener> {
  const adaptor = createAdaptorServer({
    fetch: answer,
    createServer,
    // The adapter refuses a request without a host, with our headers.
    serverOptions: {
      requireHostHeader: false,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
    },
  });
  if (!('closeIdleConnections' in adaptor)) throw new TypeError('expected an HTTP/1 server');
  const server: Server = adaptor;
  server.maxHeadersCount = 100;
  server.timeout = 40_000; // for a socket without traffic in either direction
  secureEarlyResponses(server);
  limitUnreadBodies(server);
  const connections = limitConnections(server, limits);
  await bind(server, host, port);
  return { address: formatAddress(server, host), close: (graceMs) => close(server, connections, graceMs) };
}

/**
 * Adds the security headers to responses that the app never sees: bad requests, and those of a server that is still
 * starting.
 */
function secureEarlyResponses(server: Server): void {
  const answering = new Set<Duplex>();
  server.prependListener('request', (request, response) => {
    answering.add(request.socket);
    response.on('close', () => answering.delete(request.socket));
    for (const [name, value] of strictHeaders) response.setHeader(name, value);
  });
  server.on('checkExpectation', (_request, response) => {
    for (const [name, value] of strictHeaders) response.setHeader(name, value);
    response.writeHead(417, { 'Cache-Control': 'no-store' }).end();
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    // In the middle of a response, another response would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || answering.has(socket)) return socket.destroy();
    const status = statuses[error.code ?? ''] ?? '400 Bad Request';
    const body = JSON.stringify({ detail: status.slice(4), code: 'refused' });
    const lines = [
      ...strictHeaders.map(([name, value]) => `${name}: ${value}`),
      'Cache-Control: no-store',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.on('finish', () => socket.destroy());
    return undefined;
  });
}

/**
 * Cuts off clients that keep sending a body after it was answered, before they use up bandwidth for the length of a
 * request.
 */
function limitUnreadBodies(server: Server): void {
  let unread = 0;
  server.on('request', (request, response) => {
    response.prependListener('finish', () => {
      if (request.complete) return;
      const most = request.socket.bytesRead + (unread++ < UNREAD_AT_ONCE ? UNREAD_BYTES : 0);
      request.read(); // otherwise Node discards the unread body without limit
      // the client is informed only after it has sent; the body stream would pause it for good
      request
        .on('data', () => {
          if (request.socket.bytesRead < most) request.resume();
          else request.pause();
        })
        .resume();
      void setTimeout(UNREAD_MS, undefined, { ref: false }).then(() => {
        // gives the client time to read the answer
        unread--;
        if (!request.complete) request.socket.destroy();
      });
    });
  });
}

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject('code' in error ? (explainListenError(String(error.code), host, port) ?? error) : error),
    );
    server.listen(port, host, () => resolve());
  });
}

function explainListenError(code: string, host: string, port: number): SettingsError | undefined {
  if (code === 'EADDRINUSE')
    return new SettingsError(`Port ${port} of ${host} is already in use; set PORT to another.`);
  if (code === 'EACCES')
    return new SettingsError(`Listening on port ${port} is not permitted; set PORT to one above 1023.`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return new SettingsError(`HOST ${host} is not an address of this machine.`);
  return undefined;
}

function formatAddress(server: Server, host: string): string {
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}/`;
}

async function close(server: Server, connections: ReadonlyMap<Socket, string>, graceMs: number): Promise<void> {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  for (let waited = 0; waited < graceMs && !isClosed; waited += DRAIN_STEP_MS) {
    server.closeIdleConnections(); // a keep-alive connection becomes idle only after its last request
    // A connection that a browser opened in advance counts as busy: Node waits for its first request.
    if (waited >= SILENT_MS) for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    if (!isClosed) await setTimeout(DRAIN_STEP_MS);
  }
  server.closeAllConnections();
}

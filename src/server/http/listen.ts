import { createServer, type RequestListener, type Server } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { SettingsError } from '../core/settings';
import {
  type ConnectionLimits,
  type Connections,
  limitConnections,
  limitRefusals,
  oneAtATime,
  type Refusal,
} from './connectionLimits';
import { strictHeaders } from './securityHeaders';

/** The fetch of a Hono app, as the adapter calls it. */
export type Answer = Parameters<typeof getRequestListener>[0];

export interface ListenOptions extends ConnectionLimits {
  /** The settings with its address, for the sentence about one that cannot be used. */
  settings?: { host: string; port: string };
  /** A request that the app has not seen, because it was no valid one. */
  onRefused?: (refusal: Refusal) => void;
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
  { onRefused = () => {}, settings = { host: 'HOST', port: 'PORT' }, ...limits }: ListenOptions = {},
) {
  const server = createServer({
    // The adapter refuses a request without a host, with our headers.
    requireHostHeader: false,
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 20_000,
    connectionsCheckingInterval: 5_000,
  });
  server.maxHeadersCount = 100;
  server.timeout = 40_000; // for a socket without traffic in either direction
  const connections = limitConnections(server, limits),
    refused = limitRefusals(onRefused),
    cutUnreadBody = limitUnreadBodies();
  const reached = new WeakSet<object>();
  const answerApp = getRequestListener((request, env) => {
    reached.add(env.incoming);
    return answer(request, env);
  });
  const inTurn = (each: RequestListener) =>
    oneAtATime(
      (request, response) => {
        connections.begin(request, response);
        // For responses that the app never sees too: bad requests, and those of a server that is still starting.
        for (const [name, value] of strictHeaders) response.setHeader(name, value);
        response.once('close', () => {
          if (!reached.has(request)) refused(request.socket, response.statusCode);
        });
        each(request, response);
      },
      (socket) => refused(socket, 0),
    );
  server.on(
    'request',
    inTurn((request, response) => {
      cutUnreadBody(request, response);
      void answerApp(request, response);
    }),
  );
  server.on(
    'checkExpectation',
    inTurn((_request, response) => {
      response.writeHead(417, { 'Cache-Control': 'no-store' }).end();
    }),
  );
  answerClientErrors(server, connections, refused);
  await bind(server, host, port, settings);
  return {
    address: formatAddress(server, host),
    /** Accepts no more connections, waits at most this long for running requests, then closes the rest. */
    close: (graceMs: number) => close(server, connections, graceMs),
  };
}
export type Listener = Awaited<ReturnType<typeof listen>>;

/** Answers what Node cannot parse, with the security headers. */
function answerClientErrors(
  server: Server,
  connections: Connections,
  refused: (socket: Socket, status: number) => void,
): void {
  server.on('connect', ({ socket }) => {
    refused(socket, 0);
    socket.destroy();
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET' || !(socket instanceof Socket)) return void socket.destroy();
    // In the middle of a response, another response would be read as a part of it.
    if (!socket.writable || connections.isAnswering(socket)) return void socket.destroy();
    const status = statuses[error.code ?? ''] ?? '400 Bad Request';
    refused(socket, parseInt(status, 10));
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
  });
}

/** Cuts off clients that go on sending a body after its answer, before they use up bandwidth. */
function limitUnreadBodies(): RequestListener {
  let unread = 0;
  return (request, response) => {
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
  };
}

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

type Names = NonNullable<ListenOptions['settings']>;

function bind(server: Server, host: string, port: number, names: Names): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject('code' in error ? (explainListenError(String(error.code), host, port, names) ?? error) : error),
    );
    server.listen(port, host, () => resolve());
  });
}

function explainListenError(code: string, host: string, port: number, names: Names): SettingsError | undefined {
  if (code === 'EADDRINUSE')
    return new SettingsError(`Port ${port} of ${host} is already in use; set ${names.port} to another.`);
  if (code === 'EACCES')
    return new SettingsError(`Listening on port ${port} is not permitted; set ${names.port} to one above 1023.`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return new SettingsError(`${names.host} ${host} is not an address of this machine.`);
  return undefined;
}

function formatAddress(server: Server, host: string): string {
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}/`;
}

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  for (let waited = 0; waited < graceMs && !isClosed; waited += DRAIN_STEP_MS) {
    server.closeIdleConnections(); // a keep-alive connection becomes idle only after its last request
    // A connection that a browser opened in advance counts as busy: Node waits for its first request.
    if (waited >= SILENT_MS) for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy();
    if (!isClosed) await setTimeout(DRAIN_STEP_MS);
  }
  server.closeAllConnections();
}

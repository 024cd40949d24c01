/** What one client can take of the connections, of the requests on one, and of the log. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toNetwork } from '../core/clientNetwork';
import { stripAddress } from './clientAddress';

/** All connections, and how many there are when one is closed to make room. */
const MAX_CONNECTIONS = 1_000;
const NEARLY_FULL = 950;
/** A browser opens six. */
const MAX_PER_CLIENT = 100;
const TELL_MS = 60_000;

export interface ConnectionLimits {
  /** Whether this address is a proxy, which makes all clients look like one. */
  isProxy?: (address: string) => boolean;
  /** A client was refused a connection; called once a minute at most. */
  onCrowd?: (client: string) => void;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Limits the connections of each client; where there is no room, one that waits for its client is closed. */
export function limitConnections(server: Server, { isProxy = () => false, onCrowd = () => {} }: ConnectionLimits) {
  server.maxConnections = MAX_CONNECTIONS;
  /** In the order in which something last began or ended on them. */
  const clients = new Map<Socket, string>(),
    counts = new Map<string, number>(),
    exchanges = new Map<Socket, Exchange>();
  let told = -Infinity;
  const countOf = (client: string) => counts.get(client) ?? 0;

  function forget(socket: Socket): void {
    const client = clients.get(socket);
    if (client === undefined) return;
    clients.delete(socket);
    exchanges.delete(socket);
    const left = countOf(client) - 1;
    if (left) counts.set(client, left);
    else counts.delete(client);
  }

  function touch(socket: Socket): void {
    const client = clients.get(socket);
    if (client === undefined) return;
    clients.delete(socket);
    clients.set(socket, client);
  }

  /** Closes the connection that has waited longest for this client, or else for the client with the most of them. */
  function makeRoom(client?: string): boolean {
    let found: Socket | undefined,
      most = 0;
    for (const [socket, owner] of clients) {
      if (client !== undefined && owner !== client) continue;
      if (countOf(owner) <= most || !waitsForClient(exchanges.get(socket))) continue;
      found = socket;
      most = countOf(owner);
    }
    if (!found) return false;
    forget(found);
    found.destroy();
    return true;
  }

  function refuse(socket: Socket, client: string): void {
    socket.destroy();
    if (performance.now() - told < TELL_MS) return;
    told = performance.now();
    onCrowd(client);
  }

  server.on('connection', (socket: Socket) => {
    // The address stays known once it was asked for. A client that has hung up by now has none.
    const address = socket.remoteAddress && stripAddress(socket.remoteAddress);
    if (!address) return void socket.destroy();
    const client = toSite(address),
      most = isProxy(address) ? MAX_CONNECTIONS : MAX_PER_CLIENT;
    if (countOf(client) >= most && !makeRoom(client)) return refuse(socket, client);
    if (clients.size >= NEARLY_FULL) makeRoom();
    clients.set(socket, client);
    counts.set(client, countOf(client) + 1);
    socket.once('close', () => forget(socket));
  });
  return {
    /** The open connections, the one with the longest silence first. */
    sockets: () => clients.keys(),
    isAnswering: (socket: Socket) => exchanges.has(socket),
    /** To be called when the answer to a request begins. */
    begin(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request,
        exchange = { request, response };
      if (!clients.has(socket)) return;
      exchanges.set(socket, exchange);
      touch(socket);
      response.once('close', () => {
        if (exchanges.get(socket) !== exchange) return; // the next one has begun
        exchanges.delete(socket);
        touch(socket);
      });
    },
  };
}

export type Connections = ReturnType<typeof limitConnections>;

/** Idle, in the middle of a request, or with an answer that is not read: not at work for the client. */
const waitsForClient = (exchange: Exchange | undefined): boolean =>
  !exchange?.request.complete || exchange.response.writableEnded || exchange.response.writableNeedDrain;

/** Whose connections count together: one IPv4 address, or one IPv6 /56, which a provider gives to a single customer. */
export function toSite(address: string): string {
  const network = toNetwork(address);
  if (!network.endsWith('::/64')) return network;
  const [a, b, c, d = '0'] = network.slice(0, -'::/64'.length).split(':');
  return `${a}:${b}:${c}:${(parseInt(d, 16) & 0xff00).toString(16)}::/56`;
}

/** What a client may send ahead of its answers. Browsers and proxies send nothing ahead. */
const MAX_AHEAD = 8;

/** Answers a connection's requests one after another, which Node does not, and cuts off who sends too many ahead. */
export function oneAtATime(answer: RequestListener, onTooMany: (socket: Socket) => void): RequestListener {
  const ahead = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return; // Node goes on to report what it has read already
    if (response.socket) return answer(request, response);
    // Node gives the socket to a response when the one before it has been sent.
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > MAX_AHEAD) {
      onTooMany(socket);
      return void socket.destroy();
    }
    ahead.set(socket, count);
    response.once('socket', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1);
      if (!socket.destroyed) answer(request, response);
    });
  };
}

/** A request that the app has not seen, for the log. `not_logged`: how many before it are not there. */
export interface Refusal {
  address: string;
  /** 0 when the connection was closed without an answer. */
  status: number;
  not_logged?: number;
}

const PER_MINUTE = 60,
  MINUTE_MS = 60_000;

/** Passes on so many refusals a minute, so that nobody fills the log with them. */
export function limitRefusals(
  log: (refusal: Refusal) => void,
  now: () => number = () => performance.now(),
): (socket: Pick<Socket, 'remoteAddress'>, status: number) => void {
  let begun = -Infinity,
    count = 0;
  return ({ remoteAddress = 'unknown' }, status) => {
    const address = stripAddress(remoteAddress);
    if (now() - begun >= MINUTE_MS) {
      const not_logged = count - PER_MINUTE;
      begun = now();
      count = 1;
      return log({ address, status, ...(not_logged > 0 && { not_logged }) });
    }
    if (++count <= PER_MINUTE) log({ address, status });
  };
}

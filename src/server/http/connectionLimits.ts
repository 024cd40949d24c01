import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toNetwork } from '../auth/rateLimits';
import { stripAddress } from './clientAddress';

/** All connections, and how many there are when idle ones are closed to make room. */
const MAX_CONNECTIONS = 1_000;
const NEARLY_FULL = 950;
/** A browser opens six. */
const MAX_PER_CLIENT = 100;
const TELL_MS = 60_000;

export interface ConnectionLimits {
  /** For a server behind a proxy, which makes all clients look like one. */
  isBehindProxy?: boolean;
  /** A client was refused a connection; called once a minute at most. */
  onCrowd?: (client: string) => void;
}

/**
 * Limits the connections of each client, so that one client cannot take all of them. Where there is no room for a new
 * one, an idle one is closed: one without a request that is being answered. Returns the open connections.
 */
export function limitConnections(
  server: Server,
  { isBehindProxy = false, onCrowd = () => {} }: ConnectionLimits,
): ReadonlyMap<Socket, string> {
  server.maxConnections = MAX_CONNECTIONS;
  const perClient = isBehindProxy ? MAX_CONNECTIONS : MAX_PER_CLIENT;
  const clients = new Map<Socket, string>(),
    counts = new Map<string, number>(),
    requests = new Map<Socket, number>();
  /** The longest idle first. */
  const idle = new Set<Socket>();
  let told = -Infinity;
  const countOf = (client: string | undefined) => counts.get(client ?? '') ?? 0;

  function forget(socket: Socket): void {
    const client = clients.get(socket);
    if (client === undefined) return;
    clients.delete(socket);
    idle.delete(socket);
    const left = countOf(client) - 1;
    if (left) counts.set(client, left);
    else counts.delete(client);
  }

  /** Closes the longest idle connection of this client, or else of the client with the most connections. */
  function closeIdle(client?: string): boolean {
    let found: Socket | undefined;
    for (const socket of idle) {
      const owner = clients.get(socket);
      if (client !== undefined && owner !== client) continue;
      if (!found || countOf(owner) > countOf(clients.get(found))) found = socket;
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
    const client = socket.remoteAddress && toNetwork(stripAddress(socket.remoteAddress));
    if (!client) return void socket.destroy();
    if (countOf(client) >= perClient && !closeIdle(client)) return refuse(socket, client);
    if (clients.size >= NEARLY_FULL) closeIdle();
    clients.set(socket, client);
    counts.set(client, countOf(client) + 1);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1;
      if (left) return void requests.set(socket, left);
      requests.delete(socket);
      if (clients.has(socket)) idle.add(socket);
    });
  });
  return clients;
}
